import { expect, test, vi } from 'vitest';
import { compare, DEFAULTS, run, startReference, writeReports } from '../../../src/index.ts';

const GOOD = { baseUrl: 'http://127.0.0.1:9', credentials: { access: 'a_org_b' } };

test.each<readonly [unknown, string]>([
  [undefined, 'run needs an object: give it baseUrl and credentials.'],
  [{ baseUrl: GOOD.baseUrl }, 'credentials is missing: run needs baseUrl and credentials.'],
  [{ ...GOOD, profle: 'full' }, '"profle" is not an option of run: did you mean profile?'],
  [{ ...GOOD, profile: 'ful' }, 'profile ("ful") is unknown: use read-only or full.'],
  [{ ...GOOD, without: ['nope'] }, 'Unknown operation "nope" in --without: '],
  [{ ...GOOD, without: 'answer' }, 'without ("answer") has the wrong type: '],
  [{ ...GOOD, seed: '7' }, 'seed ("7") has the wrong type: '],
  [{ ...GOOD, seed: -1 }, 'seed ("-1") is too small: write a whole number from 0 to 2147483647.'],
  [{ ...GOOD, timeout: 5 }, 'timeout ("0.005") is too small: '],
  [{ ...GOOD, strict: 'yes' }, 'strict ("yes") has the wrong type: '],
  [{ ...GOOD, resources: { trunc: 'a' } }, '"trunc" is not a member of resources: did you mean trunk?'],
  [{ ...GOOD, resources: { trunk: 'a/b' } }, 'resources.trunk ("a/b") contains a slash: '],
  [{ ...GOOD, credentials: { access: 'two words' } }, 'credentials.access contains a space'],
  [{ ...GOOD, credentials: 'a_org_b' }, 'credentials is not an object: give it access, otherOrganization, revoked.'],
  [{ ...GOOD, onProgress: 5 }, 'onProgress has the wrong type: see the types of the package.'],
  [{ ...GOOD, reportDir: 5 }, 'reportDir has the wrong type'],
  [{ ...GOOD, numbers: { from: '+15550100', to: {} } }, 'numbers.to ({}) has the wrong type'],
  [{ ...GOOD, numbers: { from: '+15550100', to: '911' } }, 'numbers.to ("911") is an emergency or short number: '],
  [{ ...GOOD, maxCalls: null }, 'maxCalls (null) has the wrong type'],
  [{ ...GOOD, signal: null }, 'signal has the wrong type'],
  [{ ...GOOD, credentials: null }, 'credentials is missing: run needs baseUrl and credentials.'],
  [{ ...GOOD, credentials: {} }, 'credentials.access is missing: set it to '],
])('run rejects %j in one sentence', async (input, sentence) => {
  await expect(run(input as never)).rejects.toThrow(sentence);
});

test('run takes the defaults, what startReference gives, and operations by their short names', async () => {
  const reference = await startReference();
  vi.stubEnv('NODE_PATH', '/shims');
  try {
    const { results } = await run({
      ...DEFAULTS,
      ...reference.input,
      only: ['LIST-STATUS'],
      without: ['answer'] as never,
    });
    expect([results.verdict, results.without]).toEqual(['conformant', ['answerCall']]);
    expect(results.conditions).toContain('NODE_PATH=/shims');
  } finally {
    vi.unstubAllEnvs();
    await reference.close();
  }
});

test('run takes the default of what is undefined, and a short number where it is allowed', async () => {
  const reference = await startReference();
  try {
    const unset = { timeout: undefined, profile: undefined, only: undefined } as object;
    const numbers = { from: '+15550100', to: '112' };
    const input = { ...reference.input, ...unset, numbers, allowShortNumber: true };
    const { results } = await run(input);
    expect([results.verdict, results.profile]).toEqual(['conformant', 'read-only']);
  } finally {
    await reference.close();
  }
});

test.each<readonly [string, (given: never) => unknown]>([
  ['This is not a judged run: give what run returned.', (given) => compare(given, given)],
  ['This is not a judged run: give what run returned.', (given) => writeReports('nowhere', given)],
  ['writeReports needs a folder: name one.', (given) => writeReports(given, given)],
])('a value that no run returned is rejected in one sentence: %s', (sentence, call) => {
  for (const given of [undefined, {}, { results: {} }, 7]) expect(() => call(given as never)).toThrow(sentence);
});

test('run with a signal that was aborted before sends nothing', async () => {
  const reference = await startReference();
  try {
    const { results } = await run({ ...DEFAULTS, ...reference.input, signal: AbortSignal.abort() });
    expect([results.counts.requests, results.endedEarly]).toEqual([0, 'the run was interrupted']);
  } finally {
    await reference.close();
  }
});
