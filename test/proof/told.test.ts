/** What is told of faults: a finding for each stimulus, and a gate that compares them. `npm run test:long` takes all faults. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { SEQUENCE_FAULTS } from '../../fixtures/faults/sequences.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { groupBy } from '../../src/contract/lists.ts';
import { compareRuns, type KeyedFinding, keyedIn, keyOf } from '../../src/regression/comparison.ts';
import { addFailures, gate, matchExpectations } from '../../src/regression/expectations.ts';
import type { RunOptions } from '../../src/run/options.ts';
import type { Results } from '../../src/verdict/results.ts';
import { enveloped } from '../e2e/live.ts';
import { inLongAlone, narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

type Named = Pick<Fault, 'name'>;

async function runOf(
  faults: readonly Named[],
  changes: Partial<RunOptions> = {},
  inject: (service: Service) => Service = (service) => service,
) {
  const all = faults.flatMap(({ name }) => [...FAULTS, ...SEQUENCE_FAULTS].filter((fault) => fault.name === name));
  const reference: ReturnType<typeof planted> = createReference();
  const { service, settings } = all.reduce((served, fault) => planted(fault, served), reference);
  return (await judge(inject(service), optionsFrom(settings, changes))).results;
}

const since = (baseline: Results, results: Results) =>
  gate({ results, comparison: compareRuns({ results: baseline }, { results }) });

const DETAILS = { reason: 'r', owner: 'o', issue: 'https://issues.example/1', expires: '2999-12-31' };
const under = (listed: Results, results: Results) =>
  gate({ results, expected: matchExpectations(addFailures([], listed, DETAILS), results, '2026-01-01') });

const [PATTERN, COLUMN, CRASH] = [
  { name: 'name-as-a-pattern' },
  { name: 'column-of-255-characters' },
  { name: 'crash-on-null-character' },
];

/** Three defects on one operation: U+0000, the scheme of a URL in capitals, and a name of more than 128 characters. */
const threeDefects =
  (service: Service): Service =>
  async (request) => {
    const body = Buffer.from(request.body).toString();
    const isBroken =
      /\\u0000|HTTPS:|"name":"[^"]{129}/.test(body) && request.target.startsWith('/v1/voice-applications/');
    return isBroken ? enveloped(500) : service(request);
  };

test('each defect behind the others of a case is told by what was sent', async () => {
  const { requirements } = await runOf([], narrowed('NO-SERVER-ERROR'), threeDefects);
  const [broken, ...others] = requirements.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === 'fail'));
  expect([broken?.id, others]).toEqual(['NO-SERVER-ERROR/updateVoiceApplication', []]);
  const stimuli = broken?.findings.map(({ stimulus }) => stimulus) ?? [];
  expect(stimuli).toContain('a URL with its scheme in capital letters: /voice_url');
  expect(stimuli).toContain('strings with U+0000: /name');
  expect(stimuli).toContain('strings of 129 characters: /name');
  expect(stimuli.filter((stimulus) => !broken?.reason?.includes(stimulus))).toEqual([]);
});

