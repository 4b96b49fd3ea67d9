import { describe, expect, test } from 'vitest';
import { listenForSignals } from '../../../src/cli/interruption.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { STUB_PARTS, stage } from './stage.ts';

const WINDING_DOWN = 'Interrupted: winding down, and hanging up what is open. Once more stops at once.';

describe('signals', () => {
  test('abort the run the first time, with the name as the reason', () => {
    const { terminal, err, exits, send } = stage();
    const interruption = listenForSignals(terminal);
    send('SIGTERM', 1);
    expect([interruption.signal.reason, interruption.received(), err, exits]).toEqual([
      'SIGTERM',
      'SIGTERM',
      [WINDING_DOWN],
      [],
    ]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stop at once the second time, %s with %i, after the last words', (signal, code) => {
    const { terminal, err, exits, send } = stage();
    listenForSignals(terminal).setLastWords(() => 'Call 7 may still be open.');
    send('SIGINT', 0);
    send(signal, 300);
    expect([err, exits]).toEqual([[WINDING_DOWN, 'Call 7 may still be open.'], [code]]);
  });

  test('count as one when npm passes on what the terminal has sent already', () => {
    const { terminal, exits, send } = stage();
    listenForSignals(terminal);
    send('SIGINT', 1000);
    send('SIGINT', 1299);
    expect(exits).toEqual([]);
  });

  test('are left alone once released', () => {
    const { terminal, err, listeners, send } = stage();
    listenForSignals(terminal).release();
    send('SIGINT', 0);
    expect([listeners(), err]).toEqual([0, []]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('end a run that %s wound down with %i, whatever its verdict', async (signal, code) => {
    const { terminal, send, listeners } = stage({ PCS_BASE_URL: 'http://localhost:1', PCS_ACCESS_TOKEN: 'a' });
    const conduct = async () => {
      send(signal, 0);
      return 1 as const;
    };
    expect(await runCommandLine(['run'], { ...STUB_PARTS, conduct }, terminal)).toBe(code);
    expect(listeners()).toBe(0);
  });
});
