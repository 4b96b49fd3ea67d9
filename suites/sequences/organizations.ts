/** Requests with another organization's credential (section 5). */

import { type Answer, type SuiteRequest, unset } from '../../src/client/request.ts';
import { type OperationId, operationById } from '../../src/contract/operations.ts';
import { SETTING_OF } from '../../src/contract/settings.ts';
import { isObject, type JsonObject } from '../../src/generate/json.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import { settingsPresent } from '../../src/run/options.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { ask } from '../ask.ts';
import { numbersAfterRejection, showsAssignments } from '../assignments.ts';
import { baseOf, bodyFor, minimalCall, withCaller } from '../bodies.ts';
import { OWN_CONNECTION, THEIR_CONNECTION } from '../expect/configured-credentials.ts';
import {
  ASSIGN,
  CALL_IDS,
  type CallIdName,
  CREATE,
  isOneOf,
  LISTS,
  OTHERS_ID,
  READS,
  type Update,
} from '../operations.ts';
import { valuesFor } from './changes.ts';
import { independent, onNamed, sendTo, sendValid, sequence } from './sending.ts';

/** The lane of the lists, which show that the other credential works; its rejection elsewhere relies on them. */
export const OTHER_LANE = 'other organization';

/** The setting without which none of this is sent. */
export const OTHER = 'PCS_OTHER_ORG_ACCESS_TOKEN';

/** The setting without which it places no calls of its own. */
const OTHERS_CALLER = 'PCS_OTHER_ORG_CALL_FROM';

/** What distinguishes a request of the other organization. */
export const BY_OTHER = {
  credential: 'other-organization',
  asks: [ask('ORG-ISOLATION')],
  about: 'the credential of another organization',
} as const satisfies Variation;

/** The same without Accept: another handler may serve what asks for no media type. */
export const WITHOUT_ACCEPT = {
  ...BY_OTHER,
  asks: [ask('ORG-ISOLATION', 'without Accept')],
  form: 'no-accept',
} as const satisfies Variation;

const BESIDE_OTHER = 'a valid request beside one of another organization';

/** A member that is not the first: an owner may be checked only where another member is written. */
const ALONE: Readonly<Partial<Record<OperationId, string>>> = {
  updateTrunk: 'direction',
  updateVoiceApplication: 'ring_timeout_seconds',
  setInboundAuth: 'realm',
};

/**
 * The body of an update with one member alone, as the record has it; otherwise the valid body. It asks no question of its
 * own: it may be rejected for what it lacks.
 */
function memberAlone(session: Session, id: OperationId): Variation {
  const field = ALONE[id];
  if (field === undefined) return bodyFor(session, id);
  const value = valuesFor(session, id as Update)[field];
  const { about, asks } = BY_OTHER;
  if (value === undefined) return { ...bodyFor(session, id), asks };
  return { json: { [field]: value }, about: `${about}, /${field} alone`, asks };
}

/** Whether the other organization's credential is known, and the profile may write with it. */
export const hasOther = ({ options }: RequestBuilder): boolean =>
  options.credentials.otherOrganization !== undefined && options.profile === 'full';

