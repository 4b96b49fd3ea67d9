/** Checks on credentials and organizations (section 5). */

import { otherSlashForm } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { answerPhrase, isAccepted, isNoAnswer, statusOf } from './answer.ts';
import { asked, type Check, strandsOf } from './check.ts';
import type { Evidence } from './evidence.ts';
import { found, inconclusive, none, type Opinion, PASS } from './opinion.ts';
import { judgeShown, judgeStatus, REFUSAL } from './refusal.ts';
import { remedyFor } from './valid.ts';

/** Writes of the read-only profile go out without a body: only 401 and 403 say that the credential was looked at. */
function judgeReadOnlyWrite(exchange: Exchange): Opinion {
  const status = statusOf(exchange);
  if (status === 401 || status === 403) return PASS;
  return none(`${answerPhrase(exchange)} may be about the missing body or the unknown id`, 'run the full profile');
}

function judgeRefusal(exchange: Exchange, evidence: Evidence): Opinion {
  const by = judgeStatus(exchange) ?? judgeShown(exchange, evidence);
  if (by !== null) return by;
  if (evidence.facts.profile === 'read-only' && exchange.request.method !== 'GET') return judgeReadOnlyWrite(exchange);
  const good = evidence.goodStatuses(exchange);
  if (!evidence.isAliveAfter(exchange)) return inconclusive('the good credential was not accepted any more afterwards');
  if (good.size === 0) return none('the same request was not sent with the good credential');
  if (!good.has(statusOf(exchange) ?? 0)) return PASS;
  // Just then the good credential was let in; what it got later lay in the state of things.
  const next = evidence.nextGood(exchange);
  if (next !== undefined && isAccepted(next)) return PASS;
  return none(`the good credential got ${answerPhrase(exchange)} too`, remedyFor(exchange));
}

function judgeAlias(exchange: Exchange, evidence: Evidence): Opinion {
  const good = evidence.mate(exchange, 'good credential') ?? goodAlias(exchange, evidence);
  const unknown = evidence.unknownRoutes.filter(
    ({ request }) => hasSlash(request.path) === hasSlash(exchange.request.path),
  );
  if (good === undefined || !isAlias(good, unknown, evidence)) return none('the other slash form is not served');
  if (isNoAnswer(exchange)) return inconclusive(`${answerPhrase(exchange)} to a bad credential`);
  if (isAccepted(exchange)) return found('effect', 'the status', REFUSAL, answerPhrase(exchange));
  // On an open call the good credential comes last, since it ends the call.
  const reference = evidence.mate(exchange, 'control') ?? good;
  const same = statusOf(exchange) === statusOf(reference);
  return same ? none(`the good credential got ${answerPhrase(exchange)} too`) : PASS;
}

/** What the good credential got at the other slash form of another call: the same route. */
function goodAlias({ tag, request }: Exchange, evidence: Evidence): Exchange | undefined {
  return evidence.exchanges.find(
    (other) =>
      other.tag.operation === tag.operation &&
      other.tag.step === 'good credential' &&
      hasSlash(other.request.path) === hasSlash(request.path),
  );
}

const hasSlash = (path: string): boolean => path.split('?')[0]?.endsWith('/') === true;

function otherSlashOf(path: string): string {
  const [route = '', query] = path.split('?');
  return otherSlashForm(route) + (query === undefined ? '' : `?${query}`);
}

/** Served: the good credential gets there what the documented path gives, and an unknown route does not give it. */
function isAlias(good: Exchange, unknown: readonly Exchange[], evidence: Evidence): boolean {
  const documented = evidence.mate(good, 'documented path');
  const { method, path } = good.request;
  const known = evidence.statusesAt(good.tag.operation, method, otherSlashOf(path));
  const status = statusOf(good);
  if (status === null || status === 404 || status === 405 || (status >= 300 && status < 400)) return false;
  if (unknown.length === 0 || unknown.some((route) => statusOf(route) === status)) return false;
  return documented === undefined ? known.includes(status) : statusOf(documented) === status;
}

