/** Short ways to write create-call requests in tests. */

import { CallLedger, callOf } from '../../../src/client/safety/call-ledger.ts';
import type { Guarded } from '../../../src/client/safety/guard.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import type { Header } from '../../../src/exchange/message.ts';

/** The configured numbers. */
export const NUMBERS = { from: '+15005550006', to: '+15005550010' } as const;
/** The configured voice application. */
export const APPLICATION = '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f';
/** The header fields of a JSON body. */
export const JSON_HEADERS: readonly Header[] = [['Content-Type', 'application/json']];

/** A create-call request with that body; a string is encoded as UTF-8. */
export function create(body: string | Uint8Array | null, headers: readonly Header[] = JSON_HEADERS): Guarded {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { method: 'POST', path: '/v1/calls/', headers, body: bytes };
}

/** The members of a body that may leave, as text; `more` follows them. */
export function dialling(more = ''): string {
  return `{"from":"${NUMBERS.from}","to":"${NUMBERS.to}"${more}`;
}

/** A trunk that create calls may name. */
export const TRUNK_OF_CALLS = '5f0c7a52-77a4-4b0f-9c1e-2a44f4f5b0aa';

/** No create call may name an id. */
export const NO_IDS = { application: [], trunk: [] } as const;

const KINDS = { excusable: 'put off', lost: 'unclear', open: 'placed' } as const;

/** What the ledger makes of an answer to a create call that may dial, after calls of these ids. */
export function outcomeOf(response: object | null, failure: object | null = null, earlier: readonly string[] = []) {
  const ledger = new CallLedger();
  for (const [at, id] of earlier.entries())
    ledger.adopt(callOf({ seq: at + 1, ids: [id], stage: 'closed', hungUpBy: id }));
  const seq = earlier.length + 1;
  const request = { credential: 'valid', body: { text: dialling('}') } };
  const tag = { operation: 'createCall', documented: true, resend: 0 };
  const exchange = { seq, at: 0, took: 0, tag, request, response, failure } as unknown as Exchange;
  ledger.learn(exchange);
  const { stage, ids, status, detail = '', idIn } = ledger.of({ seq }) ?? {};
  const { learned } = exchange.response ?? {};
  const shown = { ...(idIn && { idIn }), ...(learned?.again && { again: learned.again }) };
  if (stage === undefined) return { kind: failure === null ? 'rejected' : 'unsent' };
  const kind = learned?.create === 'repeated' ? 'repeated' : KINDS[stage as keyof typeof KINDS];
  if (stage === 'excusable') return { kind };
  return stage === 'open' ? { kind, ids, ...shown } : { kind, status, detail: detail.replace(/^got /, ''), ...shown };
}
