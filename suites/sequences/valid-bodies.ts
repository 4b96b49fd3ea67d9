/** Valid create-call bodies: every pair of states of two optional members (section 2). */

import { Skipped } from '../../src/client/request.ts';
import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import { SETTING_OF } from '../../src/contract/settings.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { coveringSet } from '../../src/generate/covering.ts';
import type { JsonObject } from '../../src/generate/json.ts';
import { bothCases, type GenerateOptions } from '../../src/generate/options.ts';
import type { ValidFeature } from '../../src/generate/typical.ts';
import { ask, type RequestBuilder } from '../../src/run/builder.ts';
import type { Requirement } from '../../src/run/requirement.ts';
import { type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { baseOf, minimalCall } from '../bodies.ts';
import { CREATE_CALL } from '../create-call.ts';

const CREATE = 'createCall';
/** Statuses that may be about the body, so its elements are tried one by one. */
const ABOUT_THE_BODY: readonly (number | null)[] = [400, 404, 413, 422];
/** Statuses that may be about what the body names, or about two such things together. */
const ABOUT_ITS_IDS: readonly (number | null)[] = [402, 403, 409];
/** The call that closes the bracket, and a spare one, since a create call that should be rejected may be accepted. */
const RESERVED = 2;

/** What the settings decide about generated create-call bodies: only their numbers and ids are ever sent. */
export function callOptions(builder: RequestBuilder): GenerateOptions {
  const { numbers } = builder.options;
  const application = builder.named('voiceApplication');
  const trunk = builder.named('trunk');
  return {
    ...(numbers === null ? {} : { fixed: { '/from': numbers.from, '/to': numbers.to } }),
    pool: {
      ...(application === undefined ? {} : { '/application_id': bothCases(application) }),
      ...(trunk === undefined ? {} : { '/trunk_id': bothCases(trunk) }),
    },
    // The interface does not show which values of these are accepted: a rejected one would prove nothing.
    exclude: ['/dtmf_mode', '/codecs', '/media_encryption'],
  };
}

/** A feature of a valid body, with what it asks. */
interface Element {
  readonly name: string;
  readonly label: string;
  readonly asks: readonly Ask[];
}

function asksOf(requirement: Requirement, feature: ValidFeature): readonly Ask[] {
  const { send } = requirement;
  if (typeof send !== 'object' || !('features' in send)) return [];
  const variation = send.features(feature);
  return variation === null ? [] : [ask(requirement, variation)];
}

/** The features of a body that some requirement asks. */
function elementsOf(features: readonly ValidFeature[]): readonly Element[] {
  const present = features.filter(({ choice }) => choice !== 'absent');
  return present.flatMap((feature) => {
    const asks = CREATE_CALL.flatMap((requirement) => asksOf(requirement, feature));
    const { pointer, choice } = feature;
    return asks.length === 0 ? [] : [{ name: pointer.slice(1), label: `${pointer}: ${choice}`, asks }];
  });
}

const allAsks = (elements: readonly Element[]): readonly Ask[] => elements.flatMap(({ asks }) => asks);
const labels = (elements: readonly Element[]): string => elements.map(({ label }) => label).join(', ');

/** One body of the covering set; if it is rejected, its elements are tried alone. */
function validBody(builder: RequestBuilder, at: number, value: JsonObject, elements: readonly Element[]): Sequence {
  const asks = allAsks(elements);
  return sequence(CREATE, `valid ${at}`, [...builder.validAsks(CREATE), ...asks], async (session) => {
    session.keepCalls(RESERVED);
    const about = `valid: ${labels(elements)}`;
    const answer = await session.send(builder.control(CREATE, { json: value, role: 'together', asks, about }));
    if (answer.accepted) for (const { label } of elements) session.state.features.set(label, true);
    else if (ABOUT_THE_BODY.includes(answer.status)) await tryApart(session, value, elements, true);
    else if (ABOUT_ITS_IDS.includes(answer.status)) await tryApart(session, value, elements, false);
  });
}

/** Finds what is wrong with a rejected body: tries each element that no accepted body contains, then pairs. */
async function tryApart(
  session: Session,
  value: JsonObject,
  elements: readonly Element[],
  inPairs: boolean,
): Promise<void> {
  const { features } = session.state;
  for (const element of elements) {
    if (!features.has(element.label)) features.set(element.label, await isAccepted(session, value, [element]));
  }
  if (!inPairs || elements.some(({ label }) => features.get(label) === false)) return;
  for (const pair of pairsOf(elements)) if (!(await isAccepted(session, value, pair))) return;
}

const pairsOf = (elements: readonly Element[]): readonly (readonly Element[])[] =>
  elements.flatMap((one, at) => elements.slice(at + 1).map((other) => [one, other]));

/** Whether the smallest body is accepted with these members of the value. */
async function isAccepted(session: Session, value: JsonObject, elements: readonly Element[]): Promise<boolean> {
  const { builder } = session;
  session.keepCalls(RESERVED);
  const members = Object.fromEntries(elements.map(({ name }) => [name, value[name] ?? null]));
  const json = { ...minimalCall(builder), ...members };
  const variation = { json, role: 'alone', asks: allAsks(elements), about: labels(elements) } as const;
  return (await session.send(builder.control(CREATE, variation))).accepted;
}

/** A case about ids needs ids; a case about bodies needs numbers to dial. */
function withoutSettings(builder: RequestBuilder): readonly Sequence[] {
  const [ids, ...others] = CREATE_CALL.filter((one) => 'send' in one && 'features' in one.send).toSorted(
    (a, b) => Number(b.id === 'CALL-CREATE-IDS') - Number(a.id === 'CALL-CREATE-IDS'),
  );
  const missing = (['voiceApplication', 'trunk'] as const).filter((kind) => builder.named(kind) === undefined);
  const unnamed = missing.map((kind) =>
    sequence(CREATE, `without ${kind}`, ids === undefined ? [] : [ask(ids, kind)], async () => {
      throw new Skipped(`no ${kind} is named in the settings`, `set ${SETTING_OF[kind]} to one that calls may use`);
    }),
  );
  if (minimalCall(builder) !== null) return unnamed;
  const asks = others.map((one) => ask(one));
  return [...unnamed, sequence(CREATE, 'without numbers', asks, async (session) => void baseOf(session, CREATE))];
}

/** The covering set without its first body, which is the control. */
export function validBodies(builder: RequestBuilder): readonly Sequence[] {
  const bodies =
    minimalCall(builder) === null ? [] : coveringSet(BODY_SCHEMAS['call-create'], callOptions(builder)).slice(1);
  const covering = bodies.map(({ value, features }, at) =>
    validBody(builder, at + 1, value as JsonObject, elementsOf(features)),
  );
  return [...covering, ...withoutSettings(builder)];
}
