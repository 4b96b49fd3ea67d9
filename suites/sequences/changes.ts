/**
 * What changes do to records: the fields of the three updates alone, of the wrong type and null, changes that a read has to
 * show, and rejected ones between two looks at what they would change (sections 2 and 5).
 */

import { type Answer, noOccasion, Skipped, type SuiteRequest, unset } from '../../src/client/request.ts';
import { TRIALS } from '../../src/contract/limits.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { type Ask, type CredentialForm, PLAIN_REQUEST } from '../../src/exchange/exchange.ts';
import { nthForm } from '../../src/exchange/message.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import { demandNamed, type Independent, type Sequence, type Session } from '../../src/run/sequence.ts';
import { ask } from '../ask.ts';
import { AUTHENTICATION } from '../authentication.ts';
import { baseOf, encoded, fieldsOf, objectBase, schemaOf, siblingFor, typicalFields } from '../bodies.ts';

import { CREATE, HANG_UP, UPDATES, type Update } from '../operations.ts';
import { CALL_ALIASES } from '../spelled-ids.ts';
import { type CredentialWay, credentialWays, readAgain } from './credentials.ts';
import { independent, sendTo, sendValid, sequence, single } from './sending.ts';
import { restoreField } from './shown.ts';
import { claimsOf } from './violations.ts';

/** Values by field; a field that is absent is not to be written at all. */
type Values = Readonly<Record<string, JsonValue>>;

function shownBefore({ state }: Session, id: Update): Values {
  if (id === 'updateTrunk') return state.facts.trunk ?? {};
  return id === 'updateVoiceApplication' ? (state.facts.application ?? {}) : {};
}

/**
 * The current value, if a response showed it, so that writing it changes nothing; otherwise a typical value. A trunk's
 * status and direction are written only if getTrunk shows them.
 */
export function valuesFor(session: Session, id: Update): Values {
  const own = typicalFields(id, session);
  const accepted = Object(session.state.bases.get(id));
  // A value of an unexpected type is not written back; the name keeps the run's mark.
  const shown = Object.entries(shownBefore(session, id)).filter(
    ([field, value]) => typeof own[field] === typeof value && !(field === 'name' && field in accepted),
  );
  return { ...own, ...Object.fromEntries(shown), ...(id === 'setInboundAuth' ? accepted : {}) };
}

/** The value that may be written to a field; throws `Skipped` where there is none. */
function valueFor(values: Values, field: string): JsonValue {
  if (values[field] !== undefined) return values[field];
  if (field === 'caller_id') throw unset('no number to call from is set', 'PCS_CALL_FROM');
  throw noOccasion(`getTrunk does not show the ${field} of the trunk, so nothing is written to it`);
}

function fieldAlone(id: Update, field: string, at: number): Sequence {
  return single(id, `/${field} alone`, { asks: [ask('UPDATE-FIELD-ALONE', `/${field}`)] }, (session) => {
    const json = { [field]: valueFor(valuesFor(session, id), field) };
    return { json, about: `nothing but /${field}`, form: nthForm(at) };
  });
}

/** Valid bodies with a field: all that may be written together, then the accepted body with this field. */
function bodiesWith(session: Session, id: Update, values: Values, field: string): readonly JsonObject[] {
  const base = objectBase(session, id);
  return field === ''
    ? [base]
    : [
        { ...values, ...base },
        { ...base, [field]: valueFor(values, field) },
      ];
}

