import { expect, test } from 'vitest';
import { outcomeOf } from '../../../src/certificate/certification.ts';
import { soundRun, withCase } from '../regression/judged-runs.ts';

const sound = { ...(await soundRun()).results, verdict: 'conformant' as const };

test('a certification is conformant if every case was judged and nothing was flaky', () => {
  expect(outcomeOf(sound)).toMatchObject({ kind: 'attested', outcome: 'conformant' });
});

test('a certification is incomplete with any inconclusive case, even of a recommendation', () => {
  const should = sound.requirements.find(({ level }) => level === 'should')?.cases[0]?.id ?? '';
  const left = withCase(sound, should, { verdict: 'inconclusive', reason: 'no answer', remedy: 'call later' });
  expect(outcomeOf(left)).toMatchObject({ kind: 'incomplete' });
  expect(outcomeOf(left).reason).toContain(`${should} (no answer); remedy: call later`);
});

test('a flaky symptom makes a certification non-conformant', () => {
  const flaky = { ...sound, intermittent: [{ symptom: 'listTrunks 502', exchanges: [3] }] };
  expect(outcomeOf(flaky)).toMatchObject({ kind: 'attested', outcome: 'non-conformant' });
});

test('a void or incomplete run is not attested', () => {
  expect(outcomeOf({ ...sound, verdict: 'void' }).kind).toBe('void');
  expect(outcomeOf({ ...sound, verdict: 'incomplete' }).kind).toBe('incomplete');
});
