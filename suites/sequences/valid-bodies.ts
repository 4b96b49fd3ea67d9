/** Valid create-call bodies: every pair of states of two optional members (section 2). */

import type { Answer } from '../../src/client/request.ts';
import { TRIALS } from '../../src/contract/limits.ts';
import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { nthForm } from '../../src/exchange/message.ts';
import { coveringSet, UPPER_CASE, type ValidFeature } from '../../src/generate/covering.ts';
import { isJsonObject, type JsonObject, withoutMember } from '../../src/generate/json.ts';
import { bothCases, type GenerateOptions } from '../../src/generate/options.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { Requirement } from '../../src/run/requirement.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { isAboutRequest } from '../../src/verdict/answer.ts';
import { boundary } from '../../src/verdict/boundary.ts';
import { closeBracket } from '../accepted-bodies.ts';
import { ask } from '../ask.ts';
import {
  baseOf,
  companions,
  GIVEN_UP,
  idForBody,
  isGivenUp,
  minimalCall,
  namedIds,
  RIDERS,
  withCaller,
  withoutId,
} from '../bodies.ts';
import { CREATE_CALL } from '../create-call.ts';
import { EMPTY_WORDS, noteTried } from '../observations/calls.ts';
import { CALL_IDS, CREATE } from '../operations.ts';
import { callAtOnce } from './calls.ts';
import { type Probe, sendProbe, sendSiblings, sendValid, sequence } from './sending.ts';

/** What the settings decide about generated create-call bodies: only their numbers and ids are ever sent. */
export function callOptions(builder: RequestBuilder): GenerateOptions {
  const { numbers } = builder.options;
  const ids = Object.entries(namedIds(builder)).map(([name, id]) => [`/${name}`, bothCases(id)]);
  return {
    ...(numbers === null ? {} : { fixed: { '/from': numbers.from, '/to': numbers.to } }),
    pool: Object.fromEntries(ids),
    // The accepted values of these are not documented: a rejected one would prove nothing.
    exclude: ['/dtmf_mode', '/codecs', '/media_encryption'],
  };
}

/** A feature of a valid body, with the member that has it and what it asks. */
interface Feature {
  readonly name: string;
  readonly member: JsonObject;
  readonly choice: string;
  readonly label: string;
  readonly asks: readonly Ask[];
}

/** The features of a body that some requirement asks. */
function askedElements(value: JsonObject, features: readonly ValidFeature[]): readonly Feature[] {
  const requirements: readonly Requirement[] = CREATE_CALL;
  return features.flatMap((feature) => {
    const asks = requirements.flatMap(({ id, send }) => {
      const variation = send?.features?.(feature) ?? null;
      return variation === null ? [] : [{ id, variation }];
    });
    const { pointer, choice } = feature;
    if (choice === 'absent') return [];
    const name = pointer.slice(1);
    return [{ name, member: { [name]: value[name] ?? null }, choice, label: `${pointer}: ${choice}`, asks }];
  });
}

const allAsks = (elements: readonly Feature[]): readonly Ask[] => elements.flatMap(({ asks }) => asks);
const labels = (elements: readonly Feature[]): string => elements.map(({ label }) => label).join(', ');

/** A body of the covering set and its elements; `last` for the one that carries the empty values. */
interface Valid {
  readonly value: JsonObject;
  readonly elements: readonly Feature[];
  readonly isLast: boolean;
}

type SendMembers = (members: JsonObject, more?: readonly Ask[]) => Promise<Answer>;

/** One body of the covering set, with riders while some are left; if it is rejected, its elements are tried alone. */
function validBody(builder: RequestBuilder, at: number, { value, elements, isLast }: Valid): Sequence {
  const asks = allAsks(elements);
  const form = isLast ? {} : { form: nthForm(at) };
  const all = [...builder.validAsks(CREATE), ...asks, ...(isLast ? EMPTY_ASKS : [])];
  // Boundary values come after everything ordinary.
  const name = isLast ? `boundary: valid ${at}` : `valid ${at}`;
  const otherwise = { reason: GIVEN_UP, why: 'step' } as const;
  const place = { asks: all, otherwise, calls: 1, ...(isLast ? ({ phase: 'hazards' } as const) : {}) };
  return sequence(CREATE, name, place, async (session) => {
    const send: SendMembers = async (members, more = []) => {
      const json = { ...value, ...members };
      const also = Object.keys(members).map((name) => `, with ${name}`);
      const about = `valid: ${labels(elements)}${also.join('')}`;
      const answer = await sendValid(session, CREATE, { json, asks: [...asks, ...more], about, ...form });
      if (!answer.accepted) return answer;
      for (const { label } of elements) session.state.features.set(label, true);
      if (!session.state.bases.has(CREATE)) session.state.bases.set(CREATE, json);
      return answer;
    };
    if (isGivenUp(session, value)) return tryApart(session, elements);
    if (isLast ? await emptiesOn(session, send) : await isRiddenBy(session, value, send)) return;
    if (isAboutRequest((await send({})).exchange)) await tryApart(session, elements);
  });
}