function invalid(id: Update, { label, pointer, kind }: Violation, asks: readonly Ask[]): Sequence {
  const field = pointer.slice(1);
  const request = async (session: Session): Promise<SuiteRequest> => {
    demandNamed(session, id);
    const values = valuesFor(session, id);
    const sibling = await siblingFor(session, id, pointer, bodiesWith(session, id, values, field));
    const typical = Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, value]));
    // Some readers take [] for {}. Where every member is required that fails anyway, so the list holds the values instead.
    const isListed = id === 'setInboundAuth' ? ({ isListed: true } as const) : {};
    const violation = violations(schemaOf(id), { typical, ...isListed }).find((one) => one.label === label);
    if (violation === undefined) throw new Error(`there is no violation "${label}"`);
    const variation = { body: encoded(violation.apply(sibling)), asks, about: label, sibling: JSON.stringify(sibling) };
    return session.builder.request(id, variation);
  };
  const note: Independent['note'] = async (session, answer, sent) => {
    session.compare(sent, answer, 'rejection');
    const isStored = answer.accepted && field !== '';
    if (isStored) await restoreField(session, id, field, valueFor(valuesFor(session, id), field));
  };
  const made = independent(id, `invalid: ${label}`, { asks, stimulus: `body ${kind}` }, { request, note });
  const { independent: _, ...alone } = made;
  // What a trunk accepts for its status and direction is restored before anything else is sent.
  return id === 'updateTrunk' ? alone : made;
}

/** The fields to send alone; a trunk's name is sent alone where its new value is read afterwards. */
function fieldsAlone(id: Update): readonly string[] {
  return fieldsOf(id).filter((field) => id !== 'updateTrunk' || field !== 'name');
}

/** Every field of the updates. */
export function updateFields(): readonly Sequence[] {
  return UPDATES.flatMap((id) => {
    const broken = violations(schemaOf(id)).flatMap((violation) => {
      const asks = claimsOf(id, violation, violation.label);
      return asks.length === 0 ? [] : [invalid(id, violation, asks)];
    });
    return [...fieldsAlone(id).map((field, at) => fieldAlone(id, field, at)), ...broken];
  });
}

const callOf = (session: Session): SuiteRequest =>
  session.builder.request(CREATE, { json: baseOf(session, CREATE), role: 'occasion' });

const placeCall = (session: Session): Promise<Answer | null> => session.sendIfAllowed(callOf(session));

/** The call that is open now, or another one: a target that rejects boundary values has none open at the end. */
async function callThatIsOpen(session: Session): Promise<string> {
  if (session.openCall() === null) await session.send(callOf(session));
  const call = await session.knownCall();
  if (call === null) throw noOccasion('no call was open any more');
  return call;
}

/**
 * Requests on an open call that must not end it, and our hang-up right behind them. A call may end by itself just then, so
 * the same follows on another one where the first was ended. A partial run places others first, if it has hung up fewer than
 * three: what comes of their hang-ups is what that of this one is compared with.
 */
async function onOpenCall(session: Session, asks: readonly Ask[], work: (call: string) => Promise<unknown>) {
  const isPartial = session.builder.options.only.length > 0;
  for (let number = session.hungUpCalls; isPartial && number < TRIALS.rule; number += 1) {
    await session.hangUp();
    await placeCall(session);
  }
  for (const isLast of [false, true]) {
    await work(await callThatIsOpen(session));
    const own = await session.hangUp({ asks, control: true, role: 'control', about: PLAIN_REQUEST });
    // Where a plain hang-up was rejected as well, another call would show nothing more.
    const isTelling = own !== null && !own.accepted && session.state.facts.isHangUpRejected !== true;
    if (isLast || !isTelling || (await placeCall(session)) === null) return;
  }
}

/** GET on the path of a hang-up, and then our hang-up, which finds the call open. */
export function hangUpByGet(): Sequence {
  const asks = [ask('METHOD-SAFE')];
  return sequence(HANG_UP, 'after GET', { asks }, (session) =>
    onOpenCall(session, asks, (call) => {
      const path = session.builder.path(HANG_UP, [call]);
      const get = session.builder.request(HANG_UP, { path, role: 'before', about: 'GET on the path of a hang-up' });
      return session.send({ ...get, operation: null, method: 'GET' });
    }),
  );
}

