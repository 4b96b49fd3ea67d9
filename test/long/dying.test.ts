/** A service whose process exits on one request, with a supervisor that starts it again and without one. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { command } from '../e2e/command.ts';

const PROGRAM = fileURLToPath(new URL('../e2e/dying-service.mjs', import.meta.url));
/** Milliseconds until the supervisor starts the service again. */
const DOWNTIME = 1_000;

interface Supervised {
  readonly env: Readonly<Record<string, string>>;
  readonly starts: () => number;
  readonly stop: () => void;
}

/** Starts the service; `isRestarted` says whether it is started again, at the same port, when it exits. */
async function supervised(isRestarted: boolean): Promise<Supervised> {
  let isStopped = false;
  let starts = 0;
  const start = (port: string) => {
    starts += 1;
    const child = spawn(process.execPath, [PROGRAM, port], { stdio: ['ignore', 'pipe', 'inherit'] });
    current = child;
    child.once('exit', () => {
      if (isRestarted && !isStopped) setTimeout(() => start(new URL(env['PCS_BASE_URL'] ?? '').port), DOWNTIME);
    });
    return child;
  };
  let current: ReturnType<typeof start>;
  let env: Readonly<Record<string, string>> = {};
  const [line] = await once(start('0').stdout, 'data');
  env = JSON.parse(String(line));
  const stop = (): void => {
    isStopped = true;
    current.kill();
  };
  return { env, starts: () => starts, stop };
}

test('that is started again fails for that request alone, and every other case is judged', async () => {
  const { env, starts, stop } = await supervised(true);
  try {
    const { code, out } = await command(['run', '--profile', 'full', '--json'], env);
    const { requirements } = JSON.parse(out);
    const cases = requirements.flatMap((one: { readonly cases: readonly object[] }) => one.cases);
    const of = (...verdicts: readonly string[]) =>
      cases.flatMap(({ id, verdict }: Record<string, string>) => (verdicts.includes(verdict ?? '') ? [id] : []));
    expect([code, of('fail'), of('inconclusive', 'error')]).toEqual([1, ['RESPONSE-COMPLETE/updateTrunk'], []]);
    expect(starts()).toBeGreaterThan(4);
  } finally {
    stop();
  }
});

test('that is not started again leaves the run incomplete, and its first sentence names the request', async () => {
  const { env, starts, stop } = await supervised(false);
  try {
    const { code, out } = await command(['run', '--profile', 'full', '--quiet'], env);
    expect([code, starts()]).toEqual([3, 1]);
    // Calls that may be open come before the verdict.
    expect(out).toMatch(/^INCOMPLETE .*; it went down during .*PATCH \/v1\/trunks\/\S+ \(request \d+: /m);
  } finally {
    stop();
  }
});
