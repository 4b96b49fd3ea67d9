/** Targets that are the service and yet cannot be judged: a wrong address, a credential that dies, a lock-out. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { inLongAlone, isWhole, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { command, emptyFolder, type Finished } from './command.ts';
import { demandDeepErrors } from './heavy-runs.ts';

interface Judged extends Finished {
  /** The report folder. */
  readonly reports: string;
  readonly reference: Reference;
  readonly results: { readonly verdict: string; readonly summary: string; readonly endedEarly: string | null };
}

/** Judges what `wrap` makes of the reference, with everything that the reference's settings allow. */
async function judged(
  wrap: (reference: Reference) => Service,
  suffix = '',
  flags: readonly string[] = [],
): Promise<Judged> {
  const reference = createReference();
  const target = await listen(wrap(reference));
  try {
    const env = { ...reference.settings, PCS_BASE_URL: `${target.url}${suffix}` };
    const folder = emptyFolder();
    const run = await command(['run', '--profile', 'full', '--max-wait', '2', ...flags], env, folder);
    const reports = join(folder, 'conformance-report');
    const results = JSON.parse(readFileSync(join(reports, 'results.json'), 'utf8'));
    return { ...run, reports, reference, results };
  } finally {
    await target.close();
  }
}

function refusal(status: number, message = 'no', code: unknown = 'no'): ServiceReply {
  const body = JSON.stringify({ success: false, error: { code, message } });
  return {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ['Retry-After', '3600'],
    ],
    body,
  };
}

const isGood = ({ headers }: ServiceRequest, { settings }: Reference): boolean =>
  [settings.PCS_ACCESS_TOKEN, settings.PCS_OTHER_ORG_ACCESS_TOKEN].includes(
    (headers['authorization'] ?? '').replace('Bearer ', ''),
  );

/** Refuses everything from the n-th bad credential on. */
const lockingOut =
  (after: number, status: number) =>
  (reference: Reference): Service => {
    let bad = 0;
    return async (request) => {
      if (!isGood(request, reference)) bad += 1;
      return bad >= after ? refusal(status) : reference.service(request);
    };
  };

/** Knows the credential for so many requests, and no longer. */
const dying =
  (after: number) =>
  (reference: Reference): Service => {
    let seen = 0;
    return async (request) => {
      seen += 1;
      return seen > after ? refusal(401) : reference.service(request);
    };
  };

/** Answers so many requests, and none after them. */
const silentAfter =
  (answered: number) =>
  ({ service }: Reference): Service => {
    let seen = 0;
    return async (request) => {
      seen += 1;
      const reply = await service(request);
      return seen > answered ? { ...reply, fate: 'hang' } : reply;
    };
  };

/** Judged in this process, where the waits before a call is hung up again take no time. */
async function judgedHere(wrap: (reference: Reference) => Service) {
  const reference = createReference();
  const { results } = await judge(wrap(reference), optionsFrom(reference.settings, { maxWait: 2_000 }));
  return { results, reference };
}

describe('a target that cannot be judged to the end', () => {
  test('an address that ends in /v1 is reported', async () => {
    const { code, results } = await judged(({ service }) => service, '/v1');
    expect([code, results.verdict]).toEqual([3, 'incomplete']);
    expect(results.summary).toMatch(/ends in \/v1, which the suite adds itself/);
  });

  const expiries = sampled([120, 40, 250], 3);

  test.each(expiries.items)(
    `a credential that expires after %i requests is not a fault of the target (${expiries.words})`,
    async (after) => {
      const { results, reference } = await judgedHere(dying(after));
      expect(results.verdict).toBe('incomplete');
      expect(results.summary).toMatch(/rejects the credential that it accepted before \(status 401\)/);
      expect(reference.inspect().callsOpen).toBeLessThanOrEqual(1);
    },
  );

  test.each([401, 403, 429])(
    'a lock-out with %i after the twentieth bad credential is no fault of the target',
    async (status) => {
      const { results, reference } = await judgedHere(lockingOut(20, status));
      expect(results.verdict).toBe('incomplete');
      expect(results.endedEarly).toMatch(status === 429 ? /rate-limiting this caller/ : /locked out/);
      expect(reference.inspect().callsOpen).toBe(0);
    },
  );

  test('a lock-out over a socket ends the command with exit code 3', async () => {
    const few = isWhole() ? [] : ['--only', 'AUTH-SECRET'];
    const { code, results } = await judged(lockingOut(20, 403), '', few);
    expect([code, results.verdict]).toEqual([3, 'incomplete']);
  });

  test('a target that stops responding ends the run', async () => {
    const { results } = await judgedHere(silentAfter(60));
    expect(results.verdict).toBe('incomplete');
    expect(results.summary).toMatch(/stopped responding in the middle of the run/);
  });

  inLongAlone('a target that stops responding over a socket ends the command with exit code 3', async () => {
    // Without calls: an open one would be tried again after half a minute.
    const flags = ['--timeout', '0.3', '--max-wait', '2', '--without', 'createCall,hangUpCall,answerCall'];
    const { code, results } = await judged(silentAfter(60), '', flags);
    expect([code, results.verdict]).toEqual([3, 'incomplete']);
    expect(results.summary).toMatch(/stopped responding in the middle of the run/);
  });
});

describe('a target that fills the memory', () => {
  inLongAlone('with errors of 5,000 levels is judged by their envelope', async () => {
    // The reads have a tenth of the errors.
    await demandDeepErrors(5_000, isWhole() ? ['--profile', 'full'] : []);
  });
});

describe('a target whose texts attack the reader', () => {
  const attack =
    '\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script><img src=x onerror=alert(1)>\u202e\r\n::error::x';

  /** Line feeds apart: C0 and C1 controls, and the marks that turn the direction of a text. */
  const isControl = (letter: string): boolean => letter !== '\n' && /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(letter);

  test('reaches neither the terminal nor the reports with its escapes and its markup', async () => {
    const refusing = ({ service }: Reference): Service => {
      return async (request) => {
        const reply = await service(request);
        return reply.status < 400 ? reply : refusal(reply.status, attack, null);
      };
    };
    const run = await judged(refusing, '', isWhole() ? [] : ['--only', 'ERROR-ENVELOPE,AUTH-SECRET']);
    expect(run.code).toBe(1);
    for (const text of [run.out, run.err]) {
      expect([...text].filter(isControl)).toEqual([]);
    }
    for (const name of readdirSync(run.reports)) {
      const text = readFileSync(join(run.reports, name), 'utf8');
      expect(`${name} ${text.includes('\u001b')}`).toBe(`${name} false`);
      // In a code span of Markdown markup is text: what counts is the page that it becomes.
      const page = name.endsWith('.md') ? marked.parse(text, { async: false, gfm: true }) : text;
      if (/\.(html|md|svg)$/.test(name)) expect(page).not.toMatch(/<script>alert|<img src=x/);
    }
  });
});
