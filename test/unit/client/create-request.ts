/** Short ways to write create-call requests in tests. */

import type { DialRequest } from '../../../src/client/safety/dial-guard.ts';
import type { Header } from '../../../src/exchange/message.ts';

/** The configured numbers. */
export const NUMBERS = { from: '+15005550006', to: '+15005550010' } as const;
/** The configured voice application. */
export const APPLICATION = '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f';
/** The header fields of a JSON body. */
export const JSON_HEADERS: readonly Header[] = [['Content-Type', 'application/json']];

/** A create-call request with that body; a string is encoded as UTF-8. */
export function create(body: string | Uint8Array | null, headers: readonly Header[] = JSON_HEADERS): DialRequest {
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
