/** What a requirement's expectation says of one exchange. */

import type { Exchange } from '../exchange/exchange.ts';
import { type AcceptedExchange, answerPhrase } from './answer.ts';
import type { Sibling } from './sibling.ts';

/**
 * What a finding is based on. A `status` says nothing if the request was put off or its sender locked out. A `leak`
 * always counts. `content` is everything else.
 */
type Basis = 'leak' | 'status' | 'content';

/** The remedy if only time helps, and the beginning of each longer one: more waiting may help as well. */
export const RUN_AGAIN = 'run again';

/** The remedy for something that the target lacks at present. */
export const LATER = `${RUN_AGAIN} once the target can serve this request`;

/** Statuses that are wrong for any valid request; a finding about another status needs a sibling. */
export type TellingStatus = 401 | 404 | 405 | 411 | 415;

/** What is wrong: expected and actual as noun phrases, and where in the exchange. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  readonly where: string;
}

/**
 * An opinion on one exchange. `none`: this answer says nothing either way, which matters only if no other answer
 * settles the question; with `isLawful`, a lawful target may be unable to show more. `inconclusive`: the question stays
 * open, whatever other answers say.
 */
export type Opinion =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'finding';
      readonly basis: Basis;
      readonly finding: Finding;
      /** The accepted request that shows which element the finding is about. */
      readonly sibling?: Sibling;
    }
  | { readonly kind: 'inconclusive'; readonly reason: string; readonly remedy?: string }
  | {
      readonly kind: 'none';
      readonly reason: string;
      readonly remedy?: string;
      readonly isLawful?: true;
      /** The settings given for the question that no accepted request confirms. */
      readonly unshown?: readonly string[];
    };

/** The exchange keeps the requirement. */
export const PASS: Opinion = { kind: 'pass' };

/**
 * The exchange breaks the requirement by itself. A status does not: a status that is about an element needs
 * `foundAcceptance`, `foundRejection` or `foundStatus`.
 */
export function found(where: string, expected: string, actual: string): Opinion {
  return { kind: 'finding', basis: 'content', finding: { expected, actual, where } };
}

/** The response contains a secret. */
export function foundLeak(where: string, expected: string, actual: string): Opinion {
  return { kind: 'finding', basis: 'leak', finding: { expected, actual, where } };
}

/** A 3xx instead of an answer. 304 is not a redirect, so it is named by its status. */
export const foundRedirect = (status: number): Opinion =>
  found('the status', 'no 3xx', status === 304 ? 'status 304' : `a redirect (${status})`);

const ofStatus = (expected: string, actual: string): Opinion & { readonly kind: 'finding' } => ({
  kind: 'finding',
  basis: 'status',
  finding: { expected, actual, where: 'the status' },
});

/** The request was accepted although it should not have been, or with the wrong status: that needs no sibling. */
export function foundAcceptance(exchange: AcceptedExchange, expected: string): Opinion {
  return ofStatus(expected, answerPhrase(exchange));
}

/** The rejection is wrong, or has the wrong status, because of the one element in which the sibling differs. */
export function foundRejection(exchange: Exchange, expected: string, sibling: Sibling): Opinion {
  return { ...ofStatus(expected, answerPhrase(exchange)), sibling };
}

/** The answer is wrong by itself: the server failed, or the same request was accepted in another form (RFC 9110). */
export const foundAnswer = (exchange: Exchange, expected: string): Opinion =>
  ofStatus(expected, answerPhrase(exchange));

/** A status that is wrong without any sibling (conformance model, section 1). */
export function foundStatus(status: TellingStatus, expected: string): Opinion {
  return ofStatus(expected, `status ${status}`);
}

/** The exchange settles nothing; `remedy` might help. */
export const none = (reason: string, remedy?: string): Opinion =>
  remedy === undefined ? { kind: 'none', reason } : { kind: 'none', reason, remedy };

/** The exchange settles nothing, because no accepted request confirms these settings: they may be made up. */
export function unshown(reason: string, remedy: string, settings: readonly string[]): Opinion {
  return { kind: 'none', reason, remedy, ...(settings.length > 0 && { unshown: settings }) };
}

/** The exchange settles nothing, because a lawful target may be unable to show more. */
export function lawfullyNone(reason: string, remedy: string): Opinion {
  return { kind: 'none', reason, remedy, isLawful: true };
}

/** The question stays open. */
export function inconclusive(reason: string, remedy?: string): Opinion {
  return remedy === undefined ? { kind: 'inconclusive', reason } : { kind: 'inconclusive', reason, remedy };
}
