/** What the evidence of a run shows as traffic: the same requirement wherever an answer shows it, and nothing else. */

import { describe, expect, test } from 'vitest';
import { type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { REQUIREMENTS, requirementById } from '../../suites/catalogue.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { judged } from '../selftest/judged.ts';
import type { Choices } from '../selftest/sample.ts';
import { brokenBy, judgeEvidence } from './judged-traffic.ts';
import { batchesOf } from './samples.ts';

/** Faults of which an answer says too little, and why; a fault that only a pair could show need not be there. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'refusals-redirected-to-login': 'a redirect to another host may be that of a portal',
  'methods-not-allowed-silently': 'other methods are none of the interface',
  'router-405-in-text': 'other methods are none of the interface',
  'second-hang-up-hangs': 'each request is for another call, so nothing persists',
  'django-csrf-page': 'each request is for another call, so nothing persists',
  'go-recover-writes-text': 'a call of unknown outcome is not repeated often enough',
  'conflict-without-a-body': 'each request is for another call, so nothing persists',
  'crash-with-an-empty-body': 'a call of unknown outcome is not repeated often enough',
  'reset-on-a-null-character': 'a call of unknown outcome is not repeated often enough',
  'call-never-answered': 'a call of unknown outcome is not repeated often enough',
  'no-codecs-behind-known-modes': 'a call of unknown outcome is not repeated often enough',
  'page-behind-a-trunk': 'a call of unknown outcome is not repeated often enough',
  'hang-ups-race-page': 'two requests at one moment show it, and nothing in traffic repeats the moment',
  'trunk-lock-page': 'two requests at one moment show it, and nothing in traffic repeats the moment',
  'answers-race-page': 'two requests at one moment show it, and nothing in traffic repeats the moment',
  'pool-of-five-connections-page': 'two requests at one moment show it, and nothing in traffic repeats the moment',
  'length-in-characters': 'the same read is complete while the trunk has another name',
};

const byAnswer = (id: string): boolean => !['pair', undefined].includes(requirementById(id)?.traffic);

/** Whether an answer alone shows something that the fault breaks. */
export const isShown = ({ breaks }: Fault): boolean => breaks.some(byAnswer);

/** Only an id that is known to name nothing tells an answer without a record from a trunk without its state. */
const OF_UNKNOWN_IDS: readonly string[] = ['UNKNOWN-ID-REFUSED', 'MALFORMED-ID-REFUSED'];

/** What traffic names in the place of a requirement that only probes show: what that one explains in a run. */
function alsoNamed({ breaks }: Fault): readonly string[] {
  const broken: readonly string[] = breaks;
  const explained = REQUIREMENTS.filter(({ explainedBy = [] }) => explainedBy.some((id) => broken.includes(id)));
  const shown = broken.some((id) => OF_UNKNOWN_IDS.includes(id)) ? ['TRUNK-SHOWS-STATE'] : [];
  // In traffic, each change without a credential that was accepted counts by itself.
  const taken = broken.includes('AUTH-APPLICATION-UNCHANGED') ? ['AUTH-CREDENTIAL-REQUIRED'] : [];
  return [...explained.map(({ id }) => id), ...shown, ...taken];
}

/** Registers the tests of these faults. */
export function proveFaultsByTraffic(faults: readonly Fault[]): void {
  test.each(faults)('the traffic of $name names what an answer shows', async (fault) => {
    const { service, settings } = planted(fault, createReference());
    const broken = brokenBy(await judgeEvidence(await judge(service, optionsFrom(settings))));
    const due = fault.name in NOT_SHOWN ? [] : fault.breaks.filter(byAnswer);
    expect(due.filter((id) => !broken.includes(id))).toEqual([]);
    expect(broken.filter((id) => !([...fault.breaks, ...alsoNamed(fault)] as readonly string[]).includes(id))).toEqual(
      [],
    );
    if (fault.name in NOT_SHOWN) expect(broken).toEqual([]);
  });
}

/** Registers the tests of these lawful variants. */
export function proveVariantsByTraffic(rows: readonly Choices[]): void {
  describe('the traffic of a lawful service shows no breach', () => {
    test.each(batchesOf(rows))('in the sample from $from to $to', async ({ batch }) => {
      const accused: unknown[] = [];
      for (const choices of batch) {
        const { results } = await judgeEvidence(await judged(choices));
        if (results.verdict !== 'no breach') accused.push({ choices, summary: results.summary });
      }
      expect(accused).toEqual([]);
    });
  });
}
