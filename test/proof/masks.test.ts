/** A mask changes no verdict: with header fields and secrets made of ordinary words, a run says what it says without. */

import { describe, expect, test } from 'vitest';
import { FAULTS, planted } from '../../fixtures/faults/index.ts';
import { rejected } from '../../fixtures/faults/replies.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { keyedDigest } from '../../src/exchange/facts.ts';
import { type Header, headerValue } from '../../src/exchange/message.ts';
import { type RunOptions, watchedIds } from '../../src/run/options.ts';
import type { Ports } from '../../src/run/ports.ts';
import { RunInProgress } from '../../src/run/run.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import { narrowed, sampled } from '../sampled.ts';
import { optionsFrom, redactorOf, skippingClock, transportTo } from '../selftest/harness.ts';
import { casesOf, isBroken } from '../selftest/judged.ts';
import { singleVariants } from '../selftest/sample.ts';
import { comesOutTheSameToo } from './again.ts';

/** What the interface, HTTP and the services say anyway. */
const WORDS: readonly string[] = [
  ...['application/json', 'application/json; charset=utf-8', 'voice-applications', 'voice_application_id'],
  ...['carrier_connection_id', 'carrier-connections', 'carrier_providers', 'available-numbers', 'conferences'],
  ...['participants', 'inbound-authentication', 'ring_timeout_seconds', 'callback_url', 'direction', 'success'],
  ...['not_found', 'invalid_request', 'unauthorized', 'authentication', 'error', 'message', 'code', 'Bearer'],
  ...['GET, POST', 'organization', 'conformance', 'pcs-conformance', 'no-store', 'trunks', 'the credential'],
];

const WORDS_HERE = sampled(WORDS, 5);
/** Fields that hold a word, and fields whose value is secret and holds the word as a part. */
const HEADERS: readonly Header[] = WORDS_HERE.items.flatMap((word, at): Header[] => [
  [`X-Note-${at}`, word],
  [`X-Gateway-${at}-Key`, `${word}-9fK2xQ7Lm4Zt8Wb3`],
]);

interface Served {
  readonly service: Parameters<typeof transportTo>[0];
  readonly settings: Parameters<typeof optionsFrom>[0];
}

/** A run with these header fields: its record, and its results as a text. */
async function runOf(
  { service, settings }: Served,
  extraHeaders: readonly Header[],
  changes: Partial<RunOptions> = {},
) {
  const options = optionsFrom(settings, changes);
  let digits = 7;
  const ports: Ports = {
    transport: transportTo(service),
    clock: skippingClock(),
    random: (bytes) => {
      digits += 1;
      return digits.toString(16).padStart(2, '0').repeat(bytes);
    },
    recorder: (secrets) => ({
      redactor: redactorOf(secrets),
      digest: keyedDigest(new Uint8Array(32)),
      watch: watchedIds(options),
      fullEvidence: false,
    }),
    version: '0.0.0',
    secret: 'Pc9Q7Lm4Zt8Wb3xK2f',
    ...(extraHeaders.length === 0 ? {} : { extraHeaders }),
  };
  const record = await new RunInProgress(options, SUITE, ports).record();
  return { record, results: JSON.parse(JSON.stringify(resultsOf(record))) };
}

const waiting = () => {
  const clock = skippingClock();
  return { wait: clock.sleep, now: clock.now, policy: { longList: 20 } };
};

const SERVICES: readonly { readonly kind: string; readonly name: string; readonly make: () => Served }[] = [
  ...FAULTS.map((fault) => ({
    kind: 'fault',
    name: fault.name,
    make: () => planted(fault, createVariant({}, waiting())),
  })),
  ...singleVariants().map((choices) => ({
    kind: 'variant',
    name: JSON.stringify(choices),
    make: () => createVariant(choices, waiting()),
  })),
];

describe(`words of the interface in header fields, and as parts of secrets (${WORDS_HERE.words})`, () => {
  const services = sampled(SERVICES, 1_000, ({ kind }) => kind);
  const OF_A_TRUNK = ['ERROR-ENVELOPE/getTrunk', 'JSON-LABEL/getTrunk'];
  const asked = narrowed(...OF_A_TRUNK, 'SUCCESS-STATUS', 'AUTH-CHALLENGE', 'METHOD-ALLOW', 'AUTH-SECRET');

  test.each(services.items)(`change nothing of $name (${services.words})`, async ({ make }) => {
    const plain = await runOf(make(), [], asked);
    const masked = await runOf(make(), HEADERS, asked);
    // The fields are a condition of the run, and nothing else follows from them.
    expect(masked.results.conditions).toHaveLength(plain.results.conditions.length + HEADERS.length);
    expect({ ...masked.results, conditions: plain.results.conditions }).toEqual(plain.results);
    const answers = ({ exchanges }: typeof plain.record) =>
      exchanges.map(({ response, failure }) => ({ response, failure }));
    expect(answers(masked.record)).toEqual(answers(plain.record));
    expect(JSON.stringify(masked.record)).not.toContain('9fK2xQ7Lm4Zt8Wb3');
    await comesOutTheSameToo(masked.record);
  });
});