/** Calls are tried while one is open and another rings: suites/sequences/calls.ts. */
const TRIED_BY_OTHER: readonly OperationId[] = [
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
export function ofMadeUpId(builder: RequestBuilder, id: OperationId, body: Variation = {}): SuiteRequest {
  const path = builder.path(
    id,
    operationById(id).resources.map((kind) => builder.uuid(`made-up ${id} ${kind}`)),
  );
  const about = 'a made-up id with the same credential';
  const { credential } = BY_OTHER;
  return builder.request(id, { credential, ...body, path, role: 'made-up-id', about });
}

/** The trunk first. */
const ID_NAMES = (Object.keys(CALL_IDS) as CallIdName[]).toReversed();

/** An accepted call with that id, without the other one if there is such a call; otherwise the smallest call and the id. */
function callNaming(session: Session, name: CallIdName, id: string): JsonObject {
  const bodies = session.state.acceptedBodies(CREATE).filter(isObject);
  const isNamed = (body: JsonObject): boolean => String(body[name]).toLowerCase() === id.toLowerCase();
  const others = (body: JsonObject): number => ID_NAMES.filter((one) => typeof body[one] === 'string').length;
  const [best] = bodies.filter(isNamed).toSorted((one, other) => others(one) - others(other));
  return best ?? withCaller(session.builder, { ...minimalCall(session.builder), [name]: id });
}

/** A resource that the settings name; throws `Skipped` without it. */
function namedId({ builder }: Session, kind: (typeof CALL_IDS)[CallIdName]): string {
  const id = builder.named(kind);
  if (id === undefined) throw unset(`no ${kind} is named in the settings`, SETTING_OF[kind]);
  return id;
}

/** The calls that the other organization may place as its own: with its trunk and its application, with one, with neither. */
function callsOfItsOwn({ options }: RequestBuilder): readonly JsonObject[] {
  const { numbers, otherFrom, otherTrunk, otherApplication } = options;
  if (numbers === null) throw unset('no phone numbers to dial are set', 'PCS_CALL_FROM', 'PCS_CALL_TO');
  if (otherFrom === undefined) throw unset('no caller of the other organization is set', OTHERS_CALLER);
  const call = { from: otherFrom, to: numbers.to };
  const trunk = otherTrunk === undefined ? {} : { trunk_id: otherTrunk };
  const application = otherApplication === undefined ? {} : { application_id: otherApplication };
  const all = [{ ...trunk, ...application }, trunk, application, {}];
  return [...new Map(all.map((ids) => [JSON.stringify(ids), { ...call, ...ids }])).values()];
}

/**
 * What the other organization may do with what it owns: without an accepted call of its own, the rejection of one through
 * our trunk shows nothing. (A service had rejected our number as its caller, and let it place calls through our application.)
 */
function callOfItsOwn(): Sequence {
  const asks = ID_NAMES.map((name) => ask('ORG-CALL', name));
  const place = { asks, leansOn: OTHER_LANE, needs: OTHER, calls: 1 } as const;
  return sequence(CREATE, 'other organization, a call of its own', place, async (session) => {
    const known = session.state.callsOfOthers;
    for (const json of callsOfItsOwn(session.builder)) {
      const isKnown = ID_NAMES.every((name) => !(name in json) || known.some((call) => name in call));
      if (known.length > 0 && isKnown) continue;
      const about = 'a call of its own with the credential of another organization';
      const { credential } = BY_OTHER;
      const { accepted } = await sendTo(session, CREATE, { json, credential, asks, role: 'candidate', about });
      if (accepted) known.push(json);
    }
  });
}

/** A call of the other organization through one of our resources. Without a call of its own, only an acceptance tells. */
function callNamingOurs(name: CallIdName): Sequence {
  const asks = [ask('ORG-CALL', name)];
  const place = { leansOn: OTHER_LANE, needs: OTHER } as const;
  return sequence(CREATE, `other organization, ${name}`, { asks, ...place }, async (session) => {
    const { builder, state } = session;
    const ours = namedId(session, CALL_IDS[name]);
    baseOf(session, CREATE);
    const own = state.callsOfOthers.find((call) => name in call);
    const base = own ?? state.callsOfOthers[0] ?? callNaming(session, name, ours);
    const about = `the ${name} of this organization with the credential of another`;
    await sendTo(session, CREATE, { json: { ...base, [name]: ours }, credential: BY_OTHER.credential, asks, about });
    const isSet = settingsPresent(builder.options).includes(OTHERS_ID[name]);
    if (own === undefined && !isSet && state.callsOfOthers.length > 0)
      throw unset(`no ${name} of the other organization is set`, OTHERS_ID[name]);
  });
}

/** The same call with our own credential, with which that is compared: most runs have seen it accepted before. */
function ownCallNaming(name: CallIdName): Sequence {
  const asks = [ask('ORG-CALL', name)];
  return sequence(CREATE, `the same call, ${name}`, { asks, needs: OTHER }, async (session) => {
    const json = callNaming(session, name, namedId(session, CALL_IDS[name]));
    const isKnown = session.state.isAcceptedBody(CREATE, JSON.stringify(json)) !== undefined;
    if (!isKnown) await sendValid(session, CREATE, { json });
  });
}

/** Calls with the other credential: one of its own, one through our trunk, and one through our application. */
export const callsByOther = (): readonly Sequence[] => [
  callOfItsOwn(),
  ...ID_NAMES.flatMap((name) => [callNamingOurs(name), ownCallNaming(name)]),
];

/**
 * The other organization assigns our number to a connection of its own. Only this request gets past a service that checks
 * the owner of the connection and not that of the number. An accepted assignment is undone at once; of a rejected one, the
 * list shows whether it had an effect.
 */
function assignToOther(builder: RequestBuilder): Sequence {
  const { options } = builder;
  const effect = showsAssignments(builder) ? [ask('AUTH-ASSIGNMENT-UNCHANGED', 'other organization')] : [];
  const asks = [ask('ORG-ISOLATION', OWN_CONNECTION)];
  const { credential } = BY_OTHER;
  const needs = options.credentials.otherOrganization === undefined ? OTHER : 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID';
  const place = { leansOn: OTHER_LANE, needs, mayAsk: effect } as const;
  return onNamed(ASSIGN, 'other organization, its own connection', { asks, ...place }, async (session) => {
    const body = { json: { carrier_connection_id: options.otherConnection ?? '' } };
    const about = 'the credential of another organization, and a connection of its own';
    const assigned = builder.request(ASSIGN, { ...body, credential, asks, about });
    const [, answer] = await session.together([ofMadeUpId(builder, ASSIGN, body), assigned]);
    if (answer?.accepted === true)
      await sendValid(session, ASSIGN, { ...bodyFor(session, ASSIGN), about: 'assigned back' });
    else if (effect.length > 0) await numbersAfterRejection(session, effect);
  });
}

/**
 * The other way round: we assign our number to a connection of the other organization. If that is accepted, so may be a
 * connection that does not exist: then the target looks nothing up. In the end the number has its own connection again.
 */
function assignToTheirs({ options }: RequestBuilder): Sequence {
  const asks = [ask('ORG-ISOLATION', THEIR_CONNECTION)];
  const needs = options.credentials.otherOrganization === undefined ? OTHER : 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID';
  return onNamed(ASSIGN, 'the connection of another organization', { asks, needs }, async (session) => {
    const assign = (id: string, more: Variation): Promise<Answer> =>
      sendTo(session, ASSIGN, { json: { carrier_connection_id: id }, ...more });
    const about = 'the connection of another organization with our credential';
    const { accepted } = await assign(options.otherConnection ?? '', { asks, about });
    if (!accepted) return;
    const unknown = session.builder.uuid('unknown connection beside one of another organization');
    await assign(unknown, { role: 'made-up-id', about: 'a made-up connection with our credential' });
    await sendValid(session, ASSIGN, { ...bodyFor(session, ASSIGN), about: 'assigned back' });
  });
}

/** A credential that may read no trunk at all is rejected for that. */
function readsOfItsOwn(builder: RequestBuilder, id: OperationId): readonly SuiteRequest[] {
  const { otherTrunk } = builder.options;
  if (id !== 'getTrunk' || otherTrunk === undefined) return [];
  const about = 'a trunk of its own with the credential of another organization';
  const { credential } = BY_OTHER;
  return [builder.request(id, { path: builder.path(id, [otherTrunk]), credential, role: 'candidate', about })];
}

/** The other way round: our credential reads a trunk of the other organization, and then one that does not exist. */
export function theirTrunk({ options: { otherTrunk } }: RequestBuilder): readonly Sequence[] {
  if (otherTrunk === undefined) return [];
  const { asks } = BY_OTHER;
  const about = 'a trunk of another organization with our credential';
  return [
    independent(
      'getTrunk',
      'the trunk of another organization',
      { asks, needs: OTHER },
      {
        request: ({ builder }) =>
          builder.request('getTrunk', { path: builder.path('getTrunk', [otherTrunk]), asks, about }),
        note: async (session, { accepted }) => {
          if (accepted) await session.send(ofMadeUpId(session.builder, 'getTrunk', { credential: 'valid' }));
        },
      },
    ),
  ];
}

/** In the lanes of the resources, so that a change by the other organization never runs beside our own. */
export function byOtherOrganization(builder: RequestBuilder): readonly Sequence[] {
  const { options } = builder;
  const possible = TRIED_BY_OTHER.filter((id) => options.profile === 'full' || operationById(id).method === 'GET');
  const sequences = possible.map((id) => {
    const isList = isOneOf(LISTS, id);
    const place = isList ? { lane: OTHER_LANE, isControl: true as const } : { leansOn: OTHER_LANE };
    const asks = id in ALONE ? BY_OTHER.asks : [...BY_OTHER.asks, ...WITHOUT_ACCEPT.asks];
    return onNamed(id, 'other organization', { asks, ...place, needs: OTHER }, async (session) => {
      const body = bodyFor(session, id);
      const byOther = builder.request(id, { ...body, ...BY_OTHER });
      const withoutAccept = builder.request(id, { ...WITHOUT_ACCEPT, ...memberAlone(session, id) });
      if (isList) {
        // A cache without the organization in its key gives the other one what we have just read.
        await sendValid(session, id, { about: 'a valid request once more' });
        await session.send(byOther);
        const path = builder.barePath(id);
        const about = `${BY_OTHER.about}, without the query`;
        if (path !== undefined) await session.send(builder.request(id, { ...BY_OTHER, path, about }));
      } else {
        // What it is compared with comes first: where they go out one by one and the run ends, nothing is concluded.
        const compared = [ofMadeUpId(builder, id, body), ...readsOfItsOwn(builder, id)];
        await session.together([...compared, byOther, ...(isOneOf(READS, id) ? [] : [withoutAccept])]);
      }
      if (!isOneOf(READS, id)) return;
      // A handler that keeps the caller in a field answers one of two at once for the other.
      await session.together([{ ...withoutAccept, role: 'beside' }, builder.control(id, { about: BESIDE_OTHER })]);
    });
  });
  return options.profile === 'full' ? [...sequences, assignToOther(builder), assignToTheirs(builder)] : sequences;
}
