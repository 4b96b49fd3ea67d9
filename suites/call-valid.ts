/** Which bodies create call accepts (section 2). */

import { Withheld } from '../src/client/stimulus.ts';
import { operationById } from '../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { coveringSet } from '../src/generate/covering.ts';
import type { ValidFeature } from '../src/generate/factors.ts';
import type { JsonObject } from '../src/generate/json.ts';
import { bothCases, type GenerateOptions } from '../src/generate/options.ts';
import { type Kit, validAsks } from '../src/run/kit.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
import { ALONE, TOGETHER } from '../src/verdict/bodies.ts';
import { minimalCall } from './bases.ts';
import { baseOf } from './controls.ts';

const CREATE = 'createCall';
/** Statuses that may be about the body, so that its elements are to be tried one by one. */
const ABOUT_THE_BODY: readonly number[] = [400, 404, 413, 422];
/** Statuses that may be about what the body names, or about two such things together. */
const ABOUT_ITS_IDS: readonly number[] = [402, 403, 409];

/** The call that closes the bracket, and one in hand, since a create call that is to be refused may be accepted. */
const RESERVED = 2;

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

/** One body of the covering set; if it is refused, its elements are tried apart. */
function validBody(kit: Kit, at: number, value: JsonObject, features: readonly ValidFeature[]): Sequence {
  const telling = features.filter((feature) => askOf(feature).length > 0);
  return {
    name: `${CREATE}/valid ${at}`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: [...validAsks(operationById(CREATE)), ...telling.flatMap(askOf)],
    run: async (talk) => {
      spareCall(talk);
      const { elements } = talk.memory;
      const about = `valid: ${telling.map(featureLabel).join(', ')}`;
      const asks = telling.flatMap(askOf);
      const answer = await talk.send(kit.control(CREATE, { json: value, step: TOGETHER, asks, about }));
      if (answer.accepted) for (const feature of telling) elements.set(featureLabel(feature), true);
      else if (ABOUT_THE_BODY.includes(answer.status ?? 0)) await tryApart(talk, value, telling, true);
      else if (ABOUT_ITS_IDS.includes(answer.status ?? 0)) await tryApart(talk, value, telling, false);
    },
  };
}

/** What of a refused body is refused apart: each element that no accepted body holds, or else two of them in a pair. */
async function tryApart(
  talk: Talk,
  value: JsonObject,
  features: readonly ValidFeature[],
  inPairs: boolean,
): Promise<void> {
  const { elements } = talk.memory;
  for (const feature of features) {
    const label = featureLabel(feature);
    if (!elements.has(label)) elements.set(label, await isAccepted(talk, value, [feature]));
  }
  if (!inPairs || features.some((feature) => elements.get(featureLabel(feature)) === false)) return;
  for (const pair of pairsOf(features)) if (!(await isAccepted(talk, value, pair))) return;
}

const pairsOf = (features: readonly ValidFeature[]): readonly (readonly ValidFeature[])[] =>
  features.flatMap((one, at) => features.slice(at + 1).map((other) => [one, other]));

/** Whether the smallest body is accepted with these members of the value. */
async function isAccepted(talk: Talk, value: JsonObject, features: readonly ValidFeature[]): Promise<boolean> {
  const { kit } = talk;
  spareCall(talk);
  const names = features.map(({ pointer }) => pointer.slice(1));
  const members = Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
  const about = features.map(featureLabel).join(', ');
  const asks = features.flatMap(askOf);
  const json = { ...minimalCall(kit), ...members };
  return (await talk.send(kit.control(CREATE, { json, step: `${ALONE}: ${about}`, asks, about }))).accepted;
}

function spareCall(talk: Talk): void {
  if (talk.callsLeft <= RESERVED) throw new Withheld('the last calls are kept for the controls', 'raise --max-calls');
}

/** Every pair of what two optional members can be: 9 bodies with the first, which is the control. */
function coveringBodies(kit: Kit): readonly Sequence[] {
  if (minimalCall(kit) === null) return [];
  const bodies = coveringSet(BODY_SCHEMAS['call-create'], callOptions(kit)).slice(1);
  return bodies.map(({ value, features }, at) => validBody(kit, at + 1, value as JsonObject, features));
}

/** Valid bodies; where settings are missing, what cannot be asked without them. */
export function validBodies(kit: Kit): readonly Sequence[] {
  return [...coveringBodies(kit), ...unnamed(kit)];
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