/** Empty words and lists, and a long word, on a valid body. */
const EMPTIES: JsonObject = Object.assign({}, ...EMPTY_WORDS.map(({ members }) => members));
const EMPTY_ASKS: readonly Ask[] = EMPTY_WORDS.map(({ about }) => boundary(about));

/** They get calls of their own only if they must. */
async function emptiesOn({ state }: Session, send: SendMembers): Promise<boolean> {
  const answer = await send(EMPTIES, EMPTY_ASKS);
  if (answer.accepted) for (const emptyWord of EMPTY_WORDS) noteTried(state, emptyWord);
  return isSpent(answer);
}

/** A repetition in another form would place another call if the first may have placed one. */
const isSpent = ({ accepted, status }: Answer): boolean =>
  accepted || status === null || status === 502 || status === 504;

/** Sends the body with members that no accepted body has shown yet; returns whether one of these calls was accepted. */
async function isRiddenBy({ state }: Session, value: JsonObject, send: SendMembers): Promise<boolean> {
  const accepted = state.acceptedBodies(CREATE).filter(isJsonObject);
  const isDue = (rider: JsonObject, at: number): boolean =>
    !state.trials.has(`rider ${at}`) &&
    // Pairs may be added to pairs, but not if the body is meant to have none.
    (!('variables' in rider) || Object.keys(Object(value['variables'])).length > 0) &&
    Object.keys(rider).some((name) => name === 'variables' || !accepted.some((body) => name in body));
  const due = RIDERS.flatMap((rider, at) => (isDue(rider, at) ? [{ rider, at }] : [])).slice(0, TRIALS.calls);
  for (const { rider, at } of due) {
    const answer = await send(rider);
    // A network fault goes away when the sequence is repeated.
    if (answer.status !== null && answer.status < 500) state.trials.set(`rider ${at}`, answer.accepted);
    if (isSpent(answer)) return true;
    if (!isAboutRequest(answer.exchange)) return false;
  }
  return false;
}

/** Finds the reason for a rejected body: tries each element that no accepted body contains on the accepted one. */
async function tryApart(session: Session, elements: readonly Feature[]): Promise<void> {
  const base = session.state.bases.get(CREATE);
  // Without an accepted body a rejection would prove nothing.
  if (!isJsonObject(base)) return;
  const probes: Probe[] = [];
  for (const element of elements) {
    if (session.state.features.has(element.label) || isGivenUp(session, element.member)) continue;
    const answer = await tryElement(session, probes, base, element);
    // Before other elements use up the calls: a rejection that no other member explains is a finding.
    if (isAboutRequest(answer.exchange)) await tryInCompany(session, probes, element);
  }
  await sendSiblings(session, probes);
}

/** The element of the value in an accepted body; without the element, that body is its sibling. */
async function tryElement(session: Session, probes: Probe[], body: JsonObject, element: Feature): Promise<Answer> {
  const { builder, state } = session;
  const { member, label, asks } = element;
  const json = withCaller(builder, { ...body, ...member });
  const request = builder.control(CREATE, { json, role: 'alone', asks, about: label });
  const probe = await sendProbe(session, request, siblingWithout(json, element, session), 'acceptance');
  probes.push(probe);
  state.features.set(label, probe.answer.accepted);
  return probe.answer;
}

/**
 * A rule may accept an element only beside others. It is tried in the operator's body, in the largest accepted bodies,
 * preferably with another value of that member, then with one or two other members. `isCompared`: a rejection was
 * already compared with an accepted body, so none has to follow; if privacy is rejected, that saves two calls.
 */
