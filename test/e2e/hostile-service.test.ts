/** Targets that are the service and yet cannot be judged: a wrong address, a credential that dies, a lock-out. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { inLongAlone, isWhole } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { command, emptyFolder } from './command.ts';
import { demandDeepErrors } from './heavy-runs.ts';
import { live } from './live.ts';

/** Judges what `wrap` makes of the reference over a socket; what the run printed, and its report folder. */
async function judged(wrap: (reference: Reference) => Service, suffix = '', flags: readonly string[] = []) {
  return live({ wrap: (_, reference) => wrap(reference) }, async ({ env, url }) => {
    const folder = emptyFolder();
    const words = ['run', '--profile', 'full', '--max-wait', '2', '--base-url', `${url}${suffix}`, ...flags];
    const run = await command(words, env, folder);
    const reports = join(folder, 'conformance-report');
    return { ...run, reports, results: JSON.parse(readFileSync(join(reports, 'results.json'), 'utf8')) };
  });
}

/** Judged in this process, where the waits before a call is hung up again take no time. */
async function judgedHere(wrap: (reference: Reference) => Service) {
  const reference = createReference();
  const { results } = await judge(wrap(reference), optionsFrom(reference.settings, { maxWait: 2_000 }));
  return { results, callsOpen: reference.inspect().callsOpen };
}

function rejection(status: number, message = 'no', code: unknown = 'no'): ServiceReply {
  const headers = [
    ['Content-Type', 'application/json'],
    ['Retry-After', '3600'],
  ] as const;
  return { status, headers, body: JSON.stringify({ success: false, error: { code, message } }) };
}

const isValid = ({ headers }: ServiceRequest, { settings }: Reference): boolean =>
  [settings.PCS_ACCESS_TOKEN, settings.PCS_OTHER_ORG_ACCESS_TOKEN].includes(
    (headers['authorization'] ?? '').replace('Bearer ', ''),
  );

/** The service up to a request, and another answer from there on; `counts` says which requests count. */
const until =
  (last: number, then: (reply: ServiceReply) => ServiceReply, counts: typeof isValid = () => true) =>
  (reference: Reference): Service => {
    let seen = 0;
    return async (request) => {
      if (counts(request, reference)) seen += 1;
      const reply = await reference.service(request);
      return seen > last ? then(reply) : reply;
    };
  };

const lockOut = (status: number) =>
  until(
    19,
    () => rejection(status),
    (request, reference) => !isValid(request, reference),
  );

test('an address that ends in /v1 is reported', async () => {
  const { code, results } = await judged(({ service }) => service, '/v1');
  expect([code, results.verdict]).toEqual([3, 'incomplete']);
  expect(results.summary).toMatch(/ends in \/v1, which the suite adds itself/);
});

test.each([
  [
    'a credential that expires',
    until(120, () => rejection(401)),
    /the credential that it accepted before \(status 401\)/,
  ],
  ['a target that stops responding', until(60, (reply) => ({ ...reply, fate: 'hang' })), /stopped responding/],
])('%s is no fault of the target', async (_, wrap, says) => {
  const { results, callsOpen } = await judgedHere(wrap);
  expect([results.verdict, results.summary]).toEqual(['incomplete', expect.stringMatching(says)]);
  expect(callsOpen).toBeLessThanOrEqual(1);
});

test.each([
  [401, /locked out/],
  [403, /locked out/],
  [429, /rate-limiting this caller/],
])('a lock-out with %i after the twentieth invalid credential is no fault of the target', async (status, says) => {
  const { results, callsOpen } = await judgedHere(lockOut(status));
  expect([results.verdict, results.endedEarly]).toEqual(['incomplete', expect.stringMatching(says)]);
  expect(callsOpen).toBe(0);
});

test('a lock-out over a socket ends the command with exit code 3', async () => {
  const { code, results } = await judged(lockOut(403), '', isWhole() ? [] : ['--only', 'AUTH-SECRET']);
  expect([code, results.verdict]).toEqual([3, 'incomplete']);
});

inLongAlone('errors of 5,000 levels are judged by their envelope', async () => {
  // The reads have a tenth of the errors.
  await demandDeepErrors(5_000, isWhole() ? ['--profile', 'full'] : []);
});

const ATTACK = '\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script><img src=x onerror=alert(1)>\u202e\r\n::error::x';

/** Line feeds apart: C0 and C1 controls, and the marks that turn the direction of a text. */
const isControl = (letter: string): boolean => letter !== '\n' && /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(letter);

test('escapes and markup of a target reach neither the terminal nor the reports', async () => {
  const rejecting = ({ service }: Reference): Service => {
    return async (request) => {
      const reply = await service(request);
      return reply.status < 400 ? reply : rejection(reply.status, ATTACK, null);
    };
  };
  const run = await judged(rejecting, '', isWhole() ? [] : ['--only', 'ERROR-ENVELOPE,AUTH-SECRET']);
  expect(run.code).toBe(1);
  for (const text of [run.out, run.err]) expect([...text].filter(isControl)).toEqual([]);
  for (const name of readdirSync(run.reports)) {
    const text = readFileSync(join(run.reports, name), 'utf8');
    expect(`${name} ${text.includes('\u001b')}`).toBe(`${name} false`);
    // In a code span of Markdown markup is text: what counts is the page that it becomes.
    const page = name.endsWith('.md') ? marked.parse(text, { async: false, gfm: true }) : text;
    if (/\.(html|md|svg)$/.test(name)) expect(page).not.toMatch(/<script>alert|<img src=x/);
  }
});
