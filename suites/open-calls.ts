/** Requests on an open call that must not end it, each followed by our hang-up (section 5; RFC 9110, section 9.2.1). */

import { type Answer, noOccasion, type SuiteRequest } from '../src/client/request.ts';
import { TRIALS } from '../src/contract/limits.ts';
import type { OperationId } from '../src/contract/operations.ts';
import { settingOf } from '../src/exchange/credential-forms.ts';
import { type Ask, type CredentialForm, type Exchange, PLAIN_REQUEST } from '../src/exchange/exchange.ts';
import type { RequestBuilder } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import { answerPhrase, isAccepted, isRejected, isRetryable } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { rejectedAtAlias } from './aliases.ts';
import { ask } from './ask.ts';
import { baseOf } from './bodies.ts';
import { callInPath, leavesCallOpen } from './expect/ended-calls.ts';
import { CREATE, HANG_UP, isOneOf, NEVER_VALID } from './operations.ts';
import { hangUpAgain } from './sequences/calls.ts';
import { type CredentialWay, credentialWays, readAgain } from './sequences/credentials.ts';
import { sendTo, sendValid, sequence } from './sequences/sending.ts';
import { CALL_ALIASES } from './spelled-ids.ts';

const callRequest = (session: Session): SuiteRequest =>
  session.builder.request(CREATE, { json: baseOf(session, CREATE), role: 'occasion' });

/** The open call, or a new one: a target that rejects boundary values has no open call at the end. */
async function callThatIsOpen(session: Session): Promise<string> {
  if (session.openCall() === null) await session.send(callRequest(session));
  const call = await session.knownCall();
  if (call === null) throw noOccasion('no call was open any more');
  return call;
}

/** What is tried on an open call, and how it is judged: by the hang-up right after it, and by all of them. */
interface Trial {
  readonly send: (call: string) => Promise<readonly Answer[]>;
  readonly say: (sent: readonly Answer[], hangUp: Answer, all: readonly Exchange[]) => void;
}

/**
 * Tries something on an open call, followed by our hang-up. A call may end by itself just then, so another call is
 * tried if the first was ended. A partial run first places other calls, if it has hung up fewer than three, and hangs
 * one up again: the answers to those hang-ups are compared with the answer to this one.
 */
async function onOpenCall(session: Session, { send, say }: Trial): Promise<void> {
  const isPartial = session.builder.options.only.length > 0;
  for (let number = session.hungUpCalls; isPartial && number < TRIALS.rule; number += 1) {
    await session.hangUp();
    await session.sendIfAllowed(callRequest(session));
  }
  const { endedCall } = session.state.facts;
  if (isPartial && typeof endedCall === 'string') await hangUpAgain(session, endedCall);
  const all: Exchange[] = [];
  for (const isLast of [false, true]) {
    const sent = await send(await callThatIsOpen(session));
    const hangUp = await session.hangUp({ control: true, role: 'control', about: PLAIN_REQUEST });
    if (hangUp === null) return;
    all.push(hangUp.exchange);
    say(sent, hangUp, all);
    // If a plain hang-up was rejected as well, another call would show nothing more.
    const isTelling = !hangUp.accepted && session.state.facts.isHangUpRejected !== true;
    if (isLast || !isTelling || (await session.sendIfAllowed(callRequest(session))) === null) return;
  }
}

const ENDS_BY_ITSELF = 'calls of this target may end by themselves, or an ended call is hung up like an open one';

/** Frameworks route every method to a handler unless they are told which. */
const METHOD_SAFE = {
  id: 'METHOD-SAFE',
  level: 'should',
  section: 'RFC 9110, 9.2.1',
  statement: 'A GET on the path of a hang-up does not end the call.',
  operations: [HANG_UP],
  opportunistic: ENDS_BY_ITSELF,
  send: { sequences: () => [hangUpByGet()] },
} as const satisfies Requirement;

/** Whether the GET did not end the call, as our hang-up finds it. */
export function staysSafe(get: Exchange, exchange: Exchange, all: readonly Exchange[], evidence: Evidence): Opinion {
  if (isAccepted(get)) return leavesCallOpen(exchange, all, evidence);
  return isAccepted(exchange) ? PASS : none(answerPhrase(exchange));
}

/** GET on the path of a hang-up, and then our hang-up, which finds the call open. */
function hangUpByGet(): Sequence {
  const safe = ask('METHOD-SAFE');
  return sequence(HANG_UP, 'after GET', { asks: [safe] }, (session) =>
    onOpenCall(session, {
      send: async (call) => {
        const path = session.builder.path(HANG_UP, [call]);
        const get = session.builder.request(HANG_UP, { path, role: 'before', about: 'GET on the path of a hang-up' });
        return [await session.send({ ...get, operation: null, method: 'GET' })];
      },
      say: ([get], hangUp, all) => {
        if (get !== undefined)
          session.say(safe, hangUp, (evidence) => staysSafe(get.exchange, hangUp.exchange, all, evidence));
      },
    }),
  );
}

/** The question about an open call at another spelling, to hang it up or to answer it. */
const ofOpenCall = (alias: string, id: OperationId = HANG_UP): Ask =>
  ask('AUTH-ALIAS', `none, ${alias}, ${id === HANG_UP ? 'of an open call' : 'of an open call that is answered'}`);

/**
 * What an ended call cannot show: if a target answers 404 to an invalid credential and to an ended call, that form is
 * tried on an open call; so are other spellings of the path, without a credential.
 */