async function tryInCompany(session: Session, probes: Probe[], element: Feature, isCompared = false): Promise<void> {
  const { builder, state } = session;
  const minimal = minimalCall(builder) ?? {};
  const withIt = (body: JsonObject): JsonObject => withCaller(builder, { ...body, ...element.member });
  const isSent = (body: JsonObject): boolean =>
    state.isAcceptedBody(CREATE, JSON.stringify(withIt(body))) !== undefined;
  const isKnown = (body: JsonObject): boolean => isSent(body) || isGivenUp(session, withIt(body));
  const accepted = state.acceptedBodies(CREATE).filter(isJsonObject);
  const rank = (body: JsonObject): number => Object.keys(body).length + (element.name in body ? 10 : 0);
  const largest = accepted.toSorted((a, b) => rank(b) - rank(a)).slice(0, TRIALS.calls);
  const sample = builder.options.samples[CREATE];
  const { label: about, asks } = element;
  // These need no sibling: an acceptance settles the question, and a rejection says nothing.
  const isTaken = async (body: JsonObject): Promise<boolean> => {
    const { accepted } = await sendValid(session, CREATE, { json: withIt(body), asks, about });
    state.features.set(about, accepted);
    return accepted;
  };
  const singles = companions(builder).filter((companion) => !(element.name in companion));
  const pairs = singles.flatMap((a, at) => singles.slice(at + 1).map((b) => ({ ...a, ...b })));
  for (const body of [...(isJsonObject(sample) ? [sample] : []), ...largest]) {
    // The remedy of an id that was given up asks for the operator's body.
    if (body === sample ? isSent(body) : isKnown(body)) continue;
    if (isCompared ? await isTaken(body) : (await tryElement(session, probes, body, element)).accepted) return;
  }
  for (const members of [...singles, ...pairs]) {
    const body = { ...minimal, ...members };
    if (!isKnown(body) && (await isTaken(body))) return;
  }
}

/** Elements that were rejected before other bodies were accepted are tried in those. */
function inCompany(elements: readonly Feature[]): Sequence {
  return sequence(CREATE, 'valid, in company', { asks: allAsks(elements) }, async (session) => {
    const probes: Probe[] = [];
    for (const element of elements) {
      const isAccepted = session.state.features.get(element.label);
      if (isAccepted === true || !session.state.bases.has(CREATE)) continue;
      await tryInCompany(session, probes, element, isAccepted === false);
    }
    await sendSiblings(session, probes);
  });
}

/** The body without the element: without the member, or with the lower-case id for an id in capital letters. */
function siblingWithout(base: JsonObject, { name, choice }: Feature, { builder }: Session): JsonObject {
  const id = namedIds(builder)[name]?.toLowerCase();
  return choice === UPPER_CASE && id !== undefined ? { ...base, [name]: id } : withoutMember(base, name);
}

/** A case about ids needs ids; a case about bodies needs numbers to dial. */
function withoutSettings(builder: RequestBuilder): readonly Sequence[] {
  const missing = Object.values(CALL_IDS).filter((kind) => idForBody(builder, kind) === undefined);
  const unnamed = missing.map((kind) =>
    sequence(CREATE, `without ${kind}`, { asks: [ask('CALL-CREATE-IDS', kind)] }, async () => {
      throw withoutId(builder, kind);
    }),
  );
  if (minimalCall(builder) !== null) return unnamed;
  const asks = CREATE_CALL.map(({ id }) => ask(id));
  return [...unnamed, sequence(CREATE, 'without numbers', { asks }, async (session) => void baseOf(session, CREATE))];
}

/** The last ordinary body follows the bodies to reject; it or, if it is rejected, an earlier one closes the bracket. */
const closing = (last: Sequence): Sequence => ({
  ...last,
  isControl: true,
  run: async (session) => {
    await last.run(session);
    const isOpen = !session.answers.some(({ accepted, exchange: { tag } }) => accepted && tag.operation === CREATE);
    if (isOpen) await closeBracket(session);
  },
});

/** The covering set without its first body, which is the control; what comes between has to be rejected. */
export function validBodies(builder: RequestBuilder, between: readonly Sequence[]): readonly Sequence[] {
  const bodies =
    minimalCall(builder) === null ? [] : coveringSet(BODY_SCHEMAS['call-create'], callOptions(builder)).slice(1);
  const known = bodies.map(({ value, features }, at): Valid => {
    const elements = askedElements(value, features);
    return { value: withCaller(builder, value), elements, isLast: at === bodies.length - 1 };
  });
  const covering = known.map((valid, at) => validBody(builder, at + 1, valid));
  return [
    ...covering.slice(0, 1),
    ...callAtOnce(),
    ...covering.slice(1, -2),
    ...between,
    inCompany(known.flatMap(({ elements }) => elements)),
    // Its call stays open for the next sequences.
    ...covering.slice(-2, -1).map(closing),
    ...covering.slice(-1),
    ...withoutSettings(builder),
  ];
}
