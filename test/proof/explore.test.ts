import { describe, expect, test } from 'vitest';
import { accepted, crashing } from '../../fixtures/faults/behind.ts';
import { SEQUENCE_FAULTS } from '../../fixtures/faults/sequences.ts';
import { all, authorized, on } from '../../fixtures/faults/visit.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { isWhole } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn, casesOf, judged, plainRun } from '../selftest/judged.ts';
import { allBut } from '../unit/certificate/certified.ts';
import { comesOutTheSame } from './again.ts';
import { judgeBehind } from './gateways.ts';
import { readsBehind } from './late-reads.ts';

/** The walks over lists and a trunk; in the long project over every operation. */
const WALKED = isWhole() ? {} : { without: allBut('listTrunks', 'listNumbers', 'getTrunk', 'updateTrunk') };

const explored = async (explore: number, changes: Partial<RunOptions> = {}) => {
  const { service, settings, inspect } = createReference();
  const { record, results } = await judge(service, optionsFrom(settings, { explore, maxRequests: 10_000, ...changes }));
  const walks = record.exchanges.filter(({ tag }) => tag.origin !== undefined);
  const sent = walks.map(
    ({ request }) => `${request.method} ${request.path} ${request.credential} ${request.body?.text}`,
  );
  return { record, results, walks, sent, inspect };
};

const brief = explored(60);

describe('an exploration', () => {
  test('costs what it says, places no call, and leaves nothing behind', async () => {
    const [without, with60] = [await plainRun(), await brief];
    expect(without.record.exchanges.filter(({ tag }) => tag.origin !== undefined)).toEqual([]);
    expect(with60.sent.length).toBeGreaterThan(50);
    expect(with60.results.counts.requests - without.results.counts.requests).toBeLessThanOrEqual(65);
    expect(with60.results.counts.calls).toBe(without.results.counts.calls);
    expect(with60.results).toMatchObject({
      verdict: 'conformant',
      changed: [expect.stringMatching(/^participant .* was muted, and no operation/)],
      possiblyOpen: [],
    });
    expect(with60.inspect().callsOpen).toBe(0);
  });

  test('depends on the seed alone', async () => {
    const { sent } = await explored(60, WALKED);
    expect((await explored(60, WALKED)).sent).toEqual(sent);
    expect((await explored(60, { ...WALKED, seed: 2 })).sent).not.toEqual(sent);
  });

  test('accuses nothing where reads are two seconds behind', async () => {
    const { accused } = await judgeBehind({ gateways: [readsBehind(1_900)], changes: { explore: 60 } });
    expect(accused).toEqual([]);
  });
});

describe('a fault that only a sequence shows', () => {
  test('is shrunk to the commands that show it, which its path sends again, and comes out the same in a rerun', async () => {
    const fault = SEQUENCE_FAULTS.find(({ name }) => name === 'trunk-gone-after-the-list');
    if (fault === undefined) throw new Error('the fault is gone');
    const { record, results } = await judged({}, { explore: 60 }, fault);
    const [finding] = results.requirements.flatMap(({ cases }) => cases).flatMap(({ findings }) => findings);
    const example = record.exchanges.find(({ seq }) => seq === finding?.example);
    expect(example?.tag.origin?.commands).toBe(2);
    await comesOutTheSame(record);
    const { service, settings } = createReference();
    const options = optionsFrom(settings, { path: example?.tag.origin?.path ?? '' });
    const alone = await judge(fault.inject(service, settings), options);
    expect(brokenIn(alone.results)).toEqual(fault.breaks);
  });
});

test('a crash that goes away when its request is sent alone is believed if it comes back behind the one before', async () => {
  const crashes = crashing([accepted('updateVoiceApplication')], all(on('listTrunks', 'listNumbers'), authorized));
  const { service, settings } = createReference();
  const { record, results } = await judge(crashes(service, settings), optionsFrom(settings, { explore: 60 }));
  expect(brokenIn(results)).toEqual(['NO-SERVER-ERROR']);
  await comesOutTheSame(record);
});

test('what the plan sends as well is told in its words alone', async () => {
  const { service, settings } = createReference();
  // Reads are served with whatever has the prefix of a credential: each walk with such a token shows what the plan shows.
  const open: typeof service = (request) => {
    const { method, headers } = request;
    const isOpen = method === 'GET' && /^Bearer pcs_org_./.test(headers['authorization'] ?? '');
    const authorization = `Bearer ${settings.PCS_ACCESS_TOKEN}`;
    return service(isOpen ? { ...request, headers: { ...headers, authorization } } : request);
  };
  const { record, results } = await judge(open, optionsFrom(settings, { ...WALKED, explore: 60, seed: 2 }));
  const findings = casesOf(results).flatMap((result) => result.findings);
  const isInWalk = (seq: number) => record.exchanges.some(({ seq: at, tag }) => at === seq && tag.origin !== undefined);
  expect(findings.flatMap(({ exchanges }) => exchanges).some(isInWalk)).toBe(true);
  expect(findings.filter(({ walk }) => walk !== undefined)).toEqual([]);
});
