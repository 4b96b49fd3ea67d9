/** What the first reads show: the service, or the one sentence that ends the run. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Answer, SuiteRequest } from '../../../src/client/request.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import { AS_RECORDED, bodyFacts } from '../../../src/exchange/facts.ts';
import type { FailureKind } from '../../../src/exchange/message.ts';
import { RequestBuilder } from '../../../src/run/builder.ts';
import { type KnownTarget, preflight, recognition } from '../../../src/run/preflight.ts';
import { optionsFrom } from '../../selftest/harness.ts';
import { bodyOf, exchangeOf, type Said } from '../rules/exchanges.ts';

const TARGET = { baseUrl: 'http://a.invalid', hasGatewayHeader: false, reach: [] };
const READS: readonly OperationId[] = ['listTrunks', 'listNumbers', 'getTrunk', 'getCarrierProvider'];
const [LISTED, NUMBERED] = [{ body: bodyOf({ data: [] }) }, { body: bodyOf({ numbers: [] }) }];
const foreign = (status: number, more: Said = {}): Said => ({ status, body: bodyOf({ detail: 'No.' }), ...more });
const lost = (kind: FailureKind, detail = ''): Said => ({ status: null, failure: { kind, detail } }) as Said;

/** Each read, by its number from 1, gets the next of its answers, or the last again; 0 is an undocumented route. */
async function recognized(
  reads: number,
  answers: Readonly<Record<string, readonly Said[]>>,
  target: KnownTarget = TARGET,
) {
  const sent: number[] = [];
  const known = await preflight(READS.slice(0, reads), target, async (read) => {
    const at = read === null ? 0 : READS.indexOf(read) + 1;
    sent.push(at);
    const all = answers[at] ?? answers['all'] ?? [];
    const said = all[sent.filter((earlier) => earlier === at).length - 1] ?? all.at(-1) ?? {};
    const exchange = { ...exchangeOf(said, sent.length), ...('failure' in said ? { failure: said.failure } : {}) };
    const status = exchange.response?.status ?? null;
    return { kind: 'answered', exchange, status, accepted: status === 200, attempts: [exchange] } as Answer;
  });
  return { sent: sent.join(' '), said: 'end' in known ? known.end : known.healthCheck };
}

const NO: readonly Said[] = [foreign(404)];
const NO_PATHS = /^the target knows none of the paths/;
const ENDLESS: Said = { body: { ...bodyOf({ data: [] }), cut: true } };
const LABELLED: Said = { headers: [['Content-Type', 'text/html']] };
const HTML: Said = { ...LABELLED, body: bodyFacts(Buffer.from('<!DOCTYPE html>'), AS_RECORDED) };
const [ANOTHER_WAY, THREE_WAYS] = [
  [lost('reset'), LISTED],
  [lost('reset'), lost('timeout'), lost('short')],
];

test.each<readonly [string, number, Readonly<Record<string, readonly Said[]>>, sent: string, says: RegExp]>([
  ['the first accepted read', 4, { 0: NO, all: [LISTED] }, '1 0', /^listTrunks$/],
  ['a read after a rejection', 4, { 0: NO, 1: [foreign(403)], all: [LISTED] }, '1 2 0', /^listNumbers$/],
  ['what is not answered as any path is', 4, { 2: [NUMBERED], all: [LISTED] }, '1 0 2', /^listNumbers$/],
  ['none, where every path is answered alike', 2, { all: [LISTED] }, '1 0 2', /path just as it answers listTrunks/],
  ['none, where every path but a read is', 2, { 2: NO, all: [LISTED] }, '1 0 2', /path just as it answers listTrunks/],
  ['none after three equal failures', 4, { all: NO }, '1 2 3', NO_PATHS],
  [
    'none after different failures',
    2,
    { 1: [foreign(401)], all: NO },
    '1 2',
    /none of the reads \(401 to 1, 404 to 1\)/,
  ],
  ['none after the failure of the only read', 1, { all: NO }, '1', NO_PATHS],
  ['a read whose answer was lost', 2, { 0: NO, 1: ANOTHER_WAY, 2: NO }, '1 2 1 0', /^listTrunks$/],
  ['none once a read was lost three times', 1, { all: THREE_WAYS }, '1 1 1', /^the target accepts none of the reads/],
  [
    'what has the body of any path, and another status',
    4,
    { 0: [{ ...LISTED, status: 404 }], all: [LISTED] },
    '1 0',
    /^listTrunks$/,
  ],
  ['none where every answer is endless', 4, { 0: NO, all: [ENDLESS] }, '1 2 3', /exceeds the limit of 4 MiB/],
  ['JSON that is labelled as a page', 4, { 0: NO, all: [{ ...LISTED, ...LABELLED }] }, '1 0', /^listTrunks$/],
  ['none where an HTML page is accepted', 4, { all: [HTML] }, '1 2 3', /answers with HTML pages/],
])('what shows the service: %s', async (_, reads, answers, sent, says) => {
  expect(await recognized(reads, answers)).toEqual({ sent, said: expect.stringMatching(says) });
});

