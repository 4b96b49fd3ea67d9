/** What recorders drop, rename, cut and encode: it is read, or it is unknown, and never evidence. */

import { describe, expect, test } from 'vitest';
import { brokenBy, judgeTexts } from '../../proof/judged-traffic.ts';
import { BASE, ERROR, line, said, TOKEN, TRUNK } from './recording.ts';

type Changes = Readonly<Record<string, unknown>>;
const FIELDS = [
  { name: 'Host', value: 'api.example' },
  { name: 'Accept', value: '*/*' },
];
const SIGNED = [...FIELDS, { name: 'Authorization', value: `Bearer ${TOKEN}` }];

/** An answer of the service as HAR has it. */
function answer(body: string, { status = 200, ...more }: Changes = {}): Changes {
  const headers = [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'Content-Length', value: `${Buffer.byteLength(body)}` },
  ];
  return { status, headers, content: { size: Buffer.byteLength(body), text: body }, ...more };
}
const entry = (response: unknown, request: Changes = {}, more: Changes = {}): Changes => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 3,
  request: { method: 'GET', url: `${BASE}/v1/trunks/`, headers: SIGNED, ...request },
  ...(response === undefined ? {} : { response }),
  ...more,
});
const LIST = answer('{"data":[]}');
const WRONG = answer('{"message":"no"}', { status: 404 });
const wrong = (request: Changes = {}): Changes => entry(WRONG, { url: `${BASE}${TRUNK}`, ...request });
const har = (...entries: readonly unknown[]): string => JSON.stringify({ log: { entries } });

async function judged(text: string, options: Parameters<typeof judgeTexts>[1] = {}) {
  const came = await judgeTexts({ file: text }, options);
  const { verdict, traffic, reason } = came.results;
  return { verdict, traffic, reason, broken: brokenBy(came), came };
}
const unsigned = { headers: FIELDS };
const JSON_FIELD = { name: 'Content-Type', value: 'application/json' };
const content = (kept: Changes, status = 200, field: Changes = CHUNKED): Changes => ({
  status,
  headers: [JSON_FIELD, field],
  content: kept,
});
const GZIP = { name: 'Content-Encoding', value: 'gzip' };
const CHUNKED = { name: 'Transfer-Encoding', value: 'chunked' };
const kept = (...how: Parameters<typeof content>): readonly Changes[] => [entry(answer('', content(...how)))];
const redirect = (status: number, ...headers: readonly Changes[]): Changes => entry({ status, headers, content: {} });
const LABELLED = { text: '[]', mimeType: 'application/json' };
const OF_THE_BROWSER = { name: 'Non-Authoritative-Reason', value: 'HSTS' };
const NO = JSON.stringify(ERROR);
const ODD = answer('{"success":false}', { status: 206 });
const RANGE = [...SIGNED, { name: 'Range', value: 'bytes=0-9' }];
const PAGE = content({ text: '<html>down</html>' }, 404);
const CUT_PAGES = [
  { ...PAGE, _error: 'net::ERR_ABORTED' },
  { ...PAGE, truncated: true },
  content({ text: '<html>', truncated: true }, 404),
].map((page) => entry(page));
const NO_FACTS = [
  {},
  { members: [], mentions: 1 },
  { members: [null], mentions: [] },
  { members: [{}], mentions: [] },
].map((_facts) => entry(content({ _facts }, 404), { _credential: 'valid' }));
const PART = '{"success":true,"data":{"id":"c2a77f10-6e';