/** Wants a key with each create call, gives the answer again that the key got, and rejects the key with another body. */
function keyed({ service, settings }: Served, seen: Map<string, string>): Served {
  const answers = new Map<string, Awaited<ReturnType<Served['service']>>>();
  return {
    settings,
    service: async (request) => {
      if (request.method !== 'POST' || !/^\/v1\/calls\/?$/.test(request.target)) return service(request);
      const key = request.headers['idempotency-key'] ?? '';
      const body = new TextDecoder().decode(request.body) + (request.headers['authorization'] ?? '');
      if (key === '' || (seen.get(key) ?? body) !== body) return rejected(key === '' ? 400 : 422, 'idempotency_key');
      const answer = answers.get(key) ?? (await service(request));
      if (answer.status < 300) answers.set(key, answer);
      if (answer.status < 300) seen.set(key, body);
      return answer;
    },
  };
}

test('a key that is drawn for each request is another one for each, and stays where a request is sent again', async () => {
  const seen = new Map<string, string>();
  // Every third create call is put off, and sent again.
  const target = keyed(createVariant({ shortage: 'every-third-call' }, waiting()), seen);
  const { record, results } = await runOf(target, [['Idempotency-Key', 'run-{uuid}']]);
  expect(results.verdict).toBe('conformant');
  const calls = record.exchanges.filter(({ tag }) => tag.operation === 'createCall');
  const keyOf = ({ request }: (typeof calls)[number]) => headerValue(request.headers, 'idempotency-key');
  const again = calls.filter(({ tag }) => tag.replaces !== undefined);
  expect(again.length).toBeGreaterThan(3);
  for (const one of again)
    expect(keyOf(one)).toBe(keyOf(record.exchanges.find(({ seq }) => seq === one.tag.replaces) ?? one));
  expect(new Set(calls.map(keyOf)).size).toBe(calls.length - again.length);
  expect(calls.map(keyOf)[0]).toMatch(/^run-[\da-f-]{36}$/);
  await comesOutTheSameToo(record);
});

test('a key that is the same in each request leaves create call open with its remedy, and places no call', async () => {
  const { record, results } = await runOf(keyed(createVariant({}, waiting()), new Map()), [
    ['Idempotency-Key', 'run-1'],
  ]);
  expect([results.verdict, results.counts.calls]).toEqual(['incomplete', 0]);
  expect(casesOf(results).filter(isBroken)).toEqual([]);
  const { reason, remedy } = casesOf(results).find(({ id }) => id === 'CALL-CREATE-STATUS/createCall') ?? {};
  expect(`${reason}; ${remedy}`).toContain(`give --header 'Idempotency-Key: {uuid}', which is drawn anew`);
  await comesOutTheSameToo(record);
});

test('an agent that the user gives takes the place of that of the suite', async () => {
  const { service, settings } = createVariant({}, waiting());
  const target: Served = {
    settings,
    service: async (request) =>
      request.headers['user-agent'] === 'AcmeQA/1' ? service(request) : rejected(403, 'agent'),
  };
  const { results } = await runOf(target, [['User-Agent', 'AcmeQA/1']], { profile: 'read-only' });
  expect(results.verdict).toBe('conformant');
});

describe('a secret to restore that is ordinary text', () => {
  const words = sampled(['not_found', 'resource not found', 'exchange', 'Trunk', 'data', 'id'], 6);

  test.each(words.items)(`changes nothing of the reference service: %s (${words.words})`, async (secret) => {
    const served = () => createVariant({}, waiting());
    const inboundOf = ({ settings }: Served, value: string) => ({
      inbound: { ...optionsFrom(settings).inbound, secret: value },
      ...narrowed('SUCCESS-STATUS', 'SECRET-WITHHELD/setInboundAuth', 'UNKNOWN-ID-REFUSED', 'AUTH-SECRET'),
    });
    const plain = await runOf(served(), [], inboundOf(served(), 'Wq5tUz81LmXo27Rb'));
    const masked = await runOf(served(), [], inboundOf(served(), secret));
    expect(masked.results).toEqual(plain.results);
    const sent = masked.record.exchanges.filter(({ request }) =>
      request.body?.text?.includes(`:${JSON.stringify(secret)}`),
    );
    expect(sent.filter(({ tag }) => tag.operation === 'setInboundAuth')).toEqual([]);
  });
});