const CHALLENGE: Said = { headers: [['WWW-Authenticate', 'Bearer realm="a"']] };

test.each<readonly [string, Said, RegExp]>([
  ['401 with a Bearer challenge', foreign(401, CHALLENGE), /^every read got 401 with a Bearer challenge/],
  ['401 with another challenge', foreign(401), /^something in front of the service/],
  ['401 without JSON', { status: 401, body: bodyFacts(Buffer.from('No.'), AS_RECORDED) }, /^something in front/],
  ['401 with a Bearer challenge in the envelope', { status: 401, ...CHALLENGE }, /^the target rejects the credential/],
  ['403 with a Bearer challenge', foreign(403, CHALLENGE), /^the target rejects the credential or the caller/],
  ['403 in the envelope', { status: 403 }, /403 .*--header.*allow the address/],
  ['400 in another format', foreign(400), /check PCS_BASE_URL, and write https.*; if a gateway .*--header$/],
  ['403 in the envelope, labelled as a page', { status: 403, ...LABELLED }, /403 .*--header.*allow the address/],
  ['403 as a page', foreign(403, HTML), /^a gateway, or a web site .*allow the address of this machine/],
  [
    '400 as a page',
    foreign(400, HTML),
    /^the target answers with HTML pages.*check PCS_BASE_URL, use the host name .* expects, and write https.*; if a gateway .*--header$/,
  ],
  ['301 as a page', foreign(301, HTML), /^the target redirects every read: check the scheme/],
  ['405', foreign(405), NO_PATHS],
  ['418', foreign(418), /^every read fails in the same way \(status 418\): http:\/\/a/],
  ['500', foreign(500), /is broken or unavailable \(status 500/],
  ['426', foreign(426), /does not accept HTTP\/1\.1 .*PCS_BASE_URL to a proxy/],
  ['505', foreign(505), /does not accept HTTP\/1\.1 .*PCS_BASE_URL to a proxy/],
  ['422 in the envelope', { status: 422 }, /^the target rejects every read as invalid/],
  [
    'a malformed header section',
    lost('malformed', 'it is wrong, section 5'),
    /section 5: fix the target, or the gateway/,
  ],
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
  expect((await recognized(4, { all: [said] })).said).toMatch(says);
});

const PROXIED = ['through the proxy proxy.invalid:3128'];
test.each<readonly [string, Said, Partial<KnownTarget>, boolean]>([
  ['404 in another format', foreign(404), {}, true],
  ['403 as a page', foreign(403, HTML), {}, true],
  ['404 in the envelope', { status: 404 }, {}, false],
  ['404 of a tunnel', foreign(404), { baseUrl: 'https://a.invalid' }, false],
  ['404 without a proxy', foreign(404), { reach: [] }, false],
  ['no answer', lost('reset'), {}, false],
])('the sentence names the proxy that may have answered: %s', async (_, said, target, isNamed) => {
  const known = await recognized(4, { all: [said] }, { ...TARGET, reach: PROXIED, ...target });
  expect(/went through the proxy proxy\.invalid:3128, so check HTTP_PROXY and NO_PROXY, too$/.test(known.said)).toBe(
    isNamed,
  );
});

const OURS_SHOWN: Said = { body: { ...bodyOf({ data: [] }), mentions: ['PCS_TRUNK_ID'] } };
const SWAPPED = /^PCS_OTHER_ORG_ACCESS_TOKEN reads PCS_TRUNK_ID, and PCS_ACCESS_TOKEN does not/;

test.each<readonly [string, list: Said, ours: Said, theirs: Said, says: RegExp]>([
  ['404', {}, { status: 404 }, {}, SWAPPED],
  ['403', {}, { status: 403 }, {}, SWAPPED],
  ['403, and names the trunk in a rejected list', { ...OURS_SHOWN, status: 403 }, { status: 403 }, {}, SWAPPED],
  ['503', {}, { status: 503 }, {}, /^listTrunks$/],
  ['200', {}, {}, {}, /^listTrunks$/],
  ['404 to both', {}, { status: 404 }, { status: 404 }, /^listTrunks$/],
  ['404, and shows the trunk in the list', OURS_SHOWN, { status: 404 }, {}, /^listTrunks$/],
])('two credentials are swapped where the trunk gets the first one %s', async (_, list, ours, theirs, says) => {
  const builder = new RequestBuilder(optionsFrom(createReference().settings), '', []);
  const answers = { listTrunks: list, getTrunk: ours };
  const send = async ({ operation, credential }: SuiteRequest) => {
    const own = operation === null ? { status: 404 } : (answers[operation as keyof typeof answers] ?? {});
    const exchange = exchangeOf({ ...(credential === 'valid' ? own : theirs), tag: { operation } }, 0);
    const status = exchange.response?.status ?? null;
    return { exchange, status, accepted: status === 200 } as Answer;
  };
  const known = await recognition(builder, { send }, false);
  expect(known !== null && 'end' in known ? known.end : known?.healthCheck).toMatch(says);
});
