import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';
import { type Malformation, type MalformationKind, malformations } from '../../../src/generate/malformations.ts';
import { validArbitrary } from '../../../src/generate/random.ts';
import { sampled } from '../../selftest/seeded.ts';
import { CALL_OPTIONS } from './subjects.ts';

const PROTECTED = ['from', 'to'];
const WRITTEN = '{"from":"+15550100","to":"+15550101"';
const PLAIN = '{ "variables": {"key": "a, {b}: \\"c\\""},\n "from": "+15550100", "privacy": true, "to": "+15550101" }';
const RANDOM = sampled(validArbitrary(BODY_SCHEMAS['call-create'], CALL_OPTIONS), 11, 300).map((value) =>
  JSON.stringify(value),
);
const TEXTS = [PLAIN, '{"from":"+15550100","to":"+15550101"}', ...RANDOM];

/** Parses bytes as RFC 8259 requires: UTF-8 without a byte order mark. */
function strictly({ bytes }: Malformation): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array()));
}

function textOf(kind: MalformationKind, text = PLAIN): string {
  const { bytes } = malformations(text, PROTECTED).find((each) => each.kind === kind) ?? { bytes: null };
  return Buffer.from(bytes ?? []).toString('utf8');
}

describe('malformations', () => {
  test('that are invalid are rejected by a strict reader, for any text', () => {
    for (const text of TEXTS) {
      for (const each of malformations(text, PROTECTED).filter(({ syntax }) => syntax === 'invalid')) {
        expect(() => strictly(each), each.label).toThrow();
      }
    }
  });

  test('that are tolerated are rejected by a strict reader in three kinds only', () => {
    for (const text of TEXTS) {
      const rejected = malformations(text, PROTECTED).filter((each) => {
        if (each.syntax === 'invalid') return false;
        try {
          return strictly(each) === undefined;
        } catch {
          return true;
        }
      });
      expect(rejected.map(({ kind }) => kind)).toEqual(['bytes-after', 'byte-order-mark', 'invalid-utf-8']);
    }
  });

  test('keep each protected member as it is written, and only once', () => {
    for (const text of TEXTS) {
      for (const { kind, bytes } of malformations(text, PROTECTED)) {
        const sent = Buffer.from(bytes ?? [])
          .toString('utf8')
          .replace('\uFEFF', '');
        if (sent.trim() === '') continue;
        expect(sent.startsWith(WRITTEN), kind).toBe(true);
        expect(sent.match(/"(from|to)":/g), kind).toHaveLength(2);
      }
    }
  });

  test('end early within the free members, never inside a surrogate pair', () => {
    for (let count = 1; count <= 4; count += 1) {
      const cut = textOf('cut-short', JSON.stringify({ from: '+15550100', to: '+15550101', a: '😀'.repeat(count) }));
      expect(cut.startsWith(`${WRITTEN},`)).toBe(true);
      expect(cut).not.toContain('\uFFFD');
    }
  });
});
