/**
 * What a run believes of symptoms, lock-outs and outages (conformance model, section 5): each row is the reference service with
 * one thing scripted, beside it the same with one thing changed.
 */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Transport, WireOutcome } from '../../../src/exchange/message.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../../selftest/harness.ts';
import { casesOf, isBroken } from '../../selftest/judged.ts';

/** A request as a script sees it. */
interface Seen {
  /** How many requests to its route came before with the same credential, and how many of all. */
  readonly before: number;
  readonly beforeOfAll: number;
  /** Milliseconds since the run began. */
  readonly now: number;
  /** The Authorization field. */
  readonly bearer: string;
  readonly isOurs: boolean;
  /** Whether it leaves on a connection of its own. */
  readonly isFresh: boolean;
  readonly route: string;
  readonly text: string;
}

/** What stands in place of the service's answer; `null` for that answer. */
type Script = (seen: Seen) => WireOutcome | null;

const answer = (status: number, body: string, type = 'application/json'): WireOutcome => {
  return {
    kind: 'answer',
    status,
    headers: [['Content-Type', type]],
    body: new TextEncoder().encode(body),
    cut: false,
  };
};
const PAGE = '<h1>Error</h1>';
const CUT = { cut: true } as const;
const page = (status: number) => answer(status, PAGE, 'text/html');
const rejected = (status: number) => answer(status, '{"success":false,"error":{"code":"x","message":"Not now."}}');
const RESET: WireOutcome = { kind: 'failure', failure: 'reset', detail: 'the connection ended' };
const REFUSED: WireOutcome = { kind: 'failure', failure: 'refused', detail: 'the connection was refused' };

/** The verdict of the run, the cases that it breaks, and how many symptoms it calls flaky. */
async function outcomeOf(script: Script, changes: Partial<RunOptions>): Promise<string> {
  const { service, settings } = createReference();
  const clock = skippingClock();
  const options = optionsFrom(settings, changes);
  const toService = transportTo(service);
  const counts = new Map<string, number>();
  let all = 0;
  const transport: Transport = async (request) => {
    const bearer = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
    const route = `${request.method} ${request.path.replace(/\?.*/, '').replaceAll(/[0-9a-f]{8}-[^/]*/g, '*')}`;
    const key = `${route} ${bearer}`;
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    all += 1;
    const isOurs = bearer === `Bearer ${options.credentials.access}`;
    const text = new TextDecoder().decode(request.body ?? undefined);
    const seen = {
      before,
      beforeOfAll: all - 1,
      now: clock.now(),
      bearer,
      isOurs,
      isFresh: request.fresh === true,
      route,
      text,
    };
    return script(seen) ?? toService(request);
  };
  const { results } = await judge(service, options, clock, transport);
  const flaky = results.intermittent.length;
  return [
    results.verdict,
    ...casesOf(results)
      .filter(isBroken)
      .map(({ id }) => id),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
  ].join(', ');
}

type Row = readonly [title: string, script: Script, outcome: string | RegExp, changes?: Partial<RunOptions>];

function rule(title: string, asked: Partial<RunOptions>, rows: readonly Row[]): void {
  for (const [row, script, outcome, changes] of rows)
    test(`${title}: ${row}`, async () => {
      expect(await outcomeOf(script, { ...asked, ...changes })).toEqual(
        typeof outcome === 'string' ? outcome : expect.stringMatching(outcome),
      );
    });
}

const both =
  (one: Script, other: Script): Script =>
  (seen) =>
    one(seen) ?? other(seen);
const only = (...ids: readonly string[]): Partial<RunOptions> => ({ only: ids });
const TRUNK = 'GET /v1/trunks/*';
const READS = only(
  ...['NO-SERVER-ERROR', 'RESPONSE-COMPLETE', 'ERROR-ENVELOPE', 'SUCCESS-STATUS'].map((id) => `${id}/getTrunk`),
);

/** On our reads of the trunk, from the second on. */
const reading =
  (times: number, outcome: WireOutcome): Script =>
  ({ route, isOurs, before }) =>
    route === TRUNK && isOurs && before >= 1 && before < 1 + times ? outcome : null;