const FORMS_ON_A_CALL: readonly CredentialForm[] = ['none', 'wrong-secret'];

/** The invalid credentials that got what the valid one got. */
function undecided({ builder, state }: Session, id: OperationId): readonly CredentialWay[] {
  const seen = state.statuses.get(id);
  return credentialWays(builder, id).filter(({ form }) => seen?.valid.includes(seen.invalid.get(form) ?? 0) === true);
}

/**
 * What a call that has ended could not show: if a target answers 404 both to an invalid credential and to an ended call, that
 * form is tried on an open one; so are other spellings of the path, without a credential.
 */
async function tryUndecided(session: Session, id: 'answerCall' | 'hangUpCall', path: string): Promise<void> {
  const { state } = session;
  const isTriedAnyway = (form: CredentialForm): boolean => id === HANG_UP && FORMS_ON_A_CALL.includes(form);
  const ways = undecided(session, id).filter(({ form }) => !isTriedAnyway(form));
  for (const { form: credential, asks, about } of ways) await sendTo(session, id, { path, credential, asks, about });
  const open = Object.entries(CALL_ALIASES).filter(([alias]) => state.openAliases.has(`${id} ${alias}`));
  for (const [alias, pathOf] of open) {
    const about = `the path of an open call, ${alias}, without a credential`;
    const asks = [ask('AUTH-ALIAS', `none, ${alias}, of an open call`)];
    await sendTo(session, id, { path: pathOf(id, path), credential: 'none', asks, about });
  }
  if (open.length === 0 && ways.length === 0) return;
  if (id !== HANG_UP) await sendValid(session, id, { path });
  await readAgain(session, 'the valid credential after the invalid ones');
}

/** Hang-ups with one invalid credential that ask whether the call is still open behind them; `before` is tried first on the call. */
function rejectedHangUp(
  builder: RequestBuilder,
  form: CredentialForm,
  place: Partial<Sequence>,
  before: (session: Session, call: string) => Promise<void> = async () => undefined,
): Sequence {
  const ways = credentialWays(builder, HANG_UP).filter((way) => way.form === form);
  const asks = ways.map(() => ask('AUTH-CALL-UNCHANGED', form));
  const mayAsk = AUTHENTICATION.map(({ id }) => ask(id));
  return sequence(HANG_UP, `no effect: ${form}`, { asks, mayAsk, ...place }, (session) =>
    onOpenCall(session, [], async (call) => {
      await before(session, call);
      const path = builder.path(HANG_UP, [call]);
      for (const { about, asks: more } of ways)
        await sendTo(session, HANG_UP, {
          path,
          credential: form,
          asks: [...asks, ...more],
          about: `${about}, on an open call`,
        });
    }),
  );
}

/**
 * No credential on an open call, before the second organization places calls: a service hung up calls for everybody, and its
 * second organization could not hang up its call, so that no other was placed.
 */
export const anonymousHangUp = (builder: RequestBuilder): Sequence => rejectedHangUp(builder, 'none', {});

/** Another invalid credential, and what is undecided, on the last call: it may get through, or have its sender locked out. */
export function rejectedHangUps(builder: RequestBuilder): Sequence {
  const last = rejectedHangUp(builder, 'wrong-secret', { phase: 'hazards' }, async (session, call) => {
    await tryUndecided(session, 'answerCall', builder.path('answerCall', [call]));
    await tryUndecided(session, HANG_UP, builder.path(HANG_UP, [call]));
  });
  const run = async (session: Session): Promise<void> => {
    try {
      await last.run(session);
    } catch (error) {
      const isForCalls = error instanceof Skipped && error.skip.why === 'calls';
      // Another call would have decided these.
      const asks = isForCalls ? undecided(session, HANG_UP).flatMap((way) => way.asks) : [];
      if (isForCalls) session.settledAsks.push({ asks, ...error.skip });
      throw error;
    }
  };
  return { ...last, run };
}
