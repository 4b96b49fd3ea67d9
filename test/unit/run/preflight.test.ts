/** What the first reads show: the service, or the one sentence that ends the run. */

import { expect, test } from 'vitest';
import type { Answer } from '../../../src/client/request.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import type { FailureKind } from '../../../src/exchange/message.ts';
import { preflight } from '../../../src/run/preflight.ts';
import { bodyOf, exchangeOf, type Said } from '../rules/exchanges.ts';

const TARGET = { baseUrl: 'http://a.invalid', hasGatewayHeader: false };
const READS = ['listTrunks', 'listNumbers', 'getTrunk', 'getCarrierProvider'] as const;
const [LISTED, NUMBERED] = [{ body: bodyOf({ data: [] }) }, { body: bodyOf({ numbers: [] }) }];
const foreign = (status: number, more: Said = {}): Said => ({ status, body: bodyOf({ detail: 'No.' }), ...more });
const lost = (kind: FailureKind, detail = ''): Said => ({ status: null, failure: { kind, detail } }) as Said;

/** Each read gets the next of its answers, or the last again; `route` is an undocumented route. */
async function recognized(answers: Readonly<Record<string, readonly Said[]>>, reads: readonly OperationId[] = READS) {
  const sent: string[] = [];
  const known = await preflight(reads, TARGET, async (read) => {
    const name = read ?? 'route';
    sent.push(name);
    const all = answers[name] ?? answers['all'] ?? [];
    const said = all[sent.filter((earlier) => earlier === name).length - 1] ?? all.at(-1) ?? {};
    const exchange = { ...exchangeOf(said, sent.length), ...('failure' in said ? { failure: said.failure } : {}) };
    const status = exchange.response?.status ?? null;
    return { kind: 'answered', exchange, status, accepted: status === 200, attempts: [exchange] } as Answer;
  });
  return { sent, said: 'end' in known ? known.end : `reads ${known.healthCheck}` };
}

const [ONE, TWO] = [READS.slice(0, 1), READS.slice(0, 2)];
const ROUTE = { route: [foreign(404)] };
const NOT_KNOWN = /^the target accepts none of the reads \((.*)\)/;

test.each<readonly [string, Parameters<typeof recognized>, sent: string, says: RegExp]>([
  ['the first accepted read', [{ ...ROUTE, all: [LISTED] }], 'listTrunks route', /^reads listTrunks$/],
  [
    'a read after a rejection',
    [{ ...ROUTE, listTrunks: [foreign(403)], all: [LISTED] }],
    'listTrunks listNumbers route',
    /^reads listNumbers$/,
  ],
  [
    'the first that is not answered as any path is',
    [{ route: [LISTED], listTrunks: [LISTED], all: [NUMBERED] }],
    'listTrunks route listNumbers',
    /^reads listNumbers$/,
  ],
  [
    'none, where every path is answered alike',
    [{ all: [LISTED] }, TWO],
    'listTrunks route listNumbers',
    /^the target answers an undocumented path just as it answers listTrunks/,
  ],
  [
    'none after three equal failures',
    [{ all: [foreign(404)] }],
    'listTrunks listNumbers getTrunk',
    /^the target knows none of the paths/,
  ],
  [
    'none after different failures',
    [{ listTrunks: [foreign(401)], all: [foreign(403)] }, TWO],
    'listTrunks listNumbers',
    /none of the reads \(401 to 1, 403 to 1\)/,
  ],
  [
    'none after the failure of the only read',
    [{ all: [foreign(404)] }, ONE],
    'listTrunks',
    /^the target knows none of the paths/,
  ],
  [
    'a read whose answer was lost',
    [{ ...ROUTE, listTrunks: [lost('reset'), LISTED], listNumbers: [foreign(403)] }, TWO],
    'listTrunks listNumbers listTrunks route',
    /^reads listTrunks$/,
  ],
  [
    'none once a read was lost three times',
    [{ all: [lost('reset'), lost('timeout'), lost('short')] }, ONE],
    'listTrunks listTrunks listTrunks',
    NOT_KNOWN,
  ],
  [
    'none where an HTML page is accepted',
    [{ all: [{ headers: [['Content-Type', 'text/html']] }] }],
    'listTrunks listNumbers getTrunk',
    /answers with HTML pages/,
  ],
])('what shows the service: %s', async (_, given, sent, says) => {
  const known = await recognized(...given);
  expect([known.sent.join(' '), known.said]).toEqual([sent, expect.stringMatching(says)]);
});

const CHALLENGE: Said = { headers: [['WWW-Authenticate', 'Bearer realm="a"']] };

test.each<readonly [string, Said, RegExp]>([
  ['401 with a Bearer challenge', foreign(401, CHALLENGE), /^every read got 401 with a Bearer challenge/],
  ['401 with another challenge', foreign(401), /^something in front of the service/],
  ['401 with a Bearer challenge in the envelope', { status: 401, ...CHALLENGE }, /^the target rejects the credential/],
  ['403 with a Bearer challenge', foreign(403, CHALLENGE), /^the target rejects the credential or the caller/],
  ['422 in the envelope', { status: 422 }, /^the target rejects every read as invalid/],
  ['a malformed header section', lost('malformed', 'it is wrong, section 5'), /section 5: mend the target, or what/],
  ['something that is not HTTP', lost('malformed', 'not HTTP'), /or it speaks TLS .*; if it speaks only HTTP\/2/],
  [
    'a refused connection',
    lost('refused', 'it was refused'),
    /could not be reached: it was refused; check PCS_BASE_URL$/,
  ],
  ['a proxy that refuses', lost('refused', 'the proxy did not'), /check HTTP_PROXY, HTTPS_PROXY and NO_PROXY$/],
  ['another name', lost('tls', 'issued for another name'), /check the host name of PCS_BASE_URL$/],
  ['503', foreign(503), /is broken or unavailable \(status 503/],
])('what ends the run at %s', async (_, said, says) => {
  expect((await recognized({ all: [said] })).said).toMatch(says);
});
