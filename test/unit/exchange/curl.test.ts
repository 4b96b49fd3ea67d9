import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test as vitestTest } from 'vitest';
import { carriedForms } from '../../../src/client/credential.ts';
import { curlCommand } from '../../../src/exchange/curl.ts';
import type { CredentialForm, RecordedHeader, RecordedRequest } from '../../../src/exchange/exchange.ts';
import { bodyFacts } from '../../../src/exchange/facts.ts';
import { lacks } from '../../programs.ts';

const test = vitestTest.skipIf(lacks('curl', import.meta.url));

const TOKEN = 'pcs_org_aB3_cD4-eF+5/x';
const SECRET_PART = 'aB3_cD4-eF+5/x';
const SETTINGS: Record<string, string> = {
  PCS_ACCESS_TOKEN: TOKEN,
  PCS_INBOUND_SECRET: `a %s 'b' $HOME`,
  PCS_HEADER: 'X-Other: 1\nX-Api-Key:  Key k3y:9 ',
  PCS_OTHER_ORG_ACCESS_TOKEN: 'pcs_org_other',
  PCS_REVOKED_ACCESS_TOKEN: 'pcs_org_revoked',
};

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let server: Server;
let base = '';
let arrived: Arrived[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method, url, headers } = request;
    arrived.push({ method, url, headers, body: Buffer.concat(pieces) });
    response.writeHead(418, { 'content-type': 'text/plain' }).end('short');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

function request(more: Partial<RecordedRequest> = {}): RecordedRequest {
  return { method: 'GET', path: '/v1/trunks/', credential: 'valid', headers: [], body: null, ...more };
}

function withBody(body: string | Uint8Array, headers: readonly RecordedHeader[] = []): RecordedRequest {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const facts = bodyFacts(bytes, {
    keepText: true,
    keepWhole: true,
    redact: (text) => text,
    digest: () => '',
    watch: new Map(),
  });
  return request({ method: 'POST', path: '/v1/calls/', headers, body: facts });
}

