/** Recordings made by hand, a line for each exchange. */

import { brokenBy, judgeTexts } from '../../proof/judged-traffic.ts';

/** A credential as a machine makes it. */
export const TOKEN = 'acme_org_4f9d2c7b1a8e6035';
export const BASE = 'https://api.example/pcs';
export const TRUNK = '/v1/trunks/3f2b8c1e-6a4d-4e5f-9b7a-0c1d2e3f4a5b';

const JSON_LABEL = { 'content-type': 'application/json' };
const SIGNED = { authorization: `Bearer ${TOKEN}` };

/** What differs from an accepted read of the trunks. */
export interface Made {
  readonly method?: string;
  readonly path?: string;
  readonly base?: string;
  readonly sent?: unknown;
  readonly with?: object;
  readonly status?: number;
  readonly headers?: object | null;
  readonly body?: unknown;
  readonly time?: number;
}

/** A line of NDJSON. */
export function line({
  method = 'GET',
  path = '/v1/trunks/',
  base = BASE,
  sent,
  status = 200,
  time,
  ...more
}: Made = {}): string {
  const { headers = JSON_LABEL, body = [] } = more;
  const text = body === undefined || typeof body === 'string' || body === null ? body : JSON.stringify(body);
  const request = {
    method,
    url: `${base}${path}`,
    headers: more.with ?? SIGNED,
    body: sent === undefined ? null : JSON.stringify(sent),
  };
  return `${JSON.stringify({ time, request, response: { status, headers: headers ?? undefined, body: text } })}\n`;
}

/** The error envelope. */
export const ERROR = { success: false, error: { code: 'refused', message: 'No.' } };

/** The sentence about some lines, and the requirements that they break. */
export async function said(lines: readonly string[], options: Parameters<typeof judgeTexts>[1] = {}) {
  const judged = await judgeTexts({ 'made.ndjson': lines.join('') }, options);
  const { verdict, reason, traffic } = judged.results;
  return { verdict, reason, traffic, broken: brokenBy(judged), judged };
}
