/** Remedies, each in a run of the case that it is for; test/long proves them in whole runs. */

import { expect, test } from 'vitest';
import { judge } from '../../src/selftest/harness.ts';
import { casesOf } from '../../src/selftest/judged.ts';
import { OWN, rejecting } from './remedies.ts';
import { proveRemedies } from './remedy-proof.ts';

const TOKEN = `Bearer ${OWN.credentials.access}`;

proveRemedies('alone');

test('no remedy is to raise --max-calls where a call may still be open', async () => {
  const hangsNever = rejecting(500, ({ target }) => target.endsWith('/hangup'));
  const { results } = await judge(hangsNever(), OWN);
  const remedies = new Set(casesOf(results).map(({ remedy }) => remedy));
  expect([...remedies].filter((remedy) => remedy?.includes('--max-calls'))).toEqual([]);
  const reasons = casesOf(results).map(({ reason }) => reason);
  expect(reasons).toContain('a call could not be hung up, so no more calls are placed');
  expect(remedies).toContain('check PCS_CALL_TO: a call to it must last until it is hung up');
  expect(reasons).not.toContain('the last calls are kept for controls');
});

test('a credential that may write nothing is named in the first sentence, once', async () => {
  const readsOnly = rejecting(403, ({ method, headers }) => method !== 'GET' && headers['authorization'] === TOKEN);
  const { results } = await judge(readsOnly(), OWN);
  expect(results.summary).toMatch(
    /^\d+ cases could not be judged: every write got status 403; to resolve: allow PCS_ACCESS_TOKEN to write, or run with --profile read-only$/,
  );
});
