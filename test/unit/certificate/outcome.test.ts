import { expect, test } from 'vitest';
import { outcomeOf } from '../../../src/certificate/certification.ts';
import { soundRun, withCase } from './judged-runs.ts';

const sound = { ...(await soundRun()).results, verdict: 'conformant' as const };

test('a certification is conformant where all was judged and nothing flickered', () => {
  expect(outcomeOf(sound)).toMatchObject({ kind: 'attested', outcome: 'conformant' });
});

test('a certification stays open with any case that was not judged, a recommendation included', () => {
  const should = sound.requirements.find(({ level }) => level === 'should')?.cases[0]?.id ?? '';
  const left = withCase(sound, should, { verdict: 'inconclusive', reason: 'nobody knows' });
  expect(outcomeOf(left)).toMatchObject({ kind: 'incomplete' });
  expect(outcomeOf(left).reason).toContain(`${should} (nobody knows)`);
});

test('an intermittent symptom makes a certification non-conformant', () => {
  const flickering = { ...sound, intermittent: [{ symptom: 'listTrunks 502', exchanges: [3] }] };
  expect(outcomeOf(flickering)).toMatchObject({ kind: 'attested', outcome: 'non-conformant' });
});

test('what is void or incomplete is not attested', () => {
  expect(outcomeOf({ ...sound, verdict: 'void' }).kind).toBe('void');
  expect(outcomeOf({ ...sound, verdict: 'incomplete' }).kind).toBe('incomplete');
});
