import { describe, expect, test } from 'vitest';
import { openCommandEnd, openSuitesEnd } from '../../../src/run/run-channel.ts';

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason));
  });
}

describe('the channel of a run', () => {
  test('delivers on closing what was posted and not yet taken in', () => {
    const seen: string[] = [];
    const command = openCommandEnd<string>('closing', (event) => seen.push(event));
    const suites = openSuitesEnd<string>('closing');
    suites.report('one');
    suites.report('two');
    suites.finish();
    expect(command.close()).toEqual({ finished: true });
    expect(seen).toEqual(['one', 'two']);
  });

  test('says when the suites did not finish', () => {
    const command = openCommandEnd('unfinished', () => undefined);
    openSuitesEnd('unfinished').report('one');
    expect(command.close()).toEqual({ finished: false });
  });

  test('hands an interruption over to suites that open later', async () => {
    const command = openCommandEnd('early', () => undefined);
    command.interrupt('SIGTERM');
    await new Promise((resolve) => setImmediate(resolve));
    const suites = openSuitesEnd('early');
    expect(await aborted(suites.signal)).toBe('SIGTERM');
    suites.finish();
    command.close();
  });

  test('belongs to one run', () => {
    const seen: string[] = [];
    const command = openCommandEnd<string>('mine', (event) => seen.push(event));
    const suites = openSuitesEnd<string>('yours');
    suites.report('not for you');
    suites.finish();
    expect([command.close(), seen]).toEqual([{ finished: false }, []]);
  });
});
