/** A target that dies of one request: it is found and named where the target is restarted, suspected where it is not. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Transport, WireOutcome, WireRequest } from '../../src/exchange/message.ts';
import { reasonsOf } from '../../src/report/causes.ts';
import { renderConsole } from '../../src/report/console.ts';
import { REPORTERS } from '../../src/report/write-reports.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { EVERY_OPERATION } from '../../suites/operations.ts';
import { inLongAlone, narrowed } from '../sampled.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../selftest/harness.ts';
import { isBroken } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';

const NEVER = Number.POSITIVE_INFINITY;
const THREE_SECONDS = 3_000;
/** Whatever a request that the target dies of may break. */
const ASKED = narrowed(
  'AUTH-SECRET',
  ...['NO-SERVER-ERROR', 'RESPONSE-COMPLETE', 'ERROR-ENVELOPE'].map((id) => `${id}/updateTrunk`),
);

interface Life {
  readonly isFatal: (request: WireRequest) => boolean;
  /** Milliseconds until its supervisor has restarted it. */
  readonly downtime: number;
  /** What its caller gets of the request that it dies of (`null`: its answer), and of those that come while it is down. */
  readonly last?: WireOutcome | null;
  readonly down?: WireOutcome;
}

const RESET = { kind: 'failure', failure: 'reset', detail: 'the connection ended before a response came' } as const;
const REFUSED = { kind: 'failure', failure: 'refused', detail: 'the connection was refused' } as const;

/** A run against a reference service whose process exits on some requests; the run has to come out the same again. */
async function dying({ isFatal, downtime, last = RESET, down = REFUSED }: Life, asked: Partial<RunOptions> = ASKED) {
  const { service, settings } = createReference();
  const clock = skippingClock();
  const alive = transportTo(service);
  let upAt = 0;
  let deaths = 0;
  const transport: Transport = async (request) => {
    if (clock.now() < upAt) return down;
    const answer = await alive(request);
    if (!isFatal(request)) return answer;
    deaths += 1;
    upAt = clock.now() + downtime;
    return last ?? answer;
  };
  const { record, results } = await judge(service, optionsFrom(settings, asked), clock, transport);
  await comesOutTheSameToo(record);
  const cases = results.requirements.flatMap((one) => one.cases);
  const open = cases.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  return { record, results, deaths, open, broken: cases.filter(isBroken) };
}

const textOf = ({ body }: WireRequest): string => new TextDecoder().decode(body ?? undefined);

/** Only the name of a trunk is quoted in its query. */
const onQuotes = (request: WireRequest): boolean =>
  request.method === 'PATCH' && request.path.startsWith('/v1/trunks/') && /"name":"[^,]*'/.test(textOf(request));

describe('a target that exits on one boundary value', () => {
  test('and is restarted after three seconds fails for that value alone', async () => {
    const { results, broken, open, deaths } = await dying({ isFatal: onQuotes, downtime: THREE_SECONDS });
    expect([broken.map(({ id }) => id), open, results.intermittent]).toEqual([
      ['RESPONSE-COMPLETE/updateTrunk'],
      [],
      [],
    ]);
    expect(broken[0]?.reason).toMatch(/each time the target went down\).*\(strings with quotes: \/name\)$/);
    // Two for the group, two for its half, two for the name, two for the quotes alone.
    expect(deaths).toBe(8);
  });

  test('and is not restarted is incomplete, and every report begins with the request', async () => {
    const { results, record, deaths } = await dying({ isFatal: onQuotes, downtime: NEVER });
    expect([results.verdict, deaths]).toEqual(['incomplete', 1]);
    const lost =
      /^the target stopped responding .*; it went down during PATCH \/v1\/trunks\/\S+ \(request \d+: strings of unusual/;
    const answered = / characters\), right after it answered [A-Z]+ \/v1\/\S+ \(request \d+: [^()]+\)$/;
    expect([results.reason, results.endedEarly]).toEqual([expect.stringMatching(lost), results.reason]);
    expect(results.reason).toMatch(answered);
    const run = { results, exchanges: record.exchanges };
    const [first] = reasonsOf(run).lastRequests;
    expect(results.reason).toContain(`(request ${first?.seq}: `);
    const texts = REPORTERS.map(({ file, render }) => [file, render(run) ?? ''] as const).concat([
      ['console', renderConsole(run, { color: false, detail: 'quiet' })],
    ]);
    const silent = texts.filter(([, text]) => !text.includes('it went down during PATCH /v1/trunks/'));
    expect(silent.map(([name]) => name)).toEqual(['choices.json', 'evidence.har', 'badge.json']);
  });

  test('behind a gateway, which answers 502 in its place, is found as well', async () => {
    const page = { kind: 'answer', status: 502, headers: [], body: new Uint8Array(), cut: false } as const;
    const life = { isFatal: onQuotes, downtime: THREE_SECONDS, last: page, down: page };
    const { broken, open, deaths } = await dying(life);
    expect([broken.map(({ id }) => id), open, deaths]).toEqual([
      ['NO-SERVER-ERROR/updateTrunk', 'ERROR-ENVELOPE/updateTrunk'],
      [],
      8,
    ]);
  });
});