describe('what is unknown accuses nobody', () => {
  test.each<readonly [string, readonly Changes[]]>([
    ['provisional fields of a request', [entry(LIST), entry(LIST, { headers: [{ name: 'Referer', value: 'x' }] })]],
    ['a body in its content coding', kept({ text: 'H4sI', encoding: 'base64' }, 200, GZIP)],
    ['a pruned error', kept({ text: '{"success":false,"error":"[Object]"}' }, 404)],
    ['a label as mimeType alone', [entry(LIST), entry({ ...LIST, headers: [CHUNKED], content: LABELLED })]],
    ['a mark in place of an error', kept({ text: '{"truncated":true,"size":83}' }, 404)],
    ['a word in place of an error', kept({ text: '"<binary>"' }, 404, { name: 'Content-Length', value: '83' })],
    ['a packed error in pieces', kept({ text: '["H4sI","AAA="]', encoding: 'base64' }, 404)],
    ['an error that is quoted once more', kept({ text: JSON.stringify(JSON.stringify(ERROR)) }, 404)],
    ['a redirect to a place that was left out', [entry(LIST), redirect(302, { name: 'Date', value: 'x' })]],
    ['a redirect of the browser itself', [redirect(307, { name: 'Location', value: '/' }, OF_THE_BROWSER)]],
    ['an answer without what a script cannot see', [405, 401].map((status) => entry(answer(NO, { status })))],
    ['an answer of a cache', [entry(ODD, {}, { _fromCache: 'disk' }), entry(ODD, {}, { _fetchType: 'Memory Cache' })]],
    ['a part that was asked for', [206, 416].map((status) => entry({ ...ODD, status }, { headers: RANGE }))],
    ['a credential in the query', [entry(LIST, { ...unsigned, url: `${BASE}/v1/trunks/?access_token=x` })]],
    ['a page of which a part is missing', CUT_PAGES],
    [
      'bytes that no text holds',
      ['H4sIAAAA', btoa('[\xff]')].flatMap((text) => kept({ text, encoding: 'base64' }, 404)),
    ],
    ['facts that are none', NO_FACTS],
    ['an answer of a cache, in Firefox', [entry(ODD, {}, { cache: { afterRequest: { eTag: 'x', hitCount: 1 } } })]],
  ])('%s', async (_, entries) => {
    const first = entry(LIST, entries.length > 1 ? (entries[0]?.['request'] as Changes) : {});
    const { broken, traffic } = await judged(har(first, ...entries, ...entries, ...entries));
    expect([broken, traffic?.problems]).toEqual([[], []]);
  });

  test.each([undefined, null])('the response %s is no answer', async (response) => {
    const { verdict, traffic } = await judged(har(entry(LIST), entry(response)));
    expect([verdict, traffic?.silent, traffic?.problems]).toEqual(['no breach', 1, []]);
    const { reason } = await judged(har(entry(response)));
    expect(reason).toBe('no request of file to the interface has a response of the service');
  });

  test('says what is unknown, and why', async () => {
    const part = content({ text: PART, size: 41 }, 200, { name: 'Content-Length', value: '125' });
    const { traffic } = await judged(har(entry(LIST), entry(answer('', part))));
    expect(traffic?.unknown).toContainEqual({ what: 'body: cut short by the recorder', count: 1 });
  });
});

test.each([
  ['a response', '"body":"[]"'],
  ['a request', '"body":null'],
])('the body of %s that has 900 levels as a value breaks no requirement', async (_, body) => {
  const deep = line().replace(body, `"body":${'['.repeat(900)}${']'.repeat(900)}`);
  expect(await said([deep, line()])).toMatchObject({ broken: [], traffic: { judged: 2, problems: [] } });
});

test('a label that no answer has accuses nobody', async () => {
  expect((await judged(har(entry({ ...LIST, headers: [{ name: 'X-Id', value: '1' }] })))).broken).toEqual([]);
});

