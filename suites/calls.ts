/** Valid calls: which bodies are accepted, and the actions on a call (sections 2 and 4). */

import { Withheld } from '../src/client/stimulus.ts';
import { operationById } from '../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { type Kit, validAsks } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import type { Sequence, Talk } from '../src/engine/sequence.ts';
import { coveringSet } from '../src/generate/covering.ts';
import type { ValidFeature } from '../src/generate/factors.ts';
import type { JsonObject, JsonValue } from '../src/generate/json.ts';
import { bothCases, type GenerateOptions } from '../src/generate/options.ts';
import { minimalCall } from './bases.ts';
import { baseOf, findBase } from './controls.ts';
import { WAYS } from './credentials.ts';
import { foreignCalls } from './organizations.ts';

const CREATE = 'createCall';
/** Step of a body that tries one element alone, after a body with several was refused. */
const ALONE = 'alone';

const IDS = ['/application_id', '/trunk_id'] as const;

/** What the settings decide about generated create-call bodies: only their numbers and ids are ever sent. */
export function callOptions(kit: Kit): GenerateOptions {
  const { numbers } = kit.options;
  const application = kit.named('voiceApplication');
  const trunk = kit.named('trunk');
  return {
    ...(numbers === null ? {} : { fixed: { '/from': numbers.from, '/to': numbers.to } }),
    pool: {
      ...(application === undefined ? {} : { '/application_id': bothCases(application) }),
      ...(trunk === undefined ? {} : { '/trunk_id': bothCases(trunk) }),
    },
    // The interface does not show which values of these are accepted: a refused one would prove nothing.
    exclude: ['/dtmf_mode', '/codecs', '/media_encryption'],
  };
}

/** The requirement, with its strand, that a feature of a valid body asks; none for one that is merely absent. */
function askOf({ pointer, choice }: ValidFeature): readonly string[] {
  if (choice === 'absent') return [];
  if (pointer === '/variables') return [`CALL-CREATE-VARIABLES#${choice}`];
  if (pointer === '/privacy') return [`CALL-CREATE-PRIVACY#${choice}`];
  if (!IDS.some((id) => id === pointer)) return [];
  return [`CALL-CREATE-${choice === 'null' ? 'NULLABLE' : 'IDS'}#${pointer} ${choice}`];
}

const featureLabel = ({ pointer, choice }: ValidFeature): string => `${pointer}: ${choice}`;

/** One body of the covering set: if it is refused, each of its elements is tried alone. */
function validBody(kit: Kit, at: number, value: JsonObject, features: readonly ValidFeature[]): Sequence {
  const telling = features.filter((feature) => askOf(feature).length > 0);
  return {
    name: `${CREATE}/valid ${at}`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: [...validAsks(operationById(CREATE)), ...telling.flatMap(askOf)],
    run: async (talk) => {
      const about = `valid: ${telling.map(featureLabel).join(', ')}`;
      const asks = telling.flatMap(askOf);
      const answer = await talk.send(kit.control(CREATE, { json: value, step: 'together', asks, about }));
      if (answer.accepted || ![400, 404, 413, 422].includes(answer.status ?? 0)) return;
      const minimal = minimalCall(kit) ?? {};
      for (const feature of telling) {
        const name = feature.pointer.slice(1);
        const json = { ...minimal, [name]: value[name] ?? null };
        const step = `${ALONE}: ${featureLabel(feature)}`;
        await talk.send(kit.control(CREATE, { json, step, asks: askOf(feature), about: featureLabel(feature) }));
      }
    },
  };
}

function validBodies(kit: Kit): readonly Sequence[] {
  if (minimalCall(kit) === null) return [];
  const bodies = coveringSet(BODY_SCHEMAS['call-create'], callOptions(kit)).slice(1);
  const isBothNull = (features: readonly ValidFeature[]): boolean =>
    IDS.every((id) => features.some(({ pointer, choice }) => pointer === id && choice === 'null'));
  const covered = bodies.map(({ value, features }, at) => validBody(kit, at + 1, value as JsonObject, features));
  if (bodies.some(({ features }) => isBothNull(features))) return covered;
  // The set covers presence by pairs; that neither id is there, said with two nulls, is a pair of its own.
  const features = IDS.map((pointer) => ({ pointer, choice: 'null' }));
  const value = { ...minimalCall(kit), application_id: null, trunk_id: null };
  return [...covered, validBody(kit, covered.length + 1, value, features)];
}

