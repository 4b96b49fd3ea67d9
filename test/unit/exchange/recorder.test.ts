import { describe, expect, test } from 'vitest';
import type { Exchange, ExchangeTag } from '../../../src/exchange/exchange.ts';
import { keyedDigest } from '../../../src/exchange/facts.ts';
import type { Header, WireAnswer, WireOutcome } from '../../../src/exchange/message.ts';
import type { LiveExchange, RecorderContext } from '../../../src/exchange/recorder.ts';
import { recordExchange } from '../../../src/exchange/recorder.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';

const TOKEN = 'pcs_org_8sKd93nfLwQz71Tb';
const INBOUND = 'vN4-inbound-Xy71+/kk';

const TAG: ExchangeTag = {
  operation: 'setInboundAuth',
  documented: true,
  ids: 'named',
  sequence: 's1',
  attempt: 0,
  role: 'probe',
  resend: 0,
  asks: [],
  control: true,
  about: 'a valid body',
};

function context(more: Partial<RecorderContext> = {}): RecorderContext {
  const redactor = new Redactor([
    { kind: 'credential', label: 'credential', value: TOKEN },
    { kind: 'inbound-secret', label: 'inbound secret', value: INBOUND },
  ]);
  return { redactor, digest: keyedDigest(Buffer.from('key')), watch: new Map(), fullEvidence: false, ...more };
}

function answer(status: number, body: string, headers: readonly Header[] = []): WireAnswer {
  return { kind: 'answer', status, headers, body: Buffer.from(body), cut: false };
}

function record(outcome: WireOutcome, live: Partial<LiveExchange> = {}, more: Partial<RecorderContext> = {}): Exchange {
  const request = {
    method: 'PUT',
    path: '/base/v1/x',
    headers: [
      ['Accept', '*/*'],
      ['Authorization', `Bearer ${TOKEN}`],
      ['Content-Type', 'application/json'],
    ] as const,
    body: Buffer.from(JSON.stringify({ method: 'digest', secret: INBOUND })),
    timeout: 1_000,
  };
  const whole = { seq: 3, tag: TAG, request, path: '/v1/x', credential: 'valid', outcome, at: 5, took: 7, ...live };
  return recordExchange(whole as LiveExchange, context(more));
}

describe('requests', () => {
  test('a request keeps its fields in order without the credential, and its body without the secret', () => {
    const { request, seq, at, took } = record(answer(204, ''));
    expect([seq, at, took]).toEqual([3, 5, 7]);
    expect(request).toMatchObject({ method: 'PUT', path: '/v1/x', credential: 'valid' });
    expect(request.headers).toEqual([
      ['Accept', '*/*'],
      ['Content-Type', 'application/json'],
    ]);
    expect(request.body?.text).toBe('{"method":"digest","secret":"⟦inbound secret⟧"}');
  });

  test('a credential in the query string or in a description is redacted', () => {
    const tag = { ...TAG, about: `secret is ${INBOUND}` };
    const exchange = record(answer(401, '{}'), { path: `/v1/x?access_token=${TOKEN}`, credential: 'query', tag });
    expect(exchange.request.path).toBe('/v1/x?access_token=⟦credential⟧');
    expect(exchange.tag.about).toBe('secret is ⟦inbound secret⟧');
  });
});

