/** Whatever a target writes is read in time that grows with its length: each rule on a mebibyte of each worst case. */

import { describe, expect, test } from 'vitest';
import { learn } from '../../src/client/learned.ts';
import { IdRegister } from '../../src/client/safety/id-register.ts';
import { scanJson } from '../../src/client/safety/json-scan.ts';
import { bodyFacts, keyedDigest } from '../../src/exchange/facts.ts';
import { encodeText, jsonFault } from '../../src/exchange/json-text.ts';
import { Redactor } from '../../src/exchange/redaction.ts';
import { code, escaped, visible } from '../../src/report/text.ts';
import { sampled } from '../sampled.ts';

const NUMBER = '47114711471147114711';
const TOKEN = 'pcs_org_Zk3vQ9aTyB7wXeLm20';
const redactor = new Redactor([
  { kind: 'credential', label: 'credential', value: TOKEN },
  { kind: 'inbound-secret', label: 'inbound secret', value: NUMBER },
  { kind: 'gateway-header', label: 'header X-Key', value: 'k7' },
]);
const digest = keyedDigest(Buffer.from('a key'));

const facts = (text: string, keepText: boolean) =>
  bodyFacts(Buffer.from(text), {
    keepText,
    redact: (one) => redactor.redact(one).text,
    digest,
    watch: new Map([['550e8400-e29b-41d4-a716-446655440000', 'PCS_TRUNK_ID']]),
  });

const request = { method: 'GET', path: '/v1/trunks/', operation: 'listTrunks', credential: 'valid' };
const answer = (text: string) =>
  ({ kind: 'answer', status: 200, headers: [], cut: false, body: Buffer.from(text) }) as const;
const context = {
  resources: { trunk: '550e8400-e29b-41d4-a716-446655440000' },
  recorder: { redactor },
  known: () => 'new' as const,
};

/** What meets the texts of a target, each as a whole. */
const RULES: Readonly<Record<string, (text: string) => unknown>> = {
  'redaction of a text': (text) => redactor.redact(text),
  'the facts of a success': (text) => facts(text, false),
  'the facts of an error': (text) => facts(text, true),
  'a JSON text': jsonFault,
  'what a list teaches': (text) => learn(request as never, answer(text), context),
  'what a record teaches': (text) => learn({ ...request, operation: 'getTrunk' } as never, answer(text), context),
  'ids that are only read': (text) => new IdRegister(new Map()).sawInAnswer(text),
  'a body before it is sent': (text) => scanJson(Buffer.from(text)),
  'a recorded text as bytes': (text) => encodeText(text, false),
  'a text on the screen': visible,
  'a text in Markdown': (text) => [escaped(text), code(text)],
};

const nested = (open: string, close: string, length: number): string => {
  const count = Math.floor(length / (open.length + close.length));
  return open.repeat(count) + close.repeat(count);
};

/** Repeated, each of these makes some rule begin again and again. */
const PIECES: readonly string[] = [
  ...':,"\\ \n⟦⟧%&_-0a/<`*{',
  ...['\\"', '⟦a', '%25', '\\u0061', '"id"', '"id": ', '"id":1,', '{"id":1},', '0123456789abcdef-', '"a":', '⟦byte '],
  ...['pcs-conformance ', '":"', ',"k7"', TOKEN.slice(9, 18), `${TOKEN} `, `${NUMBER},`, `"${NUMBER}",`],
];

/** Texts of a length, each the worst case of some rule. */
const WORST: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(PIECES.map((piece) => [piece, (length: number) => piece.repeat(length / piece.length)])),
  'a number and colons': (length) => `[${NUMBER},"${':'.repeat(length)}"]`,
  'lists in lists': (length) => nested('[', ']', length),
  'objects in objects': (length) => nested('{"a":', '}', length - 1).replace(':}', ':1}'),
  'lists of lists': (length) => `[${`[${'[1,2,3],'.repeat(500)}0],`.repeat(length / 4_000)}0]`,
  'a list of strings': (length) => `["${'a","'.repeat(length / 4)}"]`,
  'a list of objects': (length) => `[${'{"n":"x","on":true},'.repeat(length / 20)}{}]`,
};

const SHORT = 65_536;
const TIMES = 16;
/** As many times as long may the long text take. */
const MOST = 100;

/** Microseconds of this process for some work. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** What a single look at each character of a mebibyte costs here and now. */
const LOOK = cost(() => {
  const text = 'x'.repeat(SHORT * TIMES);
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
});

const PAIRS = sampled(
  Object.entries(RULES).flatMap(([name, rule]) =>
    Object.entries(WORST).map(([text, make]) => ({ name, rule, text, make })),
  ),
  // Shares no factor with the 43 texts, so that each rule meets another one.
  40,
);

describe(`each rule on each text (${PAIRS.words})`, () => {
  test.each(PAIRS.items)('$name is linear in $text', ({ rule, make }) => {
    const long = make(SHORT * TIMES);
    // Less than this is lost in the noise of a machine.
    const floor = 100 * Math.max(LOOK, 1_000);
    const whole = cost(() => rule(long));
    if (whole < floor) return;
    const part = () => Math.max(...[1, 2].map(() => cost(() => rule(make(SHORT)))));
    // What is quadratic takes 256 times as long. In a process with a large heap, garbage makes 16 times up to 60 of it.
    const ratios = [whole / part()];
    while (ratios.length < 4 && Math.min(...ratios) >= MOST) ratios.push(cost(() => rule(long)) / part());
    expect(Math.min(...ratios)).toBeLessThan(MOST);
  });
});