describe('a symptom', () => {
  rule('fails where every sending shows it, and is flaky where it goes away', READS, [
    ['none', () => null, 'conformant'],
    ['502 once', reading(1, page(502)), 'conformant, 1 flaky'],
    ['502 three times', reading(3, page(502)), 'conformant, 1 flaky'],
    ['502 always', reading(1_000, page(502)), 'non-conformant, NO-SERVER-ERROR/getTrunk, ERROR-ENVELOPE/getTrunk'],
    ['a page once', reading(1, page(404)), 'conformant, 1 flaky'],
    ['an error too long to be read once', reading(1, { ...page(404), ...CUT }), 'conformant'],
    ['a page always', reading(1_000, page(404)), 'non-conformant, ERROR-ENVELOPE/getTrunk'],
    ['no answer once', reading(1, RESET), 'conformant, 1 flaky'],
    ['no answer ever', reading(1_000, RESET), 'non-conformant, RESPONSE-COMPLETE/getTrunk'],
    ['502 once, strictly', reading(1, page(502)), 'non-conformant, 1 flaky', { strict: true }],
    ['503 once is no symptom', reading(1, rejected(503)), 'conformant'],
  ]);

  const answering =
    (later: WireOutcome | null): Script =>
    ({ route, isOurs, before }) =>
      route === 'POST /v1/calls/*/answer' && isOurs ? (before === 0 ? page(502) : later) : null;
  rule('stays open where an action may have taken effect', only('NO-SERVER-ERROR/answerCall'), [
    ['502, and it is accepted later', answering(null), 'conformant, 1 flaky'],
    ['502, and it is rejected from then on', answering(rejected(409)), 'incomplete, 1 flaky'],
  ]);

  const HANG_UPS = 'POST /v1/calls/*/hangup';
  const hangingUp =
    (second: WireOutcome, later: WireOutcome | null): Script =>
    ({ route, isOurs, before }) =>
      route === HANG_UPS && isOurs ? ([rejected(404), second][before] ?? later) : null;
  // The call is not known at first, so that only the ledger sends its hang-up again.
  rule(
    'says nothing of a hang-up that is accepted when it is sent again',
    only('RESPONSE-COMPLETE/hangUpCall', 'NO-SERVER-ERROR/hangUpCall'),
    [
      ['lost', hangingUp(RESET, null), 'conformant'],
      ['lost, and the call has ended then', hangingUp(RESET, rejected(409)), 'incomplete'],
      ['500', hangingUp(page(500), null), 'conformant'],
      ['500, and the call has ended then', hangingUp(page(500), rejected(409)), 'incomplete'],
    ],
  );

  test('is asked for again on a connection of its own', async () => {
    const fresh: boolean[] = [];
    const noting: Script = ({ route, isOurs, before, isFresh }) => {
      if (route === TRUNK && isOurs && before < 4) fresh.push(isFresh);
      return null;
    };
    await outcomeOf(both(noting, reading(2, RESET)), READS);
    expect(fresh).toEqual([false, false, true, true]);
  });
});

/** After each tenth invalid credential every sender gets that status for some seconds. */
function lockingOut(status: number, seconds: number): Script {
  let [invalid, until] = [0, 0];
  return ({ now, isOurs, bearer, route }) => {
    if (now < until) return rejected(status);
    if (isOurs || bearer === '' || !route.includes('/v1/')) return null;
    invalid += 1;
    if (invalid % 10 === 0) until = now + 1_000 * seconds;
    return null;
  };
}

const LISTS = 'GET /v1/trunks/';
const SECRETS = only(
  'AUTH-SECRET',
  'AUTH-STATUS-401',
  'AUTH-CREDENTIAL-ACCEPTED',
  'SUCCESS-STATUS/getTrunk',
  'LIST-STATUS',
);

describe('a lock-out', () => {
  const LONG = { maxWait: 86_400_000 };
  const acceptingSecret: Script = ({ route, isOurs, bearer }) =>
    route === LISTS && !isOurs && bearer.startsWith('Bearer pcs') ? answer(200, '{}') : null;
  const unauthorized: Script = ({ route, isOurs }) => (route === TRUNK && isOurs ? rejected(401) : null);

  rule('is no evidence: neither a 401 to ours nor a rejection of the others', SECRETS, [
    ['403 for 20 s', lockingOut(403, 20), 'conformant', LONG],
    [
      '403, where a list accepts a wrong secret',
      both(lockingOut(403, 20), acceptingSecret),
      'non-conformant, AUTH-SECRET/listTrunks',
      LONG,
    ],
    [
      '401, where one operation never accepts ours',
      both(lockingOut(401, 20), unauthorized),
      'non-conformant, AUTH-CREDENTIAL-ACCEPTED/getTrunk',
      LONG,
    ],
    ['401 for longer than may be waited', lockingOut(401, 1_000), 'incomplete'],
  ]);
});

/** From the 30th request on, nothing but that for some seconds. */
function down(outcome: WireOutcome, seconds: number): Script {
  let until = 0;
  return ({ beforeOfAll, now }) => {
    if (beforeOfAll === 30) until = now + 1_000 * seconds;
    return now < until ? outcome : null;
  };
}

describe('an outage', () => {
  const OUTAGE = only('NO-SERVER-ERROR', 'RESPONSE-COMPLETE', 'ERROR-ENVELOPE', 'SUCCESS-STATUS');
  rule('is one, and held against none', OUTAGE, [
    ['502 for 5 s', down(page(502), 5), 'conformant, 1 flaky'],
    ['refused for 5 s', down(REFUSED, 5), 'conformant, 1 flaky'],
    [
      '502 on one operation for good',
      both(down(page(502), 5), reading(1_000, page(502))),
      'non-conformant, NO-SERVER-ERROR/getTrunk, ERROR-ENVELOPE/getTrunk, 1 flaky',
    ],
    ['refused for good', down(REFUSED, 10_000), /^incomplete/],
    ['502 for good', down(page(502), 10_000), /^incomplete/],
  ]);
});