async function tryUndecided(session: Session, id: 'answerCall' | 'hangUpCall', path: string): Promise<void> {
  const { builder, state } = session;
  const seen = state.statuses.get(id);
  // The invalid credentials with the same answer as the valid one, except those tried on a call anyway.
  const isUndecided = ({ form }: CredentialWay): boolean =>
    seen?.valid.includes(seen.invalid.get(form) ?? 0) === true && !(id === HANG_UP && isOneOf(NEVER_VALID, form));
  const ways = credentialWays(builder, id).filter(isUndecided);
  for (const { form: credential, asks, about } of ways) await sendTo(session, id, { path, credential, asks, about });
  const open = Object.entries(CALL_ALIASES).flatMap(([alias, pathOf]) => {
    const found = state.openAliases.get(`${id} ${alias}`);
    return found === undefined ? [] : [{ alias, pathOf, found }];
  });
  for (const { alias, pathOf, found } of open) {
    const about = `the path of an open call, ${alias}, without a credential`;
    const answer = await sendTo(session, id, { path: pathOf(id, path), credential: 'none', about });
    session.say(ofOpenCall(alias, id), answer, (evidence) => {
      const last = evidence.controls(id).findLast((control) => callInPath(control) === callInPath(answer.exchange));
      return rejectedAtAlias(answer.exchange, found.served, evidence, last);
    });
    found.isTried = true;
  }
  if (open.length === 0 && ways.length === 0) return;
  if (id !== HANG_UP) await sendValid(session, id, { path });
  await readAgain(session, 'the valid credential after the invalid ones');
}

/** Asked by `anonymousHangUp`, and late by `rejectedHangUps`. */
const AUTH_CALL_UNCHANGED = {
  id: 'AUTH-CALL-UNCHANGED',
  level: 'must',
  section: '5',
  statement: 'A hang-up that is rejected for its credential does not end the call.',
  operations: [HANG_UP],
  opportunistic: ENDS_BY_ITSELF,
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET', 'ORG-ISOLATION'],
} as const satisfies Requirement;

/** Whether a rejected hang-up left the call open, as our hang-up shows. */
export function callUnchanged(
  rejected: Exchange,
  exchange: Exchange,
  all: readonly Exchange[],
  evidence: Evidence,
): Opinion {
  if (!isRejected(rejected) || isRetryable(rejected)) return none(answerPhrase(rejected));
  const isHungUp = (exchange: Exchange): boolean =>
    exchange.tag.operation === HANG_UP && callInPath(exchange) === callInPath(rejected) && isAccepted(exchange);
  const isOver = evidence.exchanges.some((earlier) => earlier.seq < exchange.seq && isHungUp(earlier));
  return isOver ? none('another hang-up of the call was accepted') : leavesCallOpen(exchange, all, evidence);
}

/** Hang-ups with an invalid credential, after which the call has to be open; `before` first tries what is undecided. */
function rejectedHangUp(
  builder: RequestBuilder,
  form: CredentialForm,
  place: Partial<Sequence>,
  undecided: readonly Ask[] = [],
  before: (session: Session, call: string) => Promise<void> = async () => undefined,
): Sequence {
  const ways = credentialWays(builder, HANG_UP).filter((way) => way.form === form);
  const unchanged = ask('AUTH-CALL-UNCHANGED', form);
  const asks = [...(ways.length === 0 ? [] : [unchanged]), ...ways.flatMap((way) => way.asks), ...undecided];
  return sequence(HANG_UP, `no effect: ${form}`, { asks, ...place }, (session) =>
    onOpenCall(session, {
      send: async (call) => {
        await before(session, call);
        const path = builder.path(HANG_UP, [call]);
        const answers: Answer[] = [];
        for (const { about, asks } of ways) {
          const tried = { path, credential: form, asks, about: `${about}, on an open call` };
          const answer = await sendTo(session, HANG_UP, tried);
          session.state.noteStatus(HANG_UP, form, answer.status);
          answers.push(answer);
        }
        return answers;
      },
      say: (sent, hangUp, all) => {
        for (const answer of sent)
          session.say(unchanged, answer, (evidence) => callUnchanged(answer.exchange, hangUp.exchange, all, evidence));
      },
    }),
  );
}

/**
 * No credential on an open call, before the second organization places calls: a service hung up calls for everyone, but
 * its second organization could not hang up its own call, so no further call was placed.
 */
export const anonymousHangUp = (builder: RequestBuilder): Sequence => rejectedHangUp(builder, 'none', {});

/** Another invalid credential, and undecided forms, on the last call: it may get through, or cause a lock-out. */
export function rejectedHangUps(builder: RequestBuilder): Sequence {
  const ways = credentialWays(builder, HANG_UP).filter(({ form }) => settingOf(form) === undefined);
  const aliases = Object.keys(CALL_ALIASES).map((alias) => ofOpenCall(alias));
  const otherwise = { reason: 'the other spelling of the path is not served', asks: aliases };
  const place = { phase: 'hazards', otherwise } as const;
  const undecided = [...ways.flatMap(({ asks }) => asks), ...aliases];
  return rejectedHangUp(builder, 'wrong-secret', place, undecided, async (session, call) => {
    await tryUndecided(session, 'answerCall', builder.path('answerCall', [call]));
    await tryUndecided(session, HANG_UP, builder.path(HANG_UP, [call]));
  });
}

export const OPEN_CALLS = [AUTH_CALL_UNCHANGED, METHOD_SAFE] as const;
