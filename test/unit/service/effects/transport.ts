/** Effects of the variation points of transport. */

import { type Answer, call } from '../caller.ts';
import { type Effect, each, type Look } from './effect.ts';

const field =
  (name: string): Look =>
  async (reference) =>
    (await call(reference, 'getTrunk')).headers[name] ?? null;

const coding =
  (headers: Readonly<Record<string, string>>): Look =>
  async (reference) => {
    const { text, headers: answered } = await call(reference, 'getTrunk', { headers });
    return [answered['content-encoding'] ?? null, text.startsWith('{"success":true')];
  };

const limits = ({ status, headers }: Answer): string =>
  [status, headers['x-ratelimit-remaining'], headers['x-ratelimit-reset'], headers['retry-after']].join(' ').trim();

/** Variation points of `transport.ts`. */
export const TRANSPORT_EFFECTS: Readonly<Record<string, Effect>> = {
  'content-type': {
    look: field('content-type'),
    shows: {
      plain: 'application/json',
      charset: 'application/json; charset=utf-8',
      'other-case': 'Application/JSON; Charset=UTF-8',
    },
  },
  coding: {
    look: each(coding({}), coding({ 'accept-encoding': 'br, gzip' })),
    shows: {
      none: [
        [null, true],
        [null, true],
      ],
      'gzip-when-asked': [
        [null, true],
        ['gzip', true],
      ],
      'gzip-always': [
        ['gzip', true],
        ['gzip', true],
      ],
    },
  },
  framing: { look: field('transfer-encoding'), shows: { length: null, chunked: 'chunked' } },
  connection: { look: field('connection'), shows: { kept: null, closed: 'close' } },
  'interim-responses': {
    look: async (reference) => (await call(reference, 'getTrunk')).reply.interim ?? false,
    shows: { none: false, 'continue-and-hints': true },
  },
  'header-case': {
    look: async (reference) => (await call(reference, 'getTrunk')).reply.headers[0]?.[0],
    shows: { usual: 'Content-Type', lower: 'content-type', upper: 'CONTENT-TYPE' },
  },
  'rate-limit': {
    look: async (reference) => {
      const seen: string[] = [];
      for (let count = 1; count <= 43; count += 1) seen.push(limits(await call(reference, 'getTrunk')));
      return [seen[0], ...seen.slice(39)];
    },
    shows: {
      none: ['200', '200', '200', '200', '200'],
      delta: ['200 599 30', '200 560 30', '200 559 30', '200 558 30', '200 557 30'],
      epoch: ['200 599 30', '200 560 30', '200 559 30', '200 558 30', '200 557 30'].map((text) =>
        text.replace(/30$/, '1700000030'),
      ),
      enforced: ['200 39 1', '200 0 1', '429 0 1 1', '429 0 1 1', '200 39 1'],
    },
  },
};