const onShortToken = ({ headers }: WireRequest): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'authorization' && /^Bearer .{0,3}$/.test(value));

test('a target that exits on a short token gets it on one operation, and the others say why they did not', async () => {
  const isFatal = onShortToken;
  const asked = narrowed('AUTH-SECRET', 'RESPONSE-COMPLETE/createCall', `RESPONSE-COMPLETE/${EVERY_OPERATION[1]}`);
  const { broken, open, results, deaths } = await dying({ isFatal, downtime: THREE_SECONDS }, asked);
  const [create, ...others] = EVERY_OPERATION;
  expect([broken.map(({ id }) => id), deaths]).toEqual([[`RESPONSE-COMPLETE/${create}`], 2]);
  expect(open.filter((id) => !id.endsWith('/createCall'))).toEqual(others.map((id) => `AUTH-SECRET/${id}`));
  const reasons = new Set(
    results.requirements
      .flatMap(({ cases }) => cases.map(({ id, reason, remedy }) => [id, reason, remedy]))
      .filter(([id]) => others.some((one) => id === `AUTH-SECRET/${one}`))
      .map(([, ...said]) => said.join()),
  );
  expect([...reasons]).toEqual([
    `the credential in the form "short" crashed the target on ${create},fix the crash on ${create}, and run again`,
  ]);
  expect(results.endedEarly).toBeNull();
});

const onOtherLetters = ({ headers }: WireRequest): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'authorization' && /[^ -~]/.test(value));

// Seeds with which a walk holds such a request.
const EXPLORED: readonly (readonly [what: string, isFatal: (request: WireRequest) => boolean, Partial<RunOptions>])[] =
  [
    ['an id that is not UTF-8', ({ path }) => path.includes('%ff'), { explore: 400 }],
    ['a token that is not ASCII', onOtherLetters, { explore: 400, seed: 11 }],
  ];

for (const [what, isFatal, asked] of EXPLORED)
  inLongAlone(
    `an exploration leaves out ${what} that took the target down, and says so in the path of its walk`,
    async () => {
      const { deaths } = await dying({ isFatal, downtime: THREE_SECONDS }, { ...asked, explore: 0 });
      const explored = await dying({ isFatal, downtime: THREE_SECONDS }, asked);
      expect(explored.deaths).toBe(deaths);
      const first = explored.record.exchanges.find(({ tag }) =>
        tag.about.includes('without what crashed the target: '),
      );
      const path = first?.tag.origin?.path ?? '';
      expect(path).toMatch(/^\d+(:\d+)+$/);
      const sentIn = ({ record }: typeof explored): readonly string[] =>
        record.exchanges
          .filter(({ tag }) => tag.origin?.path === path)
          .map(({ request }) => `${request.method} ${request.path} ${request.credential}`);
      expect(sentIn(await dying({ isFatal: () => false, downtime: NEVER }, { ...asked, path }))).toEqual(
        sentIn(explored),
      );
    },
  );

test('a target that exits after its answer is named with the last requests that it answered', async () => {
  const { results } = await dying({ isFatal: onQuotes, downtime: NEVER, last: null });
  expect(results.reason).toMatch(/; the last requests that it answered were .*PATCH \/v1\/trunks\/\S+ \(request/);
});

test.each([
  ['before the run', 1],
  ['after the 40th request', 40],
] as const)('what a target that is down for good (%s) was not asked has that reason alone', async (_when, at) => {
  let requests = 0;
  const isFatal = (): boolean => {
    requests += 1;
    return requests === at;
  };
  const { results } = await dying({ isFatal, downtime: NEVER }, {});
  const unasked = results.requirements
    .flatMap(({ cases }) => cases.flatMap(({ unanswered = [] }) => unanswered))
    .filter(({ status }) => status === 'not asked');
  expect(unasked.length).toBeGreaterThan(1_000);
  expect(unasked.map(({ reason }) => reason).filter((reason) => !reason.startsWith('the run ended early: '))).toEqual(
    [],
  );
});