describe('the gate', () => {
  test('is red for a second 500 behind a known one, and names it; the way back it says what is gone', async () => {
    const asked = narrowed('NO-SERVER-ERROR/updateTrunk');
    const [known, both] = [await runOf([PATTERN], asked), await runOf([PATTERN, COLUMN], asked)];
    const { code, sentences } = since(known, both);
    expect([code, sentences[0]]).toEqual([1, expect.stringContaining('strings of 5,000 characters: /name')]);
    const back = since(both, known);
    expect([back.code, back.gone.map(({ stimulus }) => stimulus)]).toEqual([
      0,
      expect.arrayContaining(['strings of 5,000 characters: /name']),
    ]);
    expect(under(known, both).code).toBe(1);
  });

  test.each([
    ['error-without-code', 'hang-up-error-without-message', 'ERROR-ENVELOPE/hangUpCall', 'error.message'],
    ['credential-in-challenges', 'credential-in-refusals', 'CREDENTIAL-WITHHELD/listTrunks', 'the body'],
    [
      'foreign-refusal-shows-the-trunk',
      'rejection-names-the-trunk',
      'ORG-ISOLATION/getTrunk',
      'of the record, and a text that it wrote, in message',
    ],
    ['variables-nested', 'dtmf-mode-as-a-number', 'CALL-CREATE-FIELD-TYPES/createCall', '/dtmf_mode is a number'],
  ])('is red where a case that %s fails is failed by %s, too', async (first, second, id, what) => {
    const asked = narrowed(id);
    const known = await runOf([{ name: first }], asked);
    const both = await runOf([{ name: first }, { name: second }], asked);
    const { code, new: fresh } = since(known, both);
    const told = fresh.flatMap((one) => (one.case === id ? [`${one.stimulus}: ${one.detail}`] : []));
    expect([code, told.join()]).toEqual([1, expect.stringContaining(what)]);
  });

  test('passes for a target that leaves the same calls possibly open', async () => {
    const asked = narrowed('NO-SERVER-ERROR/createCall');
    const [before, after] = [await runOf([CRASH], asked), await runOf([CRASH], asked)];
    expect(after.possiblyOpen).not.toEqual([]);
    expect([since(before, after).code, under(before, after).code]).toEqual([0, 0]);
    expect(since(await runOf([], asked), after).code).toBe(1);
  });

  inLongAlone(
    'knows a defect again in the walks of another seed, and tells one of a sequence beside it by its commands',
    async () => {
      const quoting =
        (service: Service): Service =>
        async (request) => {
          const answer = await service(request);
          const isLabelled = request.target.endsWith('/hangup') && request.headers['content-type'] !== undefined;
          const error = { code: 'conflict', message: request.headers['authorization'] };
          if (!isLabelled || answer.status !== 409) return answer;
          return { ...answer, body: Buffer.from(JSON.stringify({ success: false, error })) };
        };
      const run = (faults: readonly Named[], seed: number) => runOf(faults, { explore: 60, seed }, quoting);
      const behind = [{ name: 'credential-quoted-after-a-mute' }];
      const [known, both] = [await run([], 2), await run(behind, 2)];
      expect(keyedIn(known).map((one) => one.case)).toContain('CREDENTIAL-WITHHELD/hangUpCall');
      const stimulus = 'searchAvailableNumbers (a valid request), hangUpCall (a valid request)';
      expect(since(known, both).new).toMatchObject([{ case: 'CREDENTIAL-WITHHELD/hangUpCall', stimulus }]);
      const nightly = await run(behind, 4);
      expect([since(both, nightly).code, under(both, nightly).code]).toEqual([0, 0]);
    },
  );

  const alone = sampled(FAULTS, 600);
  test.each(alone.items)(`passes for the fault $name compared with itself (${alone.words})`, async (fault) => {
    const asked = narrowed(...fault.breaks);
    const [before, after] = [await runOf([fault], asked), await runOf([fault], asked)];
    expect(before.requirements.find(({ id }) => id === fault.breaks[0])?.verdict).toMatch(/fail|warning/);
    const [baseline, list] = [since(before, after), under(before, after)];
    expect([baseline.code, baseline.new, baseline.gone]).toEqual([0, [], []]);
    expect([list.code, list.new, list.gone]).toEqual([0, [], []]);
  });

  // Each fault behind the one before it that breaks the same requirement: all pairs would take a day.
  const pairs = [...groupBy(FAULTS, ({ breaks: [first] }) => first).values()].flatMap((own) =>
    own.map((second, at) => ({ first: own[at - 1] ?? own.at(-1) ?? second, second })),
  );
  const behind = sampled(
    pairs.filter(({ first, second }) => first !== second),
    600,
  );
  const names = `$second.name behind the known fault $first.name (${behind.words})`;
  test.each(behind.items)(`is red for what is new of the fault ${names}`, async ({ first, second }) => {
    const run = (...faults: readonly Named[]) => runOf(faults, narrowed(...first.breaks, ...second.breaks));
    const [known, other, both] = [await run(first), await run(second), await run(first, second)];
    const keys = (results: Results) => new Set(keyedIn(results).map(keyOf));
    const cases = new Set(keyedIn(known).flatMap((one) => (one.fails ? [one.case] : [])));
    const fresh = keyedIn(other).filter((one) => one.fails && cases.has(one.case) && !keys(known).has(keyOf(one)));
    // The first fault may answer before the second can, and after an accepted body others of its requirement are not sent.
    const shown = fresh.filter((one) => keys(both).has(keyOf(one)));
    const outcome = since(known, both);
    const isNamed = ({ case: id, stimulus }: KeyedFinding) =>
      outcome.new.some((one) => one.case === id && one.stimulus === stimulus);
    expect(shown.filter((one) => !isNamed(one)).map(keyOf)).toEqual([]);
    if (shown.length > 0) expect(outcome.code).toBe(1);
  });
});
