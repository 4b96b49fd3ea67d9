/** Choices in errors (section 7): statuses, codes and further members of the envelope. */

import type { Exchange } from '../../exchange/exchange.ts';
import { bodyOf, isError, statusOf } from '../answer.ts';
import { perExchange, type Reader } from './choice.ts';

/** A code is a word of the target's; what looks like data is not repeated. */
const WORD = /^(?!.*\d{7})[A-Za-z0-9][A-Za-z0-9_.: -]{0,63}$/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error code of the answer in a phrase: `code not_found`, `no body`, `a body without a code`. */
export function codeOf(exchange: Exchange): string {
  const body = bodyOf(exchange);
  if (body === null) return 'no body';
  const code: unknown = Object(Object(parsed(body.text ?? '')).error).code;
  if (typeof code !== 'string') return 'a body without a code';
  return WORD.test(code) ? `code ${code}` : 'a code that is no word';
}

const ENVELOPE: ReadonlySet<string> = new Set(['', '/success', '/error', '/error/code', '/error/message']);

/** Names beside those of the envelope, at its top and within `error`. */
function further(exchange: Exchange): string | null {
  const members = bodyOf(exchange)?.members;
  if (members === undefined || !members.some(({ pointer }) => pointer === '/error/code')) return null;
  const names = members
    .map(({ pointer }) => pointer)
    .filter((pointer) => !ENVELOPE.has(pointer) && /^(?:\/error)?\/[^/]+$/.test(pointer))
    .map((pointer) => pointer.slice(1).replace('/', '.'));
  return names.length === 0 ? 'none' : [...new Set(names)].sort().join(', ');
}

/** Choices about errors, whoever gets them. */
export const errorChoices: Reader = (exchanges) => {
  const errors = exchanges.filter((exchange) => exchange.tag.documented && isError(exchange));
  const others = errors.filter(({ tag }) => tag.operation !== 'createCall');
  return [
    ...perExchange('GAP-ERROR-CODES', errors, (exchange) => `${statusOf(exchange)}: ${codeOf(exchange)}`),
    ...perExchange('GAP-ERROR-STATUS', others, (exchange) => String(statusOf(exchange))),
    ...perExchange('GAP-ENVELOPE-MEMBERS', errors, further),
  ];
};
