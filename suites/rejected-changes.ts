/**
 * A rejected change has no effect on a record, whatever it was rejected for, as a read right after it shows (section 5;
 * RFC 9110, section 15.5).
 */

import type { Answer } from '../src/client/request.ts';
import { type CredentialForm, describedIn, type Exchange } from '../src/exchange/exchange.ts';
import { isJsonObject, type JsonObject } from '../src/generate/json.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import { answerPhrase, isAccepted, isOfOthers, isRejected, isRetryable, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, none, type Opinion } from '../src/verdict/opinion.ts';
import type { Judge } from '../src/verdict/record.ts';
import { ask } from './ask.ts';
import { objectBase, typicalFields } from './bodies.ts';
import { isSurelyRevoked, ofAnotherOrganization } from './expect/configured-credentials.ts';
import { foundAccess } from './expect/rejection.ts';
import { earlierNames, nameIn, shownName, showsNameOf, unchanged, writtenName } from './expect/shown.ts';
import { APPLICATION, isOneOf, NEVER_VALID, OTHERS_CREDENTIAL, TRUNK } from './operations.ts';
import { needsOf } from './sequences/credentials.ts';
import { amongCredentials, onNamed, sendTo } from './sequences/sending.ts';
import { readRecord, readTrunkLate, restoreField, type Shown, shownState, trunkBefore } from './sequences/shown.ts';

const HIDDEN = 'the response to getTrunk does not show the name of the trunk, so an effect would be invisible';
const OF_CREDENTIALS = { level: 'must', section: '5' } as const;

/** The trunk shows a name that it should not have. */
const foundName = (actual: string): Opinion => found('/name of the trunk', 'the previous name', actual);

type Forms = readonly CredentialForm[];

/**
 * The body with the most members: a service may skip the check of the owner if certain members are written. A trunk's
 * members keep their values.
 */
function fullestBody(session: Session, id: Shown): JsonObject {
  const bodies = id === TRUNK ? [typicalFields(id, session)] : session.state.acceptedBodies(id).filter(isJsonObject);
  const size = (body: JsonObject): number => Object.keys(body).length;
  return bodies.reduce((best, body) => (size(body) > size(best) ? body : best), objectBase(session, id));
}

/** A change of the name with each of these credentials; `says` takes each answer. */
const changeWith = (session: Session, forms: Forms, id: Shown, says: (answer: Answer) => void) => {
  const base = forms.includes(OTHERS_CREDENTIAL) ? fullestBody(session, id) : objectBase(session, id);
  const json = { ...base, name: `${session.builder.mark} refused` };
  const requests = forms.map((credential) => {
    const about = `a change with the credential ${credential}`;
    return session.builder.request(id, { json, credential, role: 'change', about, says });
  });
  return session.together(requests);
};

/** The changes whose effect a read shows: a finding is known by what was sent, not by the read. */
const changesAs = (forms: Forms): string => forms.map((form) => `a change with the credential ${form}`).join(' and ');

/** Credentials whose changes have to be rejected, each alone except for those that can be sent together. */
const TRIED = {
  'invalid credentials': NEVER_VALID,
  'revoked credential': ['revoked'],
  'other organization': [OTHERS_CREDENTIAL],
} as const satisfies Readonly<Record<string, Forms>>;

/** A change that was rejected for its credential. */
const AUTH_NO_EFFECT = {
  ...OF_CREDENTIALS,
  id: 'AUTH-NO-EFFECT',
  statement: 'A request rejected for its credential has no effect.',
  operations: [TRUNK],
  opportunistic: HIDDEN,
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET', 'AUTH-REVOKED'],
  send: {
    sequences: () => [
      rejectedChange('AUTH-NO-EFFECT', 'invalid credentials'),
      rejectedChange('AUTH-NO-EFFECT', 'revoked credential'),
    ],
  },
} as const satisfies Requirement;

/** A change of another organization. */
const ORG_NO_EFFECT = {
  ...OF_CREDENTIALS,
  id: 'ORG-NO-EFFECT',
  statement: "A change with another organization's credential has no effect.",
  operations: [TRUNK],
  needs: 'PCS_OTHER_ORG_ACCESS_TOKEN',
  opportunistic: HIDDEN,
  explainedBy: ['AUTH-NO-EFFECT', 'ORG-ISOLATION'],
  send: { sequences: () => [rejectedChange('ORG-NO-EFFECT', 'other organization')] },
} as const satisfies Requirement;