describe('what the recording shows is found', () => {
  test('a credential that is missing where others have one', async () => {
    expect((await judged(har(entry(LIST, unsigned), entry(LIST)))).broken).toEqual(['AUTH-CREDENTIAL-REQUIRED']);
  });

  test('a credential that is missing behind a proxy with a password', async () => {
    const proxied = { headers: [...FIELDS, { name: 'Proxy-Authorization', value: 'Basic eHg6eXk=' }] };
    expect((await judged(har(entry(LIST, proxied), entry(LIST)))).broken).toEqual(['AUTH-CREDENTIAL-REQUIRED']);
  });

  test('broken JSON in base64, of whatever size', async () => {
    const broken = kept({ text: btoa('{"data":[1,]}'), encoding: 'base64' });
    expect((await judged(har(entry(LIST), ...broken))).broken).toEqual(['JSON-SYNTAX']);
    const cut = kept({ text: btoa('{"data":[1,'), encoding: 'base64' });
    expect((await judged(har(entry(LIST), ...cut))).broken).toEqual([]);
  });

  test.each<readonly [string, (name: string, value: string) => unknown]>([
    ['pairs', (name, value) => [[name, value]]],
    ['pairs with a list of values', (name, value) => [[name, [value]]]],
    ['a list in which names and values alternate', (name, value) => [':status', '200', name, value]],
    ['lines', (name, value) => `HTTP/1.1 200 OK\r\n${name}: ${value}\r\n`],
    ['a list of lines', (name, value) => [`${name}: ${value}`]],
  ])('a wrong label in %s, and a missing credential', async (_, written) => {
    const made = (type: string, credential: object): string =>
      line({ headers: written('Content-Type', type) as object, with: credential });
    const signed = written('Authorization', `Bearer ${TOKEN}`) as object;
    const bare = written('Host', 'api.example') as object;
    const lines = [made('text/plain', signed), made('application/json', bare)];
    expect((await said(lines)).broken).toEqual(['AUTH-CREDENTIAL-REQUIRED', 'JSON-LABEL']);
  });

  test('a label that is missing where others have one', async () => {
    expect(
      (await judged(har(entry({ ...LIST, headers: [{ name: 'X-Id', value: '1' }] }), entry(LIST)))).broken,
    ).toEqual(['JSON-LABEL']);
  });

  test.each<readonly [string, Changes]>([
    ['marked', { encoding: 'base64' }],
    ['not marked', {}],
  ])('a secret in a request body in base64, %s', async (_, marked) => {
    const [secret, path] = ['q8Zr2Lk7Vx4Nm1Pt', `/v1/carrier-connections/${TRUNK.slice(11)}/inbound-auth`];
    const postData = { text: btoa(JSON.stringify({ secret })), ...marked };
    const { broken, came } = await judged(
      har(entry(answer(JSON.stringify({ secret })), { method: 'PUT', url: `${BASE}${path}`, postData })),
    );
    expect(broken).toEqual(['SECRET-WITHHELD']);
    expect(JSON.stringify(came)).not.toContain(secret);
  });

  test.each([
    'HTTPS://API.example/pcs',
    'https://api.example:443/pcs',
    'https://api.example./pcs',
    'https://api.example/pcs/',
    'https://ann:word@api.example/pcs',
    'https://api.example/%70cs',
    'https://api.example/x/../pcs',
  ])('one service at %s', async (spelling) => {
    const { broken, came } = await judged(har(entry(LIST), wrong({ url: `${spelling}${TRUNK}` })), { baseUrl: BASE });
    expect(broken).toEqual(['ERROR-ENVELOPE']);
    expect(came.results.traffic?.addresses).toEqual([BASE]);
    expect((await judged(har(entry(LIST), wrong()), { baseUrl: spelling })).broken).toEqual(['ERROR-ENVELOPE']);
  });

  test('the character for which a target fails', async () => {
    const sent = { name: 'a\0b', caller_id: 'Ann', x: 'a\ud800', y: '\u{1f600}', z: 15550100 };
    const { judged: came } = await said([
      line(),
      line({ method: 'PATCH', path: TRUNK, sent, status: 500, body: ERROR }),
    ]);
    const [body] = came.exchanges.map(({ request }) => JSON.parse(request.body?.text ?? ''));
    const kinds = ['⟦text with U+0000⟧', '⟦text⟧', '⟦text with U+D800⟧', '⟦text with U+1F600⟧', '⟦number⟧'];
    expect(Object.values(body)).toEqual(kinds);
  });

  test('what another address answers is counted', async () => {
    const { traffic } = await judged(har(entry(LIST), entry(LIST, { url: 'https://b.example/v1/trunks/' })), {
      baseUrl: BASE,
      baseUrlFrom: 'PCS_BASE_URL in .env',
    });
    expect(traffic).toMatchObject({ elsewhere: 1, others: 0, filter: `${BASE} (PCS_BASE_URL in .env)` });
  });
});

