/** Requests with another organization's credential (section 5). */

import { type Answer, Skipped } from '../../src/client/request.ts';
import { type OperationId, operationById } from '../../src/contract/operations.ts';
import { remedyOf, SETTING_OF } from '../../src/contract/settings.ts';
import { isObject, type JsonObject } from '../../src/generate/json.ts';
import { ask, type RequestBuilder, type Variation } from '../../src/run/builder.ts';
import { demandNamed, laneOf, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { baseOf, minimalCall } from '../bodies.ts';
import { isOneOf } from '../operations.ts';
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

const LISTS: readonly OperationId[] = ['listNumbers', 'listTrunks'];
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

/** A target that accepts any id gives no access by accepting ours: the same request, of a resource that does not exist. */
export async function tryMadeUpId(
  session: Session,
  id: OperationId,
  { accepted }: Answer,
  body: Variation = {},
): Promise<void> {
  if (!accepted) return;
  const { builder } = session;
  const path = builder.path(
    id,
    operationById(id).resources.map((kind) => builder.uuid(`made-up ${id} ${kind}`)),
  );
  const about = 'a made-up id with the credential of another organization';
  const variation = { ...body, path, credential: BY_OTHER.credential, role: 'made-up-id', about } as const;
  await session.send(builder.request(id, variation));
}

const CREATE = 'createCall';
const IDS = { trunk_id: 'trunk', application_id: 'voiceApplication' } as const;

/** An accepted call with that id, without the other one if there is such a call; otherwise the smallest call and the id. */
function callNaming(session: Session, name: keyof typeof IDS, id: string): JsonObject {
  const bodies = session.state.acceptedBodies(CREATE).filter(isObject);
  const isNamed = (body: JsonObject): boolean => String(body[name]).toLowerCase() === id.toLowerCase();
  const others = (body: JsonObject): number => Object.keys(IDS).filter((one) => typeof body[one] === 'string').length;
  const [best] = bodies.filter(isNamed).toSorted((one, other) => others(one) - others(other));
  return best ?? { ...minimalCall(session.builder), [name]: id };
}

/**
 * A call through our trunk, and one through our application, with the other credential. An id of the wrong kind stands
 * for a made-up one, which no call may name: a target that accepts it looks nothing up.
 */
export function callByOther(builder: RequestBuilder): readonly Sequence[] {
  if (!hasOther(builder)) return [];
  return Object.entries(IDS).map(([field, kind]) => {
    const name = field as keyof typeof IDS;
    const asks = [ask(ORG_CALL, name)];
    const run = async (session: Session): Promise<void> => {
      const own = builder.named(kind);
      if (own === undefined) throw new Skipped(`no ${kind} is named in the settings`, remedyOf(SETTING_OF[kind]));
      baseOf(session, CREATE);
      session.keepCalls(1);
      const json = callNaming(session, name, own);
      const { credential } = BY_OTHER;
      const about = `the ${name} of this organization with the credential of another`;
      const answer = await session.send(builder.request(CREATE, { json, credential, asks, about }));
      const wrong = builder.named(name === 'trunk_id' ? 'voiceApplication' : 'trunk');
      if (!answer.accepted || wrong === undefined) return;
      await session.hangUp();
      const control = { json: { ...json, [name]: wrong }, credential, role: 'made-up-id', asks } as const;
      await session.send(builder.request(CREATE, { ...control, about: `a ${name} that names no ${kind}` }));
    };
    return sequence(CREATE, `other organization, ${name}`, asks, run, { leansOn: OTHER_LANE, reserve: 1 });
  });
}

/** In the lanes of the resources, so that a change by the other organization never runs beside our own. */
export function byOtherOrganization(builder: RequestBuilder): readonly Sequence[] {
  if (builder.options.credentials.otherOrganization === undefined) return [];
  const possible = OPERATIONS.filter((id) => hasOther(builder) || operationById(id).method === 'GET');
  return possible.map((id) => {
    const isList = isOneOf(LISTS, id);
    const place = isList
      ? { lane: OTHER_LANE, isControl: true as const }
      : { lane: laneOf(id), leansOn: OTHER_LANE, reserve: 1 };
    return sequence(
      id,
      'other organization',
      BY_OTHER.asks,
      async (session) => {
        demandNamed(session, id);
        const body = operationById(id).body === null ? {} : { json: baseOf(session, id) };
        const answer = await session.send(builder.request(id, { ...body, ...BY_OTHER }));
        if (!isList) await tryMadeUpId(session, id, answer, body);
      },
      place,
    );
  });
}
