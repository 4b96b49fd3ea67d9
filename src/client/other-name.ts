/**
 * The name of another trunk of the organization, as a value to write: a customer's text, which requests, their record and
 * the journal hold as a placeholder. It is put in where a request leaves, and taken out of what comes back.
 */

import { type Exchange, OTHER_NAME } from '../exchange/exchange.ts';

/** Printable ASCII that JSON does not escape: such a name stands in any text as it is. */
const PLAIN = /^[ !#-[\]-~]{8,200}$/;
/** No word of the interface has such a character: taking the name out of an error leaves the envelope alone. */
const NO_WORD = /[^A-Za-z_]/;

const nameOf = (item: object): string => {
  const name: unknown = Reflect.get(item, 'name');
  return typeof name === 'string' ? name : '';
};

/** Whether two names are one to a target that trims them and ignores their letter case. */
const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The first plain name that a list shows beside the `own` trunk; `undefined` where it does not show the name of both. */
export function otherNameIn(items: readonly object[], own: object | undefined): string | undefined {
  const ownName = own === undefined ? '' : nameOf(own);
  if (ownName === '') return undefined;
  return items.map(nameOf).find((name) => PLAIN.test(name) && NO_WORD.test(name) && !isSame(name, ownName));
}

/** Whether the trunk shows that name as its own. */
export const isOtherName = (value: unknown, otherName: string | undefined): boolean =>
  otherName !== undefined && typeof value === 'string' && isSame(value, otherName);

/** The body as it leaves: with the name in place of the placeholder. */
export function withOtherName(body: Uint8Array | null, otherName: string | undefined): Uint8Array | null {
  if (body === null || otherName === undefined) return body;
  const text = Buffer.from(body).toString('latin1');
  const sought = Buffer.from(OTHER_NAME).toString('latin1');
  return text.includes(sought)
    ? Buffer.from(
        text.replaceAll(sought, () => otherName),
        'latin1',
      )
    : body;
}

/** The exchange, with the placeholder in place of the name where the text of the answer to such a body repeats it. */
export function withoutOtherName(exchange: Exchange, otherName: string | undefined): Exchange {
  const { request, response } = exchange;
  const text = response?.body?.text;
  const isWritten = request.body?.text?.includes(OTHER_NAME) === true;
  if (otherName === undefined || !isWritten || response?.body == null || text === undefined) return exchange;
  const sought = new RegExp(otherName.trim().replace(/[^A-Za-z0-9 ]/g, '\\$&'), 'gi');
  const body = { ...response.body, text: text.replace(sought, OTHER_NAME) };
  return { ...exchange, response: { ...response, body } };
}
