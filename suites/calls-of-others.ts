/** Another organization places no call through this organization's trunk or application (section 5). */

import { unset } from '../src/client/request.ts';
import { listed } from '../src/contract/lists.ts';
import { remedyOf } from '../src/contract/settings.ts';
import { UUID } from '../src/contract/uuid.ts';
import { describedIn, type Exchange } from '../src/exchange/exchange.ts';
import { isJsonObject, type JsonObject } from '../src/generate/json.ts';
import type { RequestBuilder } from '../src/run/builder.ts';
import { settingsPresent } from '../src/run/options.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import { answerPhrase, isAccepted, isOfOthers } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { none, type Opinion, PASS, unshown } from '../src/verdict/opinion.ts';
import { jsonOf } from '../src/verdict/sibling.ts';
import { ask } from './ask.ts';
import { baseOf, idForBody, minimalCall, withCaller, withoutId } from './bodies.ts';
import { isAcceptedForItsOwn, ofAnotherOrganization } from './expect/configured-credentials.ts';
import { foundAccess, fromStatus, quotes } from './expect/rejection.ts';
import { remedyForControl, said } from './expect/remedy.ts';
import { CALL_IDS, type CallIdName, CREATE, OTHERS_ID } from './operations.ts';
import { BY_OTHER, OTHER_ORG_TOKEN } from './organizations.ts';
import { sendTo, sendValid, sequence } from './sequences/sending.ts';

/** The setting without which the other organization places no calls of its own. */
const OTHERS_CALLER = 'PCS_OTHER_ORG_CALL_FROM';

/** The trunk first. */
const ID_NAMES = (Object.keys(CALL_IDS) as CallIdName[]).toReversed();

/** An accepted call with that id, if possible without the other one; otherwise the smallest call plus the id. */
function callNaming(session: Session, name: CallIdName, id: string): JsonObject {
  const bodies = session.state.acceptedBodies(CREATE).filter(isJsonObject);
  const isNamed = (body: JsonObject): boolean => String(body[name]).toLowerCase() === id.toLowerCase();
  const idsIn = (body: JsonObject): number => ID_NAMES.filter((idName) => typeof body[idName] === 'string').length;
  const [best] = bodies.filter(isNamed).toSorted((a, b) => idsIn(a) - idsIn(b));
  return best ?? withCaller(session.builder, { ...minimalCall(session.builder), [name]: id });
}

/** A resource that the settings name; throws `Skipped` without it. */
function namedId({ builder }: Session, name: CallIdName): string {
  const kind = CALL_IDS[name];
  const id = idForBody(builder, kind);
  if (id === undefined) throw withoutId(builder, kind);
  return id;
}

/** The calls that the other organization may place: with its trunk and application, with either, with neither. */
function callsOfItsOwn({ options }: RequestBuilder): readonly JsonObject[] {
  const { numbers, otherFrom, otherTrunk, otherApplication } = options;
  if (numbers === null) throw unset('no phone numbers to dial are set', 'PCS_CALL_FROM', 'PCS_CALL_TO');
  if (otherFrom === undefined) throw unset('no caller of the other organization is set', OTHERS_CALLER);
  const call = { from: otherFrom, to: numbers.to };
  const trunk = otherTrunk === undefined || !UUID.test(otherTrunk) ? {} : { trunk_id: otherTrunk };
  const application = otherApplication === undefined ? {} : { application_id: otherApplication };
  const all = [{ ...trunk, ...application }, trunk, application, {}];
  return [...new Map(all.map((ids) => [JSON.stringify(ids), { ...call, ...ids }])).values()];
}

/**
 * The answer to one of its own calls: a rejection shows nothing. Settings that another accepted call confirms are not
 * to blame; without any accepted call the caller is.
 */
function ofItsOwnCall(exchange: Exchange, { exchanges }: Evidence): Opinion {
  const answer = `${answerPhrase(exchange)} to ${describedIn(exchange.tag)}`;
  if (isAccepted(exchange)) return none(answer);
  const isOfItsOwn = ({ tag }: Exchange): boolean => tag.operation === CREATE && tag.role === 'candidate';
  const accepted = exchanges.filter((call) => isOfItsOwn(call) && isOfOthers(call) && isAccepted(call));
  const named = (call: Exchange): readonly string[] =>
    ID_NAMES.filter((name) => Object(jsonOf(call))[name] !== undefined).map((name) => OTHERS_ID[name]);
  const isRead = exchanges.some((read) => read.tag.operation === 'getTrunk' && isAcceptedForItsOwn(read));
  const shown = [...accepted.flatMap(named), ...(isRead ? [OTHERS_ID.trunk_id] : [])];
  const ids = named(exchange).filter((name) => !shown.includes(name));
  const names = accepted.length > 0 ? ids : [OTHERS_CALLER, ...ids];
  const remedy = `check ${listed(names)}: PCS_OTHER_ORG_ACCESS_TOKEN must be able to place calls so${said(exchange)}`;
  return unshown(answer, remedy, names);
}

/**
 * What the other organization may do with its own: unless such a call is accepted, its rejected call through our trunk
 * shows nothing. (A service rejected our number as its caller, but let it call through our application.)
 */