/** What is asked of ids needs ids; what is asked of bodies at all needs numbers. */
function unnamed(kit: Kit): readonly Sequence[] {
  const base = { operation: CREATE, lane: 'call', phase: 'main' } as const;
  const missing = (['voiceApplication', 'trunk'] as const).filter((kind) => kit.named(kind) === undefined);
  const setting = { voiceApplication: 'PCS_VOICE_APPLICATION_ID', trunk: 'PCS_TRUNK_ID' } as const;
  const ids = missing.map(
    (kind): Sequence => ({
      ...base,
      name: `${CREATE}/without ${kind}`,
      serves: [`CALL-CREATE-IDS#${kind}`],
      run: async () => {
        throw new Withheld(`no ${kind} is named in the settings`, `set ${setting[kind]} to one that calls may use`);
      },
    }),
  );
  if (minimalCall(kit) !== null) return ids;
  const bodies = ['NULLABLE', 'VARIABLES', 'PRIVACY'].map((word) => `CALL-CREATE-${word}`);
  return [
    ...ids,
    { ...base, name: `${CREATE}/without numbers`, serves: bodies, run: async (talk) => void baseOf(talk, CREATE) },
  ];
}

const isMinimal = (body: JsonValue): boolean => Object.keys(body ?? {}).length === 2;
const minimalAsk = (body: JsonValue): readonly string[] => (isMinimal(body) ? ['CALL-CREATE-MINIMAL'] : []);

function controlCall(when: string): Sequence {
  return {
    name: `${CREATE}/control ${when}`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: [...validAsks(operationById(CREATE)), 'CALL-CREATE-MINIMAL'],
    isControl: true,
    run: async (talk) => {
      baseOf(talk, CREATE);
      await findBase(talk, CREATE, minimalAsk);
    },
  };
}

/** Answers the ringing call of the settings, or, without one, the call of this run, which a target may refuse. */
function answer(kit: Kit): Sequence {
  const id = 'answerCall';
  return {
    name: `${id}/control`,
    operation: id,
    lane: 'call',
    phase: 'main',
    serves: validAsks(operationById(id)),
    run: async (talk) => {
      const call = kit.options.ringingCallId ?? talk.openCall();
      if (call === null) throw new Withheld('there is no call to answer', 'set PCS_RINGING_CALL_ID to a ringing call');
      await talk.send(kit.control(id, { path: kit.path(id, [call]) }));
    },
  };
}

/**
 * Two bad credentials while the call still rings: once it is answered, everybody gets the same refusal, and an answer
 * that needs no credential would go unseen. All other bad credentials come last in the plan.
 */
function badAnswers(kit: Kit): readonly Sequence[] {
  const id = 'answerCall';
  const call = kit.options.ringingCallId;
  if (call === undefined) return [];
  return WAYS.filter(([form]) => form === 'none' || form === 'wrong-secret').map(
    ([form, requirement, about]): Sequence => ({
      name: `${id}/credential while it rings: ${form}`,
      operation: id,
      lane: 'call',
      phase: 'main',
      serves: [`${requirement}#${form}`],
      run: async (talk) => {
        const asks = [`${requirement}#${form}`];
        const variation = { path: kit.path(id, [call]), credential: form, asks, step: 'bad credential', about };
        await talk.send(kit.request(id, variation));
      },
    }),
  );
}

async function hangUpOpen(talk: Talk): Promise<void> {
  const call = talk.openCall();
  if (call === null) throw new Withheld('no call was placed that could be hung up', 'see createCall');
  const asks = validAsks(operationById('hangUpCall'));
  const answer = await talk.hangUp({ asks, control: true, step: 'control', about: 'a valid request' });
  if (answer !== null) talk.memory.endedCall = answer.exchange.request.path.split('/').at(-2) ?? null;
}

const HANG_UP: Sequence = {
  name: 'hangUpCall/control',
  operation: 'hangUpCall',
  lane: 'call',
  phase: 'main',
  serves: validAsks(operationById('hangUpCall')),
  isControl: true,
  run: hangUpOpen,
};

/** The ringing call was answered for the suite alone: it is not left open. */
function endRinging(kit: Kit): readonly Sequence[] {
  const call = kit.options.ringingCallId;
  if (call === undefined) return [];
  return [
    {
      name: 'hangUpCall/the ringing call',
      operation: 'hangUpCall',
      lane: 'call',
      phase: 'main',
      serves: validAsks(operationById('hangUpCall')),
      isControl: true,
      run: async (talk) => {
        await talk.send(
          kit.control('hangUpCall', { path: kit.path('hangUpCall', [call]), about: 'the answered call' }),
        );
      },
    },
  ];
}

/** The call that opens the bracket, and what can be done with it. */
export const CALL_SUITE: Suite = {
  name: 'calls',
  sequences: (kit) => [
    controlCall('before'),
    ...foreignCalls(kit),
    ...badAnswers(kit),
    answer(kit),
    HANG_UP,
    ...endRinging(kit),
    ...validBodies(kit),
    ...unnamed(kit),
  ],
};

/** The call that closes the bracket. */
export const LAST_CALL_SUITE: Suite = { name: 'last call', sequences: () => [controlCall('after')] };