/** Whether the change was accepted although no wrong setting makes its credential valid. */
const isAccess = (change: Exchange, evidence: Evidence): boolean =>
  isAccepted(change) && (isOneOf(NEVER_VALID, change.request.credential) || isSurelyRevoked(change, evidence));

/**
 * Judges a change: by its acceptance, or by the read after it. A target that rejects a made-up id for the other
 * organization looks ids up.
 */
export function changeSays(
  change: Exchange,
  effect: Opinion,
  madeUp: Exchange | undefined,
  evidence: Evidence,
): Opinion {
  const looksUp = madeUp !== undefined && isRejected(madeUp) && !isRetryable(madeUp);
  const isOthers = isAccepted(change) && isOfOthers(change) && looksUp;
  if (isAccess(change, evidence) || isOthers) return foundAccess(change);
  // The finding belongs to the read that shows the effect.
  return effect.kind === 'finding' ? none('the read after the change shows its effect') : effect;
}

/** An answer that may show the record after the changes: a read or, without one, the answer to another update. */
async function lookAfter(session: Session, id: Shown, forms: Forms): Promise<Answer> {
  if (id === TRUNK) return readTrunkLate(session, `the trunk after ${changesAs(forms)}`);
  const look = { role: 'after', about: `the voice application after ${changesAs(forms)}` } as const;
  const read = await readRecord(session, APPLICATION, look);
  return read ?? sendTo(session, APPLICATION, { ...look, json: { ring_timeout_seconds: 30 } });
}

/** A read before, changes of the name that have to be rejected, and a read after; only the trunk has a read before. */
function rejectedChange(
  id: 'AUTH-NO-EFFECT' | 'ORG-NO-EFFECT' | 'AUTH-APPLICATION-UNCHANGED',
  label: keyof typeof TRIED,
): Sequence {
  const forms: Forms = TRIED[label];
  const record = id === 'AUTH-APPLICATION-UNCHANGED' ? APPLICATION : TRUNK;
  const place = { ...(id === 'ORG-NO-EFFECT' ? {} : amongCredentials(record)), ...needsOf(...forms) };
  const after = record === TRUNK ? forms.map((form) => ask(id, `after ${form}`)) : [ask(id, `after: ${label}`)];
  const judged = forms.includes(OTHERS_CREDENTIAL) ? ofAnotherOrganization : (judge: Judge): Judge => judge;
  const asks = [...forms.map((form) => ask(id, form)), ...after];
  return onNamed(record, `no effect: ${label}`, { asks, ...place }, async (session) => {
    const before = record === TRUNK ? await trunkBefore(session) : null;
    const madeUp = record === TRUNK ? session.state.besideOther.get(TRUNK)?.madeUp : undefined;
    const changes: Exchange[] = [];
    let reading: Exchange | undefined;
    const effect = (evidence: Evidence): Opinion => {
      if (reading === undefined) return none('nothing was read after the change');
      if (before === null) return applicationEffect(changes, reading, evidence);
      return effectOf(before, changes, reading, evidence);
    };
    await changeWith(session, forms, record, (answer) => {
      const { exchange } = answer;
      changes.push(exchange);
      const says = judged((evidence) => changeSays(exchange, effect(evidence), madeUp, evidence));
      session.say(ask(id, exchange.request.credential), answer, says);
    });
    const read = await lookAfter(session, record, forms);
    reading = read.exchange;
    session.say(after, read, judged(effect));
  });
}

/** A change of a voice application that was rejected for its credential. */
const AUTH_APPLICATION_UNCHANGED = {
  ...OF_CREDENTIALS,
  id: 'AUTH-APPLICATION-UNCHANGED',
  statement: 'An update of a voice application that its credential does not allow has no effect.',
  operations: [APPLICATION],
  opportunistic: 'no response shows the name of the voice application, so an effect would be invisible',
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET', 'ORG-ISOLATION'],
  send: {
    sequences: () => [
      rejectedChange('AUTH-APPLICATION-UNCHANGED', 'invalid credentials'),
      rejectedChange('AUTH-APPLICATION-UNCHANGED', 'other organization'),
    ],
  },
} as const satisfies Requirement;