/** The digest of the name that the answer shows of the trunk itself, if it shows one. */
export const nameOf = (exchange: Exchange | undefined): string | undefined =>
  exchange?.response?.body?.members.find(({ pointer }) => /^(\/(data|trunk|result|items?|-))*\/name$/.test(pointer))
    ?.digest;

/** The digest of the name that a change would have given the trunk. */
const changedNameOf = (change: Exchange): string | undefined =>
  change.request.body?.members.find(({ pointer }) => pointer === '/name')?.digest;

/** Names that the trunk had before the refused changes, or was given by us: a replica may show one of those late. */
function earlierNames(refused: readonly Exchange[], evidence: Evidence): ReadonlySet<string | undefined> {
  const first = Math.min(...refused.map(({ seq }) => seq));
  const earlier = evidence.exchanges.filter(({ seq, tag }) => seq < first && TRUNK_OPERATIONS.includes(tag.operation));
  const given = earlier.filter(({ request }) => request.credential === 'valid').map(changedNameOf);
  return new Set([...given, ...earlier.map(nameOf)]);
}

const TRUNK_OPERATIONS: readonly (string | null)[] = ['getTrunk', 'updateTrunk'];

/** Changes that the reading comes after, by its own strand (`after none, wrong-secret`), and that were not sent. */
function missingChange(reading: Exchange, requirement: string, evidence: Evidence): string | undefined {
  const forms = strandsOf(reading, requirement).flatMap((strand) => strand.replace(/^after /, '').split(', '));
  return forms.find((form) => evidence.mate(reading, `change: ${form}`) === undefined);
}

/** The reading after the refused changes: the trunk has the name it had, or one that it had earlier still. */
function judgeReading(exchange: Exchange, requirement: string, evidence: Evidence): Opinion {
  const missing = missingChange(exchange, requirement, evidence);
  if (missing !== undefined) return none(`no change was sent with the credential ${missing}`);
  const refused = evidence.mates(exchange).filter((mate) => mate.tag.step.startsWith('change'));
  const before = nameOf(evidence.mate(exchange, 'before'));
  const after = nameOf(exchange);
  if (before === undefined || after === undefined) return none('the trunk does not show its name');
  // An accepted change explains another name: that it was accepted is another requirement's finding.
  if (refused.length === 0 || !refused.every(isRefused)) return none('a change with a bad credential was not refused');
  if (before === after) return PASS;
  const isRefusedName = refused.some((change) => changedNameOf(change) === after);
  if (!isRefusedName && earlierNames(refused, evidence).has(after)) {
    return none('the trunk shows a name that it had before');
  }
  return found(
    'effect',
    '/name of the trunk',
    'the name it had',
    isRefusedName ? 'the name that was refused' : 'another',
  );
}

/** Each refused change is a strand of its own, settled by the reading after it, which has the finding if there is one. */
function noEffect(requirement: 'AUTH-NO-EFFECT' | 'ORG-NO-EFFECT'): Check {
  return asked(requirement, (exchange, evidence) => {
    if (exchange.tag.step === 'after') return judgeReading(exchange, requirement, evidence);
    const reading = evidence.mate(exchange, 'after');
    if (reading === undefined) return none('the trunk was not read after the change');
    const opinion = judgeReading(reading, requirement, evidence);
    return opinion.kind === 'finding' ? none('the reading after the change shows what came of it') : opinion;
  });
}

function isRefused(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status !== null && status >= 400 && status < 500;
}

/** Checks on access. */
export const ACCESS_CHECKS: readonly Check[] = [
  asked('AUTH-CREDENTIAL-REQUIRED', judgeRefusal),
  asked('AUTH-SCHEME', judgeRefusal),
  asked('AUTH-SECRET', judgeRefusal),
  asked('AUTH-HEADER-ONLY', judgeRefusal),
  asked('AUTH-REVOKED', judgeRefusal),
  asked('AUTH-ALIAS', judgeAlias),
  noEffect('AUTH-NO-EFFECT'),
  noEffect('ORG-NO-EFFECT'),
];
