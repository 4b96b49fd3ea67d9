/**
 * Siblings: accepted requests that differ from a judged one in a single element (conformance model, section 1).
 * The reasons are in docs/design/attribution.md.
 */

import { describedIn, type Exchange, type RecordedBody } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { isAccepted, isOurs, statusOf } from './answer.ts';

declare const OF_THE_RECORD: unique symbol;

/**
 * A request with the valid credential that differs from a judged one in a single element and was answered differently.
 * It can only be made from a record that holds such a request, so every finding about a rejection has one.
 */
export interface Sibling {
  readonly [OF_THE_RECORD]: true;
  readonly seq: number;
  /** The difference in a phrase, as a reader would see it from the judged request. */
  readonly difference: string;
}

const siblingOf = (sent: Exchange | undefined, difference: string | null): Sibling | null =>
  sent === undefined ? null : ({ seq: sent.seq, difference: difference ?? describedIn(sent.tag) } as Sibling);

/** Looks for the sibling of an exchange among others. */
export const Sibling = {
  /** The first of these that was accepted; `null` without one. */
  accepted: (exchange: Exchange, candidates: readonly Exchange[], difference: string | null) =>
    siblingOf(
      candidates.find((sent) => sent.tag.operation === exchange.tag.operation && isOurs(sent) && isAccepted(sent)),
      difference,
    ),

  /** The first that was sent after the exchange and accepted; `null` without one. */
  behind: (exchange: Exchange, candidates: readonly Exchange[], difference: string) =>
    Sibling.accepted(
      exchange,
      candidates.filter(({ seq }) => seq > exchange.seq),
      difference,
    ),

  /** The first of these (all with the valid credential) that got another status: for a credential, that is enough. */
  ofCredential: (exchange: Exchange, candidates: readonly Exchange[]) =>
    siblingOf(
      candidates.find((sent) => ![null, statusOf(exchange)].includes(statusOf(sent))),
      'with the valid credential',
    ),
};

/** Whether a valid request to the operation was accepted after it, so that the target's state was not the reason. */
export const isAcceptedBehind = ({ tag, seq }: Exchange, sent: readonly Exchange[]): boolean =>
  sent.some((next) => next.seq > seq && next.tag.control && next.tag.operation === tag.operation && isAccepted(next));

/** One element in which two bodies differ: `before` is absent in the sibling, `after` in the judged body. */
export interface Element {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The JSON body of a request, or `undefined`. */
export function jsonOf({ request: { body } }: Exchange): unknown {
  if (body?.text === undefined) return undefined;
  if (!PARSED.has(body)) PARSED.set(body, parsedJson(body.text));
  return PARSED.get(body);
}

/** Parsed request bodies, since many requirements read the same ones. */
const PARSED = new WeakMap<RecordedBody, unknown>();

/** Whether two JSON values are equal; the order of members does not matter. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, at) => isEqualJson(value, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqualJson(a[name], b[name]))
  );
}

/** The members in which a body differs from that of its sibling; empty unless both are objects. */
export function elementsBetween(sibling: unknown, judged: unknown): readonly Element[] {
  if (!isObject(sibling) || !isObject(judged)) return [];
  const names = [...new Set([...Object.keys(sibling), ...Object.keys(judged)])];
  return names.flatMap((name) =>
    isEqualJson(sibling[name], judged[name]) ? [] : [{ name, before: sibling[name], after: judged[name] }],
  );
}

/** A request whose body differs from a valid one in a single element, and what the run sent around it by its end. */
export interface Compared {
  readonly exchange: Exchange;
  /** The differences; empty if no sibling is known. */
  readonly elements: readonly Element[];
  /** The valid requests with the body of the sibling, accepted or not. */
  readonly siblings: () => readonly Exchange[];
  /** The exchanges of its sequence. */
  readonly around: () => readonly Exchange[];
  /** Everything compared for the same requirement, itself included. */
  readonly ofCase: readonly Compared[];
}

/** An exchange that its sender compares with nothing. */
export const uncompared = (exchange: Exchange): Compared => {
  return { exchange, elements: [], siblings: () => [], around: () => [], ofCase: [] };
};

/** The accepted request that differs from a compared one in a single element, or `null`. */
export const acceptedSibling = ({ exchange, elements, siblings }: Compared): Sibling | null =>
  Sibling.accepted(exchange, siblings(), differencePhrase(elements));

/** The same, and the target's state is not the reason either: a valid request was accepted right after it. */
export const siblingInSameState = (compared: Compared): Sibling | null =>
  isAcceptedBehind(compared.exchange, compared.around()) ? acceptedSibling(compared) : null;

/** The only member in which the bodies differ; `null` if there are more, or a body is null. */
function differencePhrase([element, ...more]: readonly Element[]): string | null {
  if (element === undefined || more.length > 0) return null;
  if (element.before === undefined) return `without ${element.name}`;
  return element.after === undefined ? `with ${element.name}` : `another ${element.name}`;
}
