/** Digests: the same for the same bytes, whether they are remembered or made. */

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyedDigest } from '../../../src/exchange/facts.ts';

const KEY = Buffer.from('a key');
const expected = (text: string): string => createHmac('sha256', KEY).update(text).digest('hex').slice(0, 16);

test('are the first sixteen digits of the HMAC, the second time too, and for any length', () => {
  const digest = keyedDigest(KEY);
  for (const text of ['', 'a', '+15550100', 'ä'.repeat(64), 'x'.repeat(65), 'x'.repeat(5_000)]) {
    expect([digest(text), digest(text), digest(Buffer.from(text))]).toEqual(Array(3).fill(expected(text)));
  }
});

test('are right for more texts than are remembered', () => {
  const digest = keyedDigest(KEY);
  const texts = Array.from({ length: 5_000 }, (_, at) => `text ${at}`);
  for (const text of texts) digest(text);
  expect(texts.map((text) => digest(text))).toEqual(texts.map(expected));
});