function callOfItsOwn(): Sequence {
  const asks = ID_NAMES.map((name) => ask('ORG-CALL', name));
  const place = { asks, needs: OTHER_ORG_TOKEN, calls: 1 } as const;
  return sequence(CREATE, 'other organization, a call of its own', place, async (session) => {
    const placed = session.state.callsOfOther;
    for (const json of callsOfItsOwn(session.builder)) {
      const known = placed.filter(({ accepted }) => accepted);
      const isKnown = ID_NAMES.every((name) => !(name in json) || known.some((call) => name in call.json));
      if (known.length > 0 && isKnown) continue;
      const about = 'a call of its own with the credential of another organization';
      const { credential } = BY_OTHER;
      const answer = await sendTo(session, CREATE, { json, credential, asks, role: 'candidate', about });
      placed.push({ json, ...answer });
      const judge = ofAnotherOrganization((evidence) => ofItsOwnCall(answer.exchange, evidence));
      session.say(asks, answer, judge);
    }
  });
}

/** Our own accepted calls with the id that the exchange names, in any letter case. */
function acceptedWithId(exchange: Exchange, name: CallIdName, evidence: Evidence): readonly Exchange[] {
  const idIn = (call: Exchange): string => String(Object(jsonOf(call))[name]).toLowerCase();
  return evidence.controls(CREATE).filter((call) => isAccepted(call) && idIn(call) === idIn(exchange));
}

/** Whether the answer shows the id of the request (as in the request or in a call of ours) in a member of that name. */
function showsId(exchange: Exchange, name: CallIdName, evidence: Evidence): boolean {
  const digestsIn = ({ request }: Exchange) =>
    (request.body?.members ?? []).flatMap(({ pointer, digest }) => (pointer === `/${name}` ? [digest] : []));
  const sent = [exchange, ...acceptedWithId(exchange, name, evidence)].flatMap(digestsIn);
  const shown = exchange.response?.body?.members.filter(({ pointer }) => pointer.endsWith(`/${name}`)) ?? [];
  return shown.some(({ digest }) => sent.includes(digest));
}

/** A call with its own resources, then one through our trunk, and one through our application. */
export const ORG_CALL = {
  id: 'ORG-CALL',
  level: 'must',
  section: '5',
  statement: "Another organization's credential cannot place a call through this organization's trunk or application.",
  needs: OTHER_ORG_TOKEN,
  operations: [CREATE],
  opportunistic: 'the target accepts any id, and shows none',
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
  send: {
    sequences: () => [callOfItsOwn(), ...ID_NAMES.flatMap((name) => [callNamingOurs(name), ownCallNaming(name)])],
  },
} as const satisfies Requirement;

/**
 * Judges their call through our trunk or application, beside a call that differs only in having their own id. The
 * record of the call is the proof: a target that shows no id may not check it when a call is created.
 */
export function throughOurs(
  exchange: Exchange,
  name: CallIdName,
  theirs: Exchange | undefined,
  evidence: Evidence,
): Opinion {
  if (isAccepted(exchange)) {
    if (showsId(exchange, name, evidence)) return foundAccess(exchange);
    return none(`the response shows no ${name}, so the target may not have used it`);
  }
  const opinion = fromStatus(exchange) ?? quotes(exchange, evidence);
  if (opinion !== null) return opinion;
  if (theirs === undefined)
    return none(`the other organization placed no call with a ${name} of its own`, remedyOf(OTHERS_ID[name]));
  if (!isAccepted(theirs)) return ofItsOwnCall(theirs, evidence);
  return acceptedWithId(exchange, name, evidence).length > 0
    ? PASS
    : none(`our own credential placed no call with this ${name}`, remedyForControl(exchange, evidence));
}

/**
 * Our trunk's id in capitals, if a call of ours was accepted with that: a service that compared ids literally let the
 * other organization call through our trunk only in capitals.
 */
function spelledForOther({ state }: Session, name: CallIdName, id: string): string {
  const capitals = id.toUpperCase();
  const isAccepted = state.acceptedBodies(CREATE).some((body) => isJsonObject(body) && body[name] === capitals);
  return name === 'trunk_id' && isAccepted ? capitals : id;
}

/** A call of the other organization through a resource of ours. Without a call of its own, only acceptance counts. */
function callNamingOurs(name: CallIdName): Sequence {
  const asks = [ask('ORG-CALL', name)];
  return sequence(CREATE, `other organization, ${name}`, { asks, needs: OTHER_ORG_TOKEN }, async (session) => {
    const { builder, state } = session;
    const ours = namedId(session, name);
    baseOf(session, CREATE);
    const accepted = state.callsOfOther.filter((call) => call.accepted);
    const naming = [...accepted, ...state.callsOfOther.toReversed()].find(({ json }) => name in json);
    const base = (naming?.accepted === true ? naming : accepted[0])?.json ?? callNaming(session, name, ours);
    const { credential } = BY_OTHER;
    const id = spelledForOther(session, name, ours);
    const spelled = id === ours ? '' : ', in capitals';
    const about = `the ${name} of this organization${spelled} with the credential of another`;
    const answer = await sendTo(session, CREATE, { json: { ...base, [name]: id }, credential, asks, about });
    const judge = ofAnotherOrganization((all) => throughOurs(answer.exchange, name, naming?.exchange, all));
    session.say(asks, answer, judge);
    const isSet = settingsPresent(builder.options).includes(OTHERS_ID[name]);
    if (naming === undefined && !isSet && accepted.length > 0)
      throw unset(`no ${name} of the other organization is set`, OTHERS_ID[name]);
  });
}

/** The same call with our own credential, for comparison: most runs have already had it accepted. */
function ownCallNaming(name: CallIdName): Sequence {
  const asks = [ask('ORG-CALL', name)];
  return sequence(CREATE, `the same call, ${name}`, { asks, needs: OTHER_ORG_TOKEN }, async (session) => {
    const json = callNaming(session, name, namedId(session, name));
    const isKnown = session.state.isAcceptedBody(CREATE, JSON.stringify(json)) !== undefined;
    if (!isKnown) await sendValid(session, CREATE, { json });
  });
}