describe('answers', () => {
  test('a response without a body is recorded without one', () => {
    expect(record(answer(204, '')).response).toEqual({ status: 204, headers: [], body: null, leaks: [] });
  });

  test('an error body is recorded with its text, a success body without', () => {
    expect(record(answer(400, '{"success":false}')).response?.body?.text).toBe('{"success":false}');
    expect(record(answer(302, 'moved')).response?.body?.text).toBe('moved');
    expect(record(answer(200, '{"number":"+15550100"}')).response?.body).not.toHaveProperty('text');
    const full = record(answer(200, '{"number":"+15550100"}'), {}, { fullEvidence: true });
    expect(full.response?.body?.text).toBe('{"number":"+15550100"}');
  });

  test('a secret in a success body shows as a leak and nowhere else', () => {
    const exchange = record(answer(200, JSON.stringify({ data: { secret: INBOUND, [INBOUND]: 1 } })));
    expect(exchange.response?.leaks).toEqual([{ secret: 'inbound-secret', encoding: 'raw', where: 'body' }]);
    expect(JSON.stringify(exchange)).not.toContain(INBOUND);
  });

  test('a body that comes again leaks again, and mentions an id that is known only by then', () => {
    const watch = new Map<string, string>();
    const more = { known: new Map(), watch };
    const bodies = () => [
      record(answer(400, `{"error":"${INBOUND}"}`), {}, more).response?.leaks.length,
      record(answer(400, '{"error":"no trunk 12345678"}'), {}, more).response?.body?.mentions.length,
    ];
    expect([bodies(), bodies()]).toEqual([
      [1, 0],
      [1, 0],
    ]);
    watch.set('12345678', 'PCS_TRUNK_ID');
    expect(bodies()).toEqual([1, 1]);
    expect(record(answer(200, '{"error":"no trunk 12345678"}'), {}, more).response?.body).not.toHaveProperty('text');
    expect(more.known.size).toBe(5);
  });

  test('secrets in fields are leaks of the header, and a cookie is never recorded', () => {
    const headers = [
      ['X-Seen', `a ${encodeURIComponent(INBOUND)}`],
      ['Set-Cookie', `session=${Buffer.from(TOKEN).toString('base64')}`],
      ['Authorization', 'Bearer something-else'],
      ['X-Last', 'plain'],
    ] as const;
    const { response } = record(answer(200, '{}', headers));
    expect(response?.headers).toEqual([
      ['X-Seen', 'a ⟦inbound secret, percent-encoded⟧'],
      ['Set-Cookie', '⟦cookie⟧⟦credential, base64⟧'],
      ['Authorization', '⟦authorization⟧'],
      ['X-Last', 'plain'],
    ]);
    expect(response?.leaks).toEqual([
      { secret: 'inbound-secret', encoding: 'percent-encoded', where: 'header' },
      { secret: 'credential', encoding: 'base64', where: 'header' },
    ]);
  });

  test('an answer that was cut says so, and what was read of it is noted', () => {
    const exchange = record({ ...answer(200, `["${TOKEN}",`), cut: true });
    expect(exchange.failure).toBeNull();
    expect(exchange.response).toMatchObject({ status: 200, body: { cut: true, members: [] } });
    expect(exchange.response?.leaks).toEqual([{ secret: 'credential', encoding: 'raw', where: 'body' }]);
    expect(record(answer(200, '[]')).response?.body).not.toHaveProperty('cut');
  });

  test('watched ids are mentioned', () => {
    const watch = new Map([['CA12345678', 'call']]);
    expect(record(answer(200, '["ca12345678"]'), {}, { watch }).response?.body?.mentions).toEqual(['call']);
  });
});

test('a field that is judged keeps the words that a secret shares with it', () => {
  const redactor = new Redactor([{ kind: 'gateway-header', label: 'key', value: 'application/json-9fK2' }]);
  const type = (value: string) =>
    record(answer(204, '', [['Content-Type', value]]), {}, { redactor }).response?.headers;
  expect(type('application/json')).toEqual([['Content-Type', 'application/json']]);
  expect(type('application/json-9fK2')).toEqual([['Content-Type', '⟦key⟧']]);
});

describe('failures', () => {
  test('a failure keeps its kind and a detail without secrets', () => {
    const exchange = record({ kind: 'failure', failure: 'reset', detail: `closed after ${TOKEN}` });
    expect(exchange.failure).toEqual({ kind: 'reset', detail: 'closed after ⟦credential⟧' });
    expect(exchange.response).toBeNull();
  });
});