/** Compares the read after rejected changes of the name with the one before. */
export function effectOf(
  before: Exchange,
  changes: readonly Exchange[],
  reading: Exchange,
  evidence: Evidence,
): Opinion {
  const unread = [before, reading].find((exchange) => !isAccepted(exchange));
  if (unread !== undefined) return none(`${answerPhrase(unread)} to ${describedIn(unread.tag)}`);
  const [was, shown] = [shownName(before), shownName(reading)];
  if (was === undefined || shown === undefined) return none('the trunk does not show its name');
  const isRejectedName = changes.some((change) => writtenName(change) === shown);
  // An accepted change explains the new name. For another organization, a 2xx may have no effect: the name shows more.
  const isPolite = changes.every(isOfOthers) && isRejectedName;
  if (!changes.every(isRejected) && !isPolite) return none('a change with an invalid credential was not rejected');
  if (was === shown) return unchanged(reading, changes.at(-1) ?? reading, evidence);
  if (!isRejectedName && earlierNames(changes, evidence).has(shown))
    return none('the trunk shows a name that it had before');
  return foundName(isRejectedName ? 'the name that was written' : 'another name');
}

/** What an answer that may show the voice application says of the changes before it. */
export function applicationEffect(changes: readonly Exchange[], reading: Exchange, evidence: Evidence): Opinion {
  const [first] = changes;
  const isShown = first !== undefined && showsNameOf(reading, first);
  // As for a trunk: a 2xx to another organization may have no effect, unless the name shows more.
  if (first === undefined || !(changes.every(isRejected) || (isShown && changes.every(isOfOthers))))
    return none('a change with an invalid credential was not rejected');
  if (typeof nameIn(reading) !== 'string') return none('the response does not show the name of the voice application');
  if (!isShown) return unchanged(reading, changes.at(-1) ?? first, evidence);
  return found('/name of the voice application', 'the previous name', 'the name that was written');
}

/**
 * What a read in a walk shows about the changes before it. Each change of a walk writes its own name, so a read with
 * the name of a rejected change shows its effect, whatever came between.
 */
export function showsRejected(
  reading: Exchange,
  changes: readonly Exchange[],
  isMeant: (change: Exchange) => boolean,
): Opinion {
  const shown = shownName(reading);
  const written = changes.filter((change) => writtenName(change) === shown);
  const isRejectedName = shown !== undefined && written.every(isRejected) && written.some(isMeant);
  return isRejectedName
    ? foundName('the rejected name')
    : none('the trunk does not show the name of a rejected change');
}

/** An update that was rejected for its content. */
const UPDATE_REJECTED_NO_EFFECT = {
  id: 'UPDATE-REJECTED-NO-EFFECT',
  level: 'should',
  section: 'RFC 9110, 15.5',
  statement: 'An update that is rejected with 400 or 422 changes nothing.',
  operations: [TRUNK],
  opportunistic: 'no update of a trunk that shows its name was rejected with 400 or 422',
  send: { sequences: () => [updateToReject()] },
} as const satisfies Requirement;

/** Whether the read after an update that was rejected as invalid does not show what it wrote. */
export function leftUnwritten(change: Exchange, reading: Exchange, evidence: Evidence): Opinion {
  if (![400, 422].includes(statusOf(change) ?? 0)) return none('the update was not rejected with 400 or 422');
  const after = shownName(reading);
  if (after === undefined) return none('the trunk does not show its name');
  const isShown = after === writtenName(change) || showsNameOf(reading, change);
  return isShown ? foundName('the rejected name') : unchanged(reading, change, evidence);
}

/** An update that the target has to reject, with a name that no other update writes, and a read after it. */
function updateToReject(): Sequence {
  const noEffect = ask('UPDATE-REJECTED-NO-EFFECT');
  return onNamed(TRUNK, 'rejected update', { asks: [noEffect] }, async (session) => {
    const [field, value] = shownState(session);
    const json = { ...objectBase(session, TRUNK), name: `${session.builder.mark} rejected`, [field]: [value] };
    const about = `another name, and a ${field} that is an array`;
    const change = await sendTo(session, TRUNK, { json, role: 'change', about });
    if (change.accepted) await restoreField(session, TRUNK, field, value);
    const reading = await readTrunkLate(session, `the trunk after an update to ${about}`);
    session.say(noEffect, reading, (evidence) => leftUnwritten(change.exchange, reading.exchange, evidence));
  });
}

export const REJECTED_CHANGES = [
  AUTH_NO_EFFECT,
  AUTH_APPLICATION_UNCHANGED,
  ORG_NO_EFFECT,
  UPDATE_REJECTED_NO_EFFECT,
] as const;
