/** Calls a reference service in process, by default with the valid credential. */

import { gunzipSync } from 'node:zlib';
import type { Reference } from '../../../fixtures/service/reference.ts';
import type { ServiceReply } from '../../../fixtures/service/types.ts';
import { type OperationId, operationById, pathOf, type ResourceKind } from '../../../src/contract/operations.ts';
import { SETTING_OF } from '../../../src/contract/settings.ts';

/** What a test changes in a request; a `body` of text or bytes is sent unchanged, any other as JSON. */
export interface Asking {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly ids?: readonly string[];
  readonly query?: string;
}

/** A response with its body as text and as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
  readonly reply: ServiceReply;
}

/** Sends a request to any target. */
async function ask(reference: Reference, method: string, target: string, asking: Asking = {}): Promise<Answer> {
  const token = asking.token === undefined ? reference.settings.PCS_ACCESS_TOKEN : asking.token;
  const body = bytesOf(asking.body);
  const reply = await reference.service({
    method,
    target: `${target}${asking.query ?? ''}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body.length === 0 ? {} : { 'content-type': 'application/json' }),
      ...asking.headers,
    },
    body,
  });
  const headers = Object.fromEntries(reply.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const bytes = Buffer.from(reply.body ?? '');
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  return { status: reply.status, headers, text, json: parsed(text), reply };
}

/** Sends an operation's request, by default to its resources and with its valid body. */
export function call(reference: Reference, id: OperationId, asking: Asking = {}): Promise<Answer> {
  const operation = operationById(id);
  const ids = asking.ids ?? operation.resources.map((kind) => idOfKind(reference, kind));
  const body = 'body' in asking ? asking.body : validBody(reference, id);
  return ask(reference, operation.method, pathOf(operation, ids), { ...asking, body });
}

/** A body that the operation accepts, or `undefined` if it has none. */
export function validBody(reference: Reference, id: OperationId): Readonly<Record<string, unknown>> | undefined {
  const { settings } = reference;
  const bodies: Partial<Record<OperationId, Readonly<Record<string, unknown>>>> = {
    createCall: { from: settings.PCS_CALL_FROM, to: settings.PCS_CALL_TO },
    updateVoiceApplication: { name: 'Reception' },
    setInboundAuth: { method: 'digest', username: 'caller', realm: 'realm.invalid', secret: 'NotTheOldOne42' },
    updateTrunk: { name: 'Renamed' },
    assignNumber: { carrier_connection_id: settings.PCS_CARRIER_CONNECTION_ID },
  };
  return bodies[id];
}

/** A well-formed, unknown id. */
const STRANGER = '00000000-0000-4000-8000-000000000000';

/** The id in the settings for a kind of resource; for a call, the ringing one. */
function idOfKind({ settings }: Reference, kind: ResourceKind): string {
  return settings[SETTING_OF[kind]] ?? STRANGER;
}

/** The response as an error envelope (section 7). */
export function envelopeOf(answer: Answer): {
  readonly success: unknown;
  readonly error: { readonly code: unknown; readonly message: unknown };
} {
  return answer.json as ReturnType<typeof envelopeOf>;
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
