/** Observed with GET, HEAD and OPTIONS alone: ids, parameters, methods, routes, concurrency, a wrong prefix. */

import type { OperationId } from '../src/contract/operations.ts';
import type { Kit, Variation } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/run/sequence.ts';
import { gapAsk, observation } from './observation.ts';

const ANYWHERE = { lane: null } as const;

const MALFORMED = [
  ['%00', '%00'],
  ['%FF', '%ff'],
  ['an encoded slash', 'a%2Fb'],
  ['quotes', '%22%27'],
  ['300 characters', 'x'.repeat(300)],
  ['10,000 characters', 'x'.repeat(10_000)],
] as const;

function malformedId(kit: Kit, label: string, id: string): Sequence {
  const asks = [gapAsk('GAP-MALFORMED-ID', label)];
  return observation('getTrunk', `id of ${label}`, asks, ANYWHERE, async (talk) => {
    const path = kit.path('getTrunk', [id]);
    await talk.send(kit.request('getTrunk', { path, asks, step: 'malformed id', about: `an id of ${label}` }));
  });
}

const SPELLINGS = [
  ['in capitals', (id: string) => id.toUpperCase()],
  ['undashed', (id: string) => id.replaceAll('-', '')],
] as const;

function spelledId(kit: Kit, [label, spell]: (typeof SPELLINGS)[number]): Sequence {
  const asks = [gapAsk('GAP-ID-FORM', label)];
  return observation('getTrunk', `id ${label}`, asks, ANYWHERE, async (talk) => {
    demandNamed(kit, 'getTrunk');
    const path = kit.path('getTrunk', [spell(kit.named('trunk') ?? '')]);
    await talk.send(kit.request('getTrunk', { path, asks, step: 'spelled id', about: `the id ${label}` }));
  });
}

const PARAMETERS = [
  ['listTrunks', 'GAP-UNKNOWN-QUERY', 'pcs_conformance_unknown=1'],
  ['listTrunks', 'GAP-QUERY-LIST-TRUNKS', 'limit=1'],
  ['listNumbers', 'GAP-QUERY-LIST-NUMBERS', 'limit=1'],
  ['listNumbers', 'GAP-PAGE-LIMITS', 'limit=100000'],
  ['searchAvailableNumbers', 'GAP-QUERY-AVAILABLE-NUMBERS', 'limit=1'],
] as const satisfies readonly (readonly [OperationId, string, string])[];

function parameter(kit: Kit, [id, gap, query]: (typeof PARAMETERS)[number]): Sequence {
  const asks = [gapAsk(gap, query)];
  return observation(id, query, asks, ANYWHERE, async (talk) => {
    const plain = kit.path(id);
    const path = `${plain}${plain.includes('?') ? '&' : '?'}${query}`;
    await talk.send(kit.request(id, { path, asks, step: 'parameter', about: `the parameter ${query}` }));
  });
}

/** Requests outside the thirteen: nothing but what changes nothing. */
const ELSEWHERE = [
  ['HEAD', '/v1/trunks/', 'GAP-HEAD'],
  ['OPTIONS', '/v1/calls/', 'GAP-OPTIONS'],
  ['GET', '/v1/calls/', 'GAP-UNKNOWN-ROUTES'],
] as const;

function elsewhere(kit: Kit, [method, path, gap]: (typeof ELSEWHERE)[number]): Sequence {
  const label = `${method} ${path}`;
  const asks = [gapAsk(gap, label)];
  return observation('undocumented', label, asks, ANYWHERE, async (talk) => {
    const request = kit.request('listTrunks', { path, asks, step: 'elsewhere', about: label });
    await talk.send({ ...request, operation: null, method });
  });
}

const AT_ONCE = 3;

/** Reads that are under way at the same time. */
function together(kit: Kit): Sequence {
  const asks = [gapAsk('GAP-RATE-LIMITS', `${AT_ONCE} reads at once`)];
  const read = (talk: Talk, at: number): Promise<unknown> => {
    const variation: Variation = { asks, step: `at once ${at}`, about: `one of ${AT_ONCE} reads at once` };
    return talk.send(kit.request('listTrunks', variation));
  };
  return observation('listTrunks', `${AT_ONCE} reads at once`, asks, ANYWHERE, async (talk) => {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => read(talk, at + 1)));
  });
}

/** Among the bad credentials of its operation, since a target may count it as one. */
function wrongPrefix(kit: Kit): Sequence {
  const asks = ['GAP-AUTH-WRONG-PREFIX'];
  const place = { lane: 'credentials listTrunks', phase: 'credentials' } as const;
  return observation('listTrunks', 'wrong prefix', asks, place, async (talk) => {
    const about = 'the right secret under another prefix';
    await talk.send(kit.request('listTrunks', { credential: 'wrong-prefix', asks, step: 'wrong prefix', about }));
  });
}

/** What reading shows of the gaps, in either profile. */
export const OBSERVED_READS: Suite = {
  name: 'observed reads',
  sequences: (kit) => [
    ...MALFORMED.map(([label, id]) => malformedId(kit, label, id)),
    ...SPELLINGS.map((spelling) => spelledId(kit, spelling)),
    ...PARAMETERS.map((one) => parameter(kit, one)),
    ...ELSEWHERE.map((one) => elsewhere(kit, one)),
    together(kit),
    wrongPrefix(kit),
  ],
};