const WITHOUT_ENVELOPE = '{"message":"no"}';
/** A line of a list, and that of an error whose body is kept so. */
const keptAs = (body: unknown): string =>
  line() + line({ path: TRUNK, status: 404, body: 'HERE' }).replace('"HERE"', JSON.stringify(body));

describe('a file', () => {
  const entries = [entry(LIST), wrong()];
  test.each<readonly [string, string]>([
    ['a list of HARs without log', JSON.stringify([{ version: '1.2', entries }])],
    ['a list of entries', JSON.stringify(entries, null, 1)],
    ['one entry a line', entries.map((one) => JSON.stringify(one)).join('\n')],
    ['the newest entry first', har(...entries.toReversed())],
    ['entries of Safari', har(...entries.map((one) => ({ ...one, _fetchType: 'Network Load' })))],
    [
      'one entry a line, without times',
      entries.map((one) => JSON.stringify({ ...one, startedDateTime: undefined })).join('\n'),
    ],
    ['entries without times', har(...entries.map(({ startedDateTime: _, ...one }) => one))],
    ['lines that begin with a version', entries.map((one) => JSON.stringify({ version: '1', ...one })).join('\n')],
    ['a list of entries that do', JSON.stringify(entries.map((one) => ({ version: '1', ...one })))],
    ['lines with the bytes of buffers', keptAs(Buffer.from(WITHOUT_ENVELOPE))],
    ['lines with values as bodies', keptAs(JSON.parse(WITHOUT_ENVELOPE))],
  ])('that is %s is read', async (_, text) => {
    for (const size of [7, 100_000]) {
      const came = await judgeTexts({ file: text }, {}, size);
      expect({ broken: brokenBy(came), traffic: came.results.traffic }).toMatchObject({
        broken: ['ERROR-ENVELOPE'],
        traffic: { judged: 2, problems: [] },
      });
    }
  });

  test.each<readonly [string, RegExp]>([
    ['PK\u0003\u0004xxxx', /archive/],
    ['{\0"\0l\0', /UTF-16/],
    ['<?xml version="1.0"?><items>', /XML/],
    ['{"info": {"_postman_id": "x"}, "item": []}', /not an exchange/],
    ['{\n "item": []\n}', /no log\.entries/],
    ['{"request":{"method":"GET"}}', /not an exchange/],
    ['{"request":{"url":"/v1/trunks/"}}', /not an exchange/],
  ])('that is none is named: %s', async (text, problem) => {
    const { verdict, traffic } = await judged(text);
    expect([verdict, traffic?.problems]).toEqual(['incomplete', [expect.stringMatching(problem)]]);
  });

  test.each([
    ['https://cdn.example/bundle.wasm', 2],
    [`${BASE}/v1/trunks/`, 3],
  ])('with an answer of 18 MB of %s is read to its end', async (url, count) => {
    const long = entry(answer('', content({ text: `"\\{[${'x'.repeat(18_000_000)}`, size: 1 })), { url });
    const all = [entry(LIST), long, entry(LIST)];
    for (const text of [har(...all), all.map((one) => JSON.stringify(one)).join('\n')])
      expect(await judged(text)).toMatchObject({ verdict: 'no breach', traffic: { judged: count, problems: [] } });
  });
});
