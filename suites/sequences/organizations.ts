/** Requests with another organization's credential (section 5). */

import { type Answer, Skipped } from '../../src/client/request.ts';
import { type OperationId, operationById } from '../../src/contract/operations.ts';
import { remedyOf, SETTING_OF } from '../../src/contract/settings.ts';
import { isObject, type JsonObject } from '../../src/generate/json.ts';
import { ask, type RequestBuilder, type Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { baseOf, bodyFor, minimalCall } from '../bodies.ts';
import { CALL_IDS, isOneOf, LISTS } from '../operations.ts';
import { ORG_CALL, ORG_ISOLATION } from '../organizations.ts';

/** The lane of the lists, which show that the other credential works; its rejection elsewhere relies on them. */
export const OTHER_LANE = 'other organization';

/** What distinguishes a request of the other organization. */
export const BY_OTHER = {
  credential: 'other-organization',
  asks: [ask(ORG_ISOLATION)],
  about: 'the credential of another organization',
} as const satisfies Variation;

/** Whether the other organization's credential is known, and the profile may write with it. */
export const hasOther = ({ options }: RequestBuilder): boolean =>
  options.credentials.otherOrganization !== undefined && options.profile === 'full';

/** Calls are tried while one is open and another rings: suites/sequences/calls.ts. */
const OPERATIONS: readonly OperationId[] = [
  ...LISTS,
  'getTrunk',
  'updateTrunk',
  'updateVoiceApplication',
  'setInboundAuth',
  'assignNumber',
  'muteParticipant',
];

/**
 * A target that accepts any id gives no access by accepting one of another organization: the same request with the same
 * credential, of a resource that does not exist.
 */
export async function tryMadeUpId(
  session: Pick<Session, 'builder' | 'send'>,
  id: OperationId,
  { accepted }: Pick<Answer, 'accepted'>,
  body: Variation = {},
): Promise<void> {
  if (!accepted) return;
  const { builder } = session;
  const path = builder.path(
    id,
    operationById(id).resources.map((kind) => builder.uuid(`made-up ${id} ${kind}`)),
  );
  const about = 'a made-up id with the same credential';
  const { credential } = BY_OTHER;
  await session.send(builder.request(id, { credential, ...body, path, role: 'made-up-id', about }));
}

const CREATE = 'createCall';

type IdName = keyof typeof CALL_IDS;

/** The trunk first. */
const NAMES = (Object.keys(CALL_IDS) as IdName[]).toReversed();

/** An accepted call with that id, without the other one if there is such a call; otherwise the smallest call and the id. */
function callNaming(session: Session, name: IdName, id: string): JsonObject {
  const bodies = session.state.acceptedBodies(CREATE).filter(isObject);
  const isNamed = (body: JsonObject): boolean => String(body[name]).toLowerCase() === id.toLowerCase();
  const others = (body: JsonObject): number => NAMES.filter((one) => typeof body[one] === 'string').length;
  const [best] = bodies.filter(isNamed).toSorted((one, other) => others(one) - others(other));
  return best ?? { ...minimalCall(session.builder), [name]: id };
}

/** What is asked with an id of ours, or with one of the wrong kind, which stands for a made-up one: no call may name that. */
async function callWith(session: Session, name: IdName, id: string, more: Variation): Promise<Answer> {
  const own = session.builder.named(CALL_IDS[name]) ?? id;
  const json = { ...callNaming(session, name, own), [name]: id };
  const asks = [ask(ORG_CALL, name)];
  return session.send(session.builder.request(CREATE, { json, credential: BY_OTHER.credential, asks, ...more }));
}

const trialOf = (name: IdName): string => `${name} with another credential`;

function probe(builder: RequestBuilder, name: IdName): Sequence {
  const run = async (session: Session): Promise<void> => {
    const own = builder.named(CALL_IDS[name]);
    if (own === undefined) {
      throw new Skipped(`no ${CALL_IDS[name]} is named in the settings`, remedyOf(SETTING_OF[CALL_IDS[name]]));
    }
    baseOf(session, CREATE);
    // Where the other credential may have hung up our call, another was placed: the rest is for the controls.
    session.keepCalls(session.state.facts.isHangUpRejected === true ? 2 : 1);
    const { trials } = session.state;
    if (NAMES.some((other) => trials.get(trialOf(other)) === true))
      throw new Skipped('such a call was accepted already');
    const about = `the ${name} of this organization with the credential of another`;
    trials.set(trialOf(name), (await callWith(session, name, own, { about })).accepted);
  };
  const place = { leansOn: OTHER_LANE, reserve: 1 } as const;
  return sequence(CREATE, `other organization, ${name}`, [ask(ORG_CALL, name)], run, place);
}

/** A call through our trunk, and one through our application, with the other credential. */
export const callByOther = (builder: RequestBuilder): readonly Sequence[] =>
  hasOther(builder) ? NAMES.map((name) => probe(builder, name)) : [];

/** Where such a call was accepted: another that names an id of the wrong kind, once nothing else needs the calls. */
export function callOfWrongKind(builder: RequestBuilder): readonly Sequence[] {
  if (!hasOther(builder)) return [];
  const run = async (session: Session): Promise<void> => {
    for (const name of NAMES) {
      const wrong = builder.named(name === 'trunk_id' ? 'voiceApplication' : 'trunk');
      if (session.state.trials.get(trialOf(name)) !== true || wrong === undefined) continue;
      await callWith(session, name, wrong, { role: 'made-up-id', about: `a ${name} that names no ${CALL_IDS[name]}` });
    }
  };
  const mayAsk = NAMES.map((name) => ask(ORG_CALL, name));
  const place = { lane: 'fallback', phase: 'fallback', mayAsk, reserve: 1 } as const;
  return [sequence(CREATE, 'other organization, ids of the wrong kind', [], run, place)];
}

/** In the lanes of the resources, so that a change by the other organization never runs beside our own. */
export function byOtherOrganization(builder: RequestBuilder): readonly Sequence[] {
  if (builder.options.credentials.otherOrganization === undefined) return [];
  const possible = OPERATIONS.filter((id) => hasOther(builder) || operationById(id).method === 'GET');
  return possible.map((id) => {
    const isList = isOneOf(LISTS, id);
    const place = isList ? { lane: OTHER_LANE, isControl: true as const } : { leansOn: OTHER_LANE, reserve: 1 };
    const run = async (session: Session): Promise<void> => {
      demandNamed(session, id);
      const body = bodyFor(session, id);
      const answer = await session.send(builder.request(id, { ...body, ...BY_OTHER }));
      if (!isList) await tryMadeUpId(session, id, answer, body);
    };
    return sequence(id, 'other organization', BY_OTHER.asks, run, place);
  });
}