/** What the server received when a shell ran the line, and what the shell wrote. */
async function run(recorded: RecordedRequest, url = base): Promise<Arrived & { readonly shown: string }> {
  const line = curlCommand(recorded, url) ?? 'no line';
  expect(line).not.toContain(SECRET_PART);
  arrived = [];
  const shown = await new Promise<string>((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', ...SETTINGS };
    // The line goes in by standard input, as a person pastes it: an argument of `sh -c` has a limit of its own.
    const shell = execFile('/bin/sh', ['-s'], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${stderr} ${line.slice(0, 500)}`));
    });
    shell.stdin?.end(`${line}\n`);
  });
  expect(arrived).toHaveLength(1);
  const [only] = arrived;
  if (only === undefined) throw new Error('nothing arrived');
  return { ...only, shown };
}

test('goes out as HTTP/1.1, as in the run: over HTTP/2 curl left Transfer-Encoding out', async () => {
  const pem = (name: string): URL => new URL(`../client/tls/${name}.pem`, import.meta.url);
  const [key, cert] = [readFileSync(pem('server-key')), readFileSync(pem('localhost'))];
  const versions: string[] = [];
  const server = createSecureServer({ key, cert, allowHTTP1: true }, ({ httpVersion }, response) => {
    versions.push(httpVersion);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const words = ['--cacert', fileURLToPath(pem('authority'))];
  const line = curlCommand(request({ credential: 'none' }), `https://localhost:${port}`, request(), words);
  await promisify(execFile)('/bin/sh', ['-c', line ?? ''], { env: { PATH: process.env['PATH'], ...SETTINGS } });
  server.close();
  expect(versions).toEqual(['1.1', '1.1']);
});

describe('credentials', () => {
  test.each<[CredentialForm, string | undefined]>([
    ['valid', `Bearer ${TOKEN}`],
    ['none', undefined],
    ['empty-bearer', 'Bearer'],
    ['basic', `Basic ${Buffer.from(`${TOKEN}:${TOKEN}`).toString('base64')}`],
    ['other-scheme', `Basic ${TOKEN}`],
    ['token-scheme', `Token ${TOKEN}`],
    ['digest-scheme', `Digest ${TOKEN}`],
    ['longer-scheme', `NotBearer ${TOKEN}`],
    ['bare', TOKEN],
    ['wrong-secret', carriedForms({ access: TOKEN })['wrong-secret']?.header],
    ['truncated', 'Bearer pcs_org_aB3_cD4-eF+5/'],
    ['suffixed', `Bearer ${TOKEN};${TOKEN}`],
    ['spaced', `Bearer ${TOKEN} ${TOKEN}`],
    ['listed', `Bearer ${TOKEN},${TOKEN}`],
    ['unprefixed', `Bearer ${SECRET_PART}`],
    ['case-changed', 'Bearer pcs_org_Ab3_Cd4-Ef+5/X'],
    ['revoked', 'Bearer pcs_org_revoked'],
    ['last-changed', 'Bearer pcs_org_aB3_cD4-eF+5/S'],
    ['middle-changed', 'Bearer pcs_org_aB3ecD4-eF+5/x'],
    ['wrong-prefix', 'Bearer ccs_org_aB3_cD4-eF+5/x'],
    ['short', 'Bearer x..'],
    ['non-ascii', Buffer.from(`Bearer pcs_org_ß${SECRET_PART}`).toString('latin1')],
    ['long', carriedForms({ access: TOKEN })['long']?.header],
    ['text-none', 'Bearer None'],
    ['text-null', 'Bearer null'],
    ['two-blanks', carriedForms({ access: TOKEN })['two-blanks']?.header],
    ['lower-case-scheme', `bearer ${TOKEN}`],
    ['other-organization', 'Bearer pcs_org_other'],
  ])('the %s form arrives', async (credential, authorization) => {
    const { headers, url, method } = await run(request({ credential }));
    expect(headers.authorization).toBe(authorization);
    expect([method, url]).toEqual(['GET', '/v1/trunks/']);
  });

  test.each([
    ['/v1/numbers/?access_token=⟦credential, percent-encoded⟧', '/v1/numbers/'],
    ['/v1/numbers/?a=1&access_token=⟦credential⟧&b=2', '/v1/numbers/'],
    ['/v1/numbers/', '/v1/numbers/'],
  ])('the query form of %s arrives in its place', async (path, pathname) => {
    const { headers, url } = await run(request({ credential: 'query', path }));
    const target = new URL(url ?? '', base);
    expect(headers.authorization).toBeUndefined();
    expect([target.pathname, target.searchParams.get('access_token')]).toEqual([pathname, TOKEN]);
    expect(url).toContain(`access_token=${encodeURIComponent(TOKEN)}`);
    expect(target.searchParams.get('b')).toBe(path.includes('b=2') ? '2' : null);
  });
});

describe('request lines', () => {
  test.each([
    '/v1/trunks/../a/./b',
    '/v1/trunks/?',
    '/v1/trunks/x#y',
    "/v1/trunks/it's",
    '/v1/trunks/[a]{b,c}$HOME`id`',
    '/v1/numbers/available?country_code=US&q=a%20b%00',
    '/v1/trunks/%2F%22"',
  ])('%s arrives as it was sent', async (path) => {
    expect((await run(request({ path }))).url).toBe(path);
  });

  test('a base prefix with a slash at its end comes first, also where the target is given apart', async () => {
    expect((await run(request(), `${base}/tenant/`)).url).toBe('/tenant/v1/trunks/');
    expect((await run(request({ path: '/v1/trunks/?' }), `${base}/tenant/`)).url).toBe('/tenant/v1/trunks/?');
  });

  test.each(['PUT', 'PATCH', 'POST', 'OPTIONS', 'HEAD'])('%s arrives as that method', async (method) => {
    expect((await run(request({ method }))).method).toBe(method);
  });

  test('a control character of a path is percent-encoded in the line', async () => {
    const { url } = await run(request({ path: '/v1/trunks/a\u0007\u001b[31m b' }));
    expect(url).toBe('/v1/trunks/a%07%1B[31m%20b');
  });

  test('the status line is shown', async () => {
    expect((await run(request())).shown).toMatch(/^HTTP\/1\.1 418 .*\r\n\r\nshort$/s);
  });
});

describe('header fields', () => {
  test('fields arrive with their values, empty and quoted ones included', async () => {
    const { headers } = await run(
      request({
        headers: [
          ['Accept', 'application/json'],
          ['X-Quote', `it's "$HOME" \`id\` \\`],
          ['X-Empty', ''],
          ['X-Tab', 'a\tb'],
        ],
      }),
    );
    expect(headers).toMatchObject({ accept: 'application/json', 'x-empty': '', 'x-tab': 'a\tb' });
    expect(headers['x-quote']).toBe(`it's "$HOME" \`id\` \\`);
  });

  test('no field arrives that was not sent: curl would add what it accepts', async () => {
    expect((await run(request())).headers).not.toHaveProperty('accept');
  });

  test('control characters never stand in the line', () => {
    const recorded = request({ path: '/a\nb\u001b\u007f', headers: [['X-A', 'a\tb\u007f\u009b\u202e']] });
    expect(curlCommand(recorded, base)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  test('a request without a body says so by its length and names no media type', async () => {
    const { headers, body } = await run(request({ method: 'POST', path: '/v1/calls/x/hangup' }));
    expect(headers['content-length']).toBe('0');
    expect(headers).not.toHaveProperty('content-type');
    expect(body).toHaveLength(0);
  });
});

describe('masked values', () => {
  const SECRET = '⟦configured inbound secret⟧';

  test('the configured secret comes from its setting, quoted or beside control characters', async () => {
    for (const rest of ['', "it's %s", 'a\tb']) {
      const { body } = await run(withBody(`{"secret":"${SECRET}","username":"${rest}"}`));
      expect(body.toString()).toBe(`{"secret":"${SETTINGS['PCS_INBOUND_SECRET']}","username":"${rest}"}`);
    }
  });

  test('a field for a gateway comes from PCS_HEADER, in the letter case that was sent', async () => {
    const { headers } = await run(request({ headers: [['x-api-key', 'Key ⟦header x-api-key⟧']] }));
    expect(headers['x-api-key']).toBe('Key k3y:9');
  });

  test('a token in the base address comes from PCS_BASE_URL, whatever slashes it ends in', async () => {
    SETTINGS['PCS_BASE_URL'] = `${base}/t0ken//`;
    expect((await run(request(), `${base}/⟦token⟧`)).url).toBe('/t0ken/v1/trunks/');
    expect(curlCommand(request({ path: '/v1/trunks/?' }), `${base}/⟦token⟧`)).toBeUndefined();
  });

  test.each<[string, RecordedRequest]>([
    ['the name of another trunk', withBody('{"name":"⟦name of another trunk⟧"}')],
    ['a secret that the run drew', withBody('{"secret":"⟦inbound secret⟧"}')],
    ['a part of the configured secret', withBody('{"secret":"⟦configured inbound secret, in part⟧"}')],
    ['a text of recorded traffic', withBody('{"name":"⟦text⟧"}')],
    ['a body that the record does not hold', request({ body: { ...withBody('{}').body, text: undefined } as never })],
    ['a token in a query', request({ path: '/v1/numbers/?page=⟦token in a list query⟧' })],
    ['a field that is masked twice', request({ headers: [1, 2].map(() => ['X-Key', '⟦header X-Key⟧'] as const) })],
    ['a field with a secret of another field', request({ headers: [['X-A', '⟦header X-Key⟧']] })],
    ['a field on two lines', request({ headers: [['X-A', 'a\r\nX-B: b']] })],
  ])('there is no line for %s', (_, recorded) => {
    expect(curlCommand(recorded, base)).toBeUndefined();
  });
});

describe('bodies', () => {
  test.each([
    ['plain JSON', '{"from":"+15550100","to":"it\'s \\"quoted\\" $HOME `id` \\\\ %s"}'],
    ['letters past ASCII', '{"name":"é☎😀"}'],
    ['line ends and tabs', '{\r\n\t"a": 1\n}\n'],
    ['NUL and escape', 'a\0b\u001b[31m'],
    ['a leading at sign', '@/etc/hostname'],
    ['a leading dash', '--data\n'],
    ['backslashes and percent signs beside a control character', '\\n\\\\ %s %% \u0001'],
    ['octal digits after a control character', '\u00011234'],
    ['the empty text', ''],
    ['a byte order mark', '\ufeff{}'],
    ['two megabytes', JSON.stringify('x'.repeat(2_000_000))],
  ])('%s arrives byte for byte', async (_, text) => {
    const { headers, body } = await run(withBody(text, [['Content-Type', 'application/json']]));
    expect(body.equals(Buffer.from(text))).toBe(true);
    expect(headers['content-type']).toBe('application/json');
    expect(headers).not.toHaveProperty('expect');
  });

  test('bytes that are not UTF-8 arrive byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    expect((await run(withBody(bytes))).body.equals(bytes)).toBe(true);
    const printable = Buffer.from([0x22, 0xff, 0x22]);
    expect((await run(withBody(printable))).body.equals(printable)).toBe(true);
  });

  test('a body without a media type arrives without one', async () => {
    expect((await run(withBody('{}'))).headers).not.toHaveProperty('content-type');
  });

  test('a body that was sent in chunks is sent in chunks, without its length', async () => {
    const { headers, body } = await run(withBody('{"name":"x"}', [['Transfer-Encoding', 'chunked']]));
    expect([headers['transfer-encoding'], headers['content-length']]).toEqual(['chunked', undefined]);
    expect(body.toString()).toBe('{"name":"x"}');
  });
});
