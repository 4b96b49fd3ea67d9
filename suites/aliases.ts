/** Other spellings of a path, and HEAD: if served, they need the credential as the documented path does (section 5). */

import { type Answer, noOccasion, type SuiteRequest } from '../src/client/request.ts';
import { OPERATION_IDS, type OperationId, otherSlashForm } from '../src/contract/operations.ts';
import { plainPath } from '../src/contract/path-text.ts';
import type { Ask, CredentialForm, Exchange } from '../src/exchange/exchange.ts';
import { type RequestBuilder, UNKNOWN_ROUTE, type Variation } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import { demandNamed, type Sequence, type Session } from '../src/run/sequence.ts';
import { answerPhrase, isAccepted, isRedirect, isRejected, isRetryable, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, inconclusive, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { ask } from './ask.ts';
import { baseOf } from './bodies.ts';
import { discloses, fromStatus, isAsAnyRoute, REJECTION, unknownRoutesLike } from './expect/rejection.ts';
import { remedyForOperation } from './expect/remedy.ts';
import {
  ASSIGN,
  CREATE,
  EVERY_OPERATION,
  HANG_UP,
  isOneOf,
  LISTS,
  NEVER_VALID,
  ON_CALLS,
  OWNED,
  READS,
  WITH_ID,
} from './operations.ts';
import { hasOther, tryHead, trySpelled } from './organizations.ts';
import { isAcceptedAsAny } from './sequences/controls.ts';
import { harmless, validRequest } from './sequences/credentials.ts';
import { amongCredentials, independent, sendTo } from './sequences/sending.ts';
import { aloneOf, ID_SPELLINGS, type NamedSpelling, type Spelled, type Spelling, spelledPath } from './spelled-ids.ts';

/** One piece of code reads how a path begins: the lists test the version, and a read of each collection its name. */
const OF_COLLECTIONS: readonly OperationId[] = READS.filter((id) => !isOneOf(LISTS, id));

/**
 * Other spellings of a read's path, by the part that changes, and the reads that test them; the end of a path follows
 * an id or a slash. Each changes one thing: a target that served `/V1/trunks/` to everyone rejected `/V1/TRUNKS/`.
 */
export const PATH_SPELLINGS = {
  'with the collection in capital letters': [
    OF_COLLECTIONS,
    (path: string) => path.replace(/^\/v1\/[a-z-]+/, (start) => `/v1${start.slice(3).toUpperCase()}`),
  ],
  'with an encoded letter': [
    OF_COLLECTIONS,
    (path: string) => path.replace(/^\/v1\/([a-z])/, (_, letter) => `/v1/%${letter.charCodeAt(0).toString(16)}`),
  ],
  'with a path parameter': [['getTrunk', 'listTrunks'], (path: string) => path.replace(/(?=\?|$)/, ';a.js')],
  'with a format': [
    ['searchAvailableNumbers', 'getTrunk', 'listTrunks'],
    (path: string) => path.replace(/\/?(?=\?|$)/, '.json'),
  ],
  'with the version in capital letters': [LISTS, (path: string) => path.replace(/^\/v1\//, '/V1/')],
  'with two slashes in front': [LISTS, (path: string) => path.replace(/^\/v1\//, '//v1/')],
  'with an encoded version': [LISTS, (path: string) => path.replace(/^\/v1\//, '/%761/')],
} as const satisfies Readonly<Record<string, readonly [readonly OperationId[], (path: string) => string]>>;

/** Names of these spellings. */
export type PathSpelling = keyof typeof PATH_SPELLINGS;

/** The answers to the valid credential at another spelling, and at the documented path if that was requested for it. */
export interface Served {
  readonly valid: Exchange;
  readonly documented?: Exchange;
}

/**
 * Served: the valid credential is accepted there, or gets the same status as at the documented path; and an unknown
 * route gets another answer. A list that answered 404 with its slash was open to everyone without it.
 */
function isServed({ valid, documented }: Served, evidence: Evidence): boolean {
  const status = statusOf(valid);
  if (status === null || status === 404 || status === 405 || isRedirect(valid)) return false;
  if (unknownRoutesLike(valid, evidence).length === 0 || isAsAnyRoute(valid, evidence)) return false;
  if (documented !== undefined) return statusOf(documented) === status;
  if (isAccepted(valid)) return true;
  const isSame = (control: Exchange): boolean =>
    plainPath(control.request.path) === plainPath(valid.request.path) && statusOf(control) === status;
  return evidence.controls(valid.tag.operation).some(isSame);
}

/** Asked only if the target serves the other spelling. */
const AUTH_ALIAS = {
  id: 'AUTH-ALIAS',
  level: 'must',
  section: '5',
  statement:
    'If another spelling of a documented path (slash, letter case, %, suffix) is also served, it needs the credential.',
  operations: EVERY_OPERATION,
  reading: 'R12',
  opportunistic: 'no other spelling of the path is served',
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
} as const satisfies Requirement;

/**
 * The answer to an invalid credential at a served spelling. On an open call the valid credential comes last, since it
 * ends the call; `last` is its answer.
 */
export function rejectedAtAlias(exchange: Exchange, served: Served, evidence: Evidence, last = served.valid): Opinion {
  if (!isServed(served, evidence)) return none('the other spelling of the path is not served');
  const isAccess = isAccepted(exchange) && !isAsAnyRoute(exchange, evidence);
  const telling = isRetryable(exchange) || isAccess ? fromStatus(exchange) : null;
  if (telling !== null) return telling;
  const shown = isRejected(exchange) ? discloses(exchange, evidence) : null;
  if (shown !== null) return shown;
  if (statusOf(exchange) !== statusOf(last)) return PASS;
  return none(`the valid credential got ${answerPhrase(exchange)} too`);
}

/**
 * Evidence that the path is served: the valid credential is accepted there, or gets the same as at the documented path;
 * otherwise `null`. If a target accepts any route, accepting this one proves nothing, and a create call there might
 * dial. A route that is not served gets 404 or 405, whatever the documented path gets.
 */
async function servedAt(session: Session, id: OperationId, valid: Answer): Promise<Served | null> {
  // The invalid credentials were already tried on the documented path; create call gets the same invalid body.
  const known = session.state.statuses.get(id)?.valid ?? [];
  const documented =
    known.length > 0 ? null : await sendTo(session, id, { ...harmless(session, id), role: 'compared' });
  if (await isAcceptedAsAny(session, valid)) return null;
  const { status } = valid;
  const statuses = documented === null ? known : [documented.status];
  const isKnown = status !== null && ![404, 405].includes(status) && statuses.includes(status);
  if (!isKnown && (documented !== null || !valid.accepted)) return null;
  return { valid: valid.exchange, ...(documented && { documented: documented.exchange }) };
}

/** The same request with an invalid credential, which has to be rejected; notes a spelling that is open to all. */
async function tryInvalid(
  session: Session,
  id: OperationId,
  served: Served,
  { path, credential, spelling, about, alias }: InvalidAtAlias,
): Promise<Answer> {
  const answer = await sendTo(session, id, { ...validRequest(session, id), path, credential, about });
  const isOpen = alias !== undefined && answer.status === statusOf(served.valid);
  const open = { served, isTried: false };
  if (isOpen) session.state.openAliases.set(`${id} ${alias}`, open);
  session.say(atSpelling(credential, spelling), answer, (evidence) => {
    const opinion = rejectedAtAlias(answer.exchange, served, evidence);
    const isTold = opinion.kind !== 'none' || !isServed(served, evidence) || open.isTried;
    if (isTold || !isOpen || id !== HANG_UP) return opinion;
    const reason = `${opinion.reason}, and no call was open to tell them apart`;
    return inconclusive(reason, remedyForOperation(CREATE, evidence));
  });
  return answer;
}

/** A request with an invalid credential at another spelling; `alias` is what `openAliases` calls the spelling. */
interface InvalidAtAlias {
  readonly path: string;
  readonly credential: CredentialForm;
  readonly spelling: string;
  readonly about: string;
  readonly alias?: string | undefined;
}

/** What an invalid credential asks at a spelling. */
const atSpelling = (credential: CredentialForm, spelling: string): Ask =>
  ask('AUTH-ALIAS', `${credential}, ${spelling}`);

const SLASH = 'in the other slash form';

/**
 * What the other organization asks at other spellings of a path: they are evidence if the path has an id of ours, or is
 * another route to a list.
 */
function asksOfOther(id: OperationId, spellings: readonly string[]): readonly Ask[] {
  const isOfId = [OWNED, WITH_ID].every((ids) => isOneOf(ids, id)) && !isOneOf(ON_CALLS, id);
  const telling = spellings.filter((about) => isOfId || (isOneOf(LISTS, id) && about === SLASH));
  return telling.map((about) => ask('ORG-ISOLATION', about));
}

/** Whether another organization asks about that spelling. */
const isForOther = (builder: RequestBuilder, id: OperationId, about: string): boolean =>
  hasOther(builder) && asksOfOther(id, [about]).length > 0;

/** Placed among the credentials: what they ask at a spelling, and the other organization at these, if it is served. */
const whereServed = (
  id: OperationId,
  forms: readonly CredentialForm[],
  spelling: string,
  ofOther: readonly string[],
) => ({
  ...amongCredentials(id),
  asks: [...forms.map((form) => atSpelling(form, spelling)), ...asksOfOther(id, ofOther)],
  otherwise: { reason: 'the other spelling of the path is not served' },
});

/** The other slash form of a path; a create call there has the documented path beside it. */
export function otherSlash(builder: RequestBuilder, id: OperationId): Sequence {
  const aliasOf = (session: Session): Variation & { readonly path: string } => {
    const request = harmless(session, id);
    return { ...request, path: otherSlashForm(request.path ?? builder.path(id)) };
  };
  const note = async (session: Session, valid: Answer): Promise<void> => {
    const { path } = aliasOf(session);
    const served = await servedAt(session, id, valid);
    if (served === null) return;
    for (const credential of NEVER_VALID) {
      const about = 'the other slash form of the path with an invalid credential';
      const invalid = { path, credential, spelling: SLASH, about, alias: 'other slash form' };
      const answer = await tryInvalid(session, id, served, invalid);
      if (answer.accepted && id === CREATE) await session.hangUp();
    }
    if (isForOther(builder, id, SLASH)) await trySpelled(session, id, SLASH, path, valid.exchange);
  };
  const request = (session: Session) => builder.request(id, { ...aliasOf(session), role: 'compared' });
  return independent(id, 'other slash form', whereServed(id, NEVER_VALID, SLASH, [SLASH]), { request, note });
}

/** One spelling of the path of a read: with the valid credential first, and with others only where that is accepted. */
function otherSpelling(builder: RequestBuilder, id: OperationId, spelling: PathSpelling): Sequence {
  const [, spell] = PATH_SPELLINGS[spelling];
  const pathOf = (): string => spell(builder.path(id));
  const about = `the path ${spelling}`;
  return independent(id, `path ${spelling}`, whereServed(id, NEVER_VALID, spelling, []), {
    request: () => builder.request(id, { path: pathOf(), role: 'compared', about }),
    note: async (session, answer) => {
      const [path, valid] = [pathOf(), answer.exchange];
      // If a target accepts any route, accepting this one proves nothing.
      if (!answer.accepted || (await isAcceptedAsAny(session, answer))) return;
      const invalid = { path, spelling, about: `${about}, with an invalid credential` };
      for (const credential of NEVER_VALID) await tryInvalid(session, id, { valid }, { ...invalid, credential });
    },
  });
}

/** Only our ids are written to in another spelling: without PCS_NUMBER_ID the safety kernel stopped a run. */
function demandOurs(session: Session, id: OperationId): void {
  const { builder, state } = session;
  const isOnCall = isOneOf(ON_CALLS, id);
  if (!isOnCall) demandNamed(session, id);
  if (id === ASSIGN) baseOf(session, id);
  const call = state.facts.endedCall ?? builder.options.ringingCallId;
  if (isOnCall && call === undefined) throw noOccasion('no call of this run has ended');
}

/** A spelling of the ids of an operation: with the valid credential first, with others only if that is served. */
function spelledId(builder: RequestBuilder, id: OperationId, spelled: Spelled): Sequence {
  const documentedPath = (session: Session): string => validRequest(session, id).path ?? builder.path(id);
  const pathOf = (session: Session, of: Spelling): string => spelledPath(id, documentedPath(session), of);
  const valid = (session: Session, { about, of }: NamedSpelling): SuiteRequest => {
    const spelling = { path: pathOf(session, of), role: 'compared', about: `the path ${about}` } as const;
    return builder.request(id, { ...validRequest(session, id), ...spelling });
  };
  const withoutCredential = (
    session: Session,
    { about: spelling, of }: NamedSpelling,
    served: Served,
    alias?: string,
  ) => {
    const invalid = { path: pathOf(session, of), credential: 'none', spelling, alias } as const;
    return tryInvalid(session, id, served, { ...invalid, about: `the path ${spelling}, without a credential` });
  };
  /**
   * `parts` are sent alone if all of them together let a caller in, and for reads by the other organization in any
   * case: a service that recognized the owner of an id only in lower case let the other one in with an encoded letter,
   * but not with capitals as well.
   */
  const tryOthers = async (session: Session, whole: NamedSpelling, parts: Spelled['parts'], served: Served) => {
    const asOther = ({ about, of }: NamedSpelling) => trySpelled(session, id, about, pathOf(session, of), served.valid);
    const isAlone = isOneOf(READS, id) && parts.length > 1;
    if (isForOther(builder, id, whole.about) && (isAlone || ((await asOther(whole)) && parts.length > 1))) {
      for (const part of parts) await asOther(part);
    }
    const { accepted } = await withoutCredential(session, whole, served, whole.about);
    if (accepted && parts.length > 1) for (const part of parts) await withoutCredential(session, part, served);
  };
  const ofOther = isOneOf(READS, id) ? aloneOf(spelled) : [spelled];
  const abouts = ofOther.map(({ about }) => about);
  return independent(id, `path ${spelled.about}`, whereServed(id, ['none'], spelled.about, abouts), {
    request: (session) => {
      demandOurs(session, id);
      return valid(session, spelled);
    },
    note: async (session, answer) => {
      const path = documentedPath(session);
      const isSpelled = ({ of }: NamedSpelling): boolean => spelledPath(id, path, of) !== path;
      const parts = aloneOf(spelled).filter(isSpelled);
      const served = await servedAt(session, id, answer);
      if (served !== null) return tryOthers(session, spelled, parts, served);
      if (parts.length < 2) return;
      for (const part of parts) {
        const servedAlone = await servedAt(session, id, await session.send(valid(session, part)));
        if (servedAlone !== null) await tryOthers(session, part, [part], servedAlone);
      }
    },
  });
}

/** HEAD asks for what GET shows. */
const AUTH_HEAD = {
  id: 'AUTH-HEAD',
  level: 'should',
  section: 'RFC 9110, 9.3.2',
  statement: 'HEAD of a documented read needs the credential, as GET does.',
  operations: READS,
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
} as const satisfies Requirement;

/** Whether HEAD without a credential is rejected; `unknown` is the answer to HEAD of an undocumented route. */
export function headRejected(head: Exchange, unknown: Exchange | undefined, evidence: Evidence): Opinion {
  if (isRejected(head)) return PASS;
  if (!isAccepted(head)) return none(`${answerPhrase(head)} to HEAD`);
  if (unknown !== undefined && isAccepted(unknown)) return none('HEAD of an undocumented route is accepted, too');
  if (!evidence.hasAcceptedControl(head.tag.operation)) return none('GET was not accepted');
  return found('the status of HEAD', REJECTION, answerPhrase(head));
}

/** HEAD without a credential, and of a record with another organization's: it requests what GET shows. */
function head(builder: RequestBuilder, id: OperationId): Sequence {
  const rejected = ask('AUTH-HEAD');
  const withHead = (path: string, more: Variation): SuiteRequest => ({
    ...builder.request(id, { path, credential: 'none', ...more }),
    method: 'HEAD',
  });
  const asks = [rejected, ...asksOfOther(id, ['HEAD'])];
  const place = { asks, otherwise: { reason: 'HEAD was rejected' }, ...amongCredentials(id) };
  return independent(id, 'HEAD', place, {
    request: () => withHead(builder.path(id), { about: 'HEAD without a credential' }),
    note: async (session, answer) => {
      let unknown: Exchange | undefined;
      session.say(rejected, answer, (evidence) => headRejected(answer.exchange, unknown, evidence));
      const elsewhere = { role: 'unknown-route', about: 'HEAD of an undocumented route' } as const;
      if (answer.accepted) unknown = (await session.send(withHead(UNKNOWN_ROUTE, elsewhere))).exchange;
      if (isForOther(builder, id, 'HEAD')) await tryHead(session, id);
    },
  });
}

export const ALIASES = [AUTH_ALIAS, AUTH_HEAD] as const;

/** The other slash forms of all paths, and other spellings of ids and reads; the read-only profile tests only reads. */
export function aliases(builder: RequestBuilder): readonly Sequence[] {
  const ids = builder.options.profile === 'full' ? OPERATION_IDS : READS;
  const labels = Object.keys(PATH_SPELLINGS) as PathSpelling[];
  return [
    ...ids.filter((id) => id !== CREATE).map((id) => otherSlash(builder, id)),
    ...ids
      .filter((id) => isOneOf(WITH_ID, id))
      .flatMap((id) => ID_SPELLINGS.map((idSpelling) => spelledId(builder, id, idSpelling))),
    ...READS.map((id) => head(builder, id)),
    ...labels.flatMap((label) => PATH_SPELLINGS[label][0].map((id) => otherSpelling(builder, id, label))),
  ];
}
