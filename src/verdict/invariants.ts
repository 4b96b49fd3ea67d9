/** Checks that hold for every exchange, whatever it was sent for (conformance model, section 2). */

import type { Exchange, RecordedMember } from '../exchange/exchange.ts';
import { answerPhrase, bodyOf, headerOf, isAccepted, isError, isPlain, statusOf } from './answer.ts';
import type { Check } from './check.ts';
import { envelopeFault } from './envelope.ts';
import { found, none, type Opinion, PASS } from './opinion.ts';

const UNREACHED = new Set(['refused', 'unresolved', 'tls']);

/** 400, 409 and 503 of create call have requirements of their own. */
export function isNamedFailure(exchange: Exchange): boolean {
  return exchange.tag.operation === 'createCall' && [400, 409, 503].includes(statusOf(exchange) ?? 0);
}

/** Whether an error answer is the envelope. */
export function judgeEnvelope(exchange: Exchange): Opinion {
  const body = bodyOf(exchange);
  const where = `the body of the ${statusOf(exchange)}`;
  if (body === null) return found('envelope', where, 'the error envelope', 'no body');
  if (body.cut === true) return none('the body was longer than the limit to which it is read');
  const fault = envelopeFault(body);
  if (fault === 'unreadable') return none('the body was too long to be kept so that it could be judged');
  return fault === null ? PASS : found('envelope', where, fault.expected, fault.actual);
}

const isJsonLabel = (label: string | undefined): boolean =>
  label !== undefined && /^\s*application\/json\s*(;.*)?$/i.test(label);

function leaked(secret: 'credential' | 'inbound-secret', what: string): Check['judge'] {
  return (exchange) => {
    const leak = exchange.response?.leaks.find((one) => one.secret === secret);
    if (leak === undefined) return PASS;
    return found('secrecy', `the ${leak.where} of the answer`, `no ${what}`, `the ${what}, ${leak.encoding}`);
  };
}

/** An error that forgot its `success`: `error` with code and message, and no other member that could be a record. */
function isBareError(members: readonly RecordedMember[]): boolean {
  const top = members.filter(({ pointer }) => /^\/[^/]*$/.test(pointer) && pointer !== '/success');
  const hasText = (pointer: string): boolean =>
    members.some((member) => member.pointer === pointer && member.type === 'string');
  return top.length === 1 && top[0]?.pointer === '/error' && hasText('/error/code') && hasText('/error/message');
}

/** The invariants in the order of the ladder. */
export const INVARIANTS: readonly Check[] = [
  {
    requirement: 'RESPONSE-COMPLETE',
    concerns: () => true,
    judge: ({ failure }) => {
      if (failure === null) return PASS;
      if (UNREACHED.has(failure.kind)) return none(`the target could not be reached (${failure.detail})`);
      return found('completeness', 'the answer', 'a complete HTTP response', failure.detail);
    },
  },
  {
    requirement: 'NO-REDIRECT',
    concerns: (exchange) => isPlain(exchange) && !exchange.tag.asks.includes('PATH-SERVED'),
    judge: (exchange) => {
      const status = statusOf(exchange);
      const redirected = status !== null && status >= 300 && status < 400;
      return redirected ? found('redirect', 'the status', 'an answer', `a redirect (${status})`) : PASS;
    },
  },
  {
    requirement: 'NO-SERVER-ERROR',
    concerns: (exchange) => exchange.tag.documented,
    judge: (exchange) => {
      const status = statusOf(exchange);
      const broke = status !== null && status >= 500 && status !== 503;
      return broke ? found('server-error', 'the status', 'no 5xx but 503', answerPhrase(exchange)) : PASS;
    },
  },
  {
    requirement: 'JSON-SYNTAX',
    concerns: (exchange) => isPlain(exchange) && bodyOf(exchange) !== null,
    judge: (exchange) => {
      const body = bodyOf(exchange);
      if (body === null || body.json === 'valid') return PASS;
      if (body.cut === true) return none('the body was longer than the limit to which it is read');
      return found('json', `the body of the ${statusOf(exchange)}`, 'JSON', body.reason ?? 'something else');
    },
  },
  {
    requirement: 'JSON-LABEL',
    concerns: (exchange) => isPlain(exchange) && bodyOf(exchange) !== null,
    judge: (exchange) => {
      const label = headerOf(exchange, 'content-type');
      if (isJsonLabel(label)) return PASS;
      const actual = label === undefined ? 'no Content-Type' : `Content-Type: ${label}`;
      return found('json', `the header of the ${statusOf(exchange)}`, 'Content-Type: application/json', actual);
    },
  },
  {
    requirement: 'ERROR-ENVELOPE',
    concerns: (exchange) => isPlain(exchange) && isError(exchange) && !isNamedFailure(exchange),
    judge: judgeEnvelope,
  },
  {
    requirement: 'SUCCESS-NOT-ERROR',
    concerns: (exchange) => isPlain(exchange) && isAccepted(exchange),
    judge: (exchange) => {
      const members = bodyOf(exchange)?.members ?? [];
      const where = `the body of the ${statusOf(exchange)}`;
      const says = members.find((member) => member.pointer === '/success');
      if (says?.type === 'boolean' && says.value === false) {
        return found('envelope', `/success of the ${statusOf(exchange)}`, 'no error in a 2xx', 'success: false');
      }
      return isBareError(members) ? found('envelope', where, 'no error in a 2xx', 'nothing but an error') : PASS;
    },
  },
  { requirement: 'SECRET-WITHHELD', concerns: () => true, judge: leaked('inbound-secret', 'inbound secret') },
  { requirement: 'CREDENTIAL-WITHHELD', concerns: () => true, judge: leaked('credential', 'bearer credential') },
];
