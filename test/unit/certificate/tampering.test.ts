/** What was changed after it was signed is refused, wherever it was changed, and so is what a signer made up. */

import { describe, expect, test } from 'vitest';
import { MANIFEST, type Manifest } from '../../../src/certificate/bundle.ts';
import type { Bytes } from '../../../src/certificate/bytes.ts';
import { canonicalJson, sha256 } from '../../../src/certificate/canonical.ts';
import { Disagreement } from '../../../src/certificate/disagreement.ts';
import { sealedEnvelope } from '../../../src/certificate/envelope.ts';
import { verifyBundle } from '../../../src/certificate/verify.ts';
import { bytesOf, narrowBundle, newKeys, referenceBundle, VERIFIER } from './certified.ts';
import { allLeavesOf, changed, changedAt, leavesOf, numbersFrom } from './tampering.ts';

const POSITIONS = 10_000;

/** Milliseconds: hashing a bundle ten thousand times takes its while on a busy machine. */
const PATIENCE = 300_000;
const keys = newKeys();
const bundle = await referenceBundle(keys.own);

/** A bundle of a few operations, since ten thousand times its size is hashed. */
const small = bytesOf(await narrowBundle(keys.own));
const whole = bytesOf(bundle);

/** The sentence with which a bundle is refused; `null` where it is not. */
function refusal(bytes: Bytes): string | null {
  try {
    verifyBundle(bytes, keys.known, VERIFIER);
    return null;
  } catch (error) {
    if (error instanceof Disagreement) return error.message;
    throw error;
  }
}

const textIn = (name: string): string => bundle.files.get(name) ?? '';
const withText = (name: string, text: string): Bytes => new Map([...whole, [name, Buffer.from(text)]]);

/** The bundle with a file replaced by whoever holds the key: digests corrected, statement signed anew. */
function resigned(
  name: string,
  text: string,
  statementChange: (statement: unknown) => unknown = (same) => same,
): Bytes {
  const manifest: Manifest = JSON.parse(textIn(MANIFEST));
  const files = manifest.files.map((file) =>
    file.name === name ? { name, bytes: Buffer.byteLength(text), sha256: sha256(text) } : file,
  );
  const listed = `${canonicalJson({ ...manifest, files })}\n`;
  const statement = JSON.parse(Buffer.from(JSON.parse(textIn('attestation.json')).payload, 'base64').toString());
  const signed = { ...statement, subject: [{ name: MANIFEST, digest: { sha256: sha256(listed) } }] };
  const edits = [
    [name, text],
    [MANIFEST, listed],
    ['attestation.json', sealedEnvelope(statementChange(signed), keys.own)],
  ] as const;
  return new Map([...whole, ...edits.map(([file, content]) => [file, Buffer.from(content)] as const)]);
}

describe('a bundle that was changed after it was signed', () => {
  test('agrees as long as nothing was changed', () => {
    expect(refusal(whole)).toBeNull();
    expect(refusal(resigned('results.json', textIn('results.json')))).toBeNull();
  });

  test.each(['attestation.json', MANIFEST])('is refused for any byte of %s', (name) => {
    const { length } = whole.get(name) ?? [];
    expect(length).toBeGreaterThan(500);
    for (let at = 0; at < (length ?? 0); at += 1) {
      const bytes = changedAt(whole, name, at, (at % 255) + 1);
      expect(refusal(bytes), `${name} at ${at}`).toMatch(/\w+ \w+ \w+/);
    }
  });

  test(
    'is refused for ten thousand positions of the rest',
    () => {
      expect(refusal(small)).toBeNull();
      const rest = [...small].filter(([name]) => name !== 'attestation.json' && name !== MANIFEST);
      const total = rest.reduce((sum, [, data]) => sum + data.length, 0);
      const draw = numbersFrom(6);
      for (let count = 0; count < POSITIONS; count += 1) {
        let at = draw(total);
        const found = rest.find(([, data]) => {
          if (at < data.length) return true;
          at -= data.length;
          return false;
        });
        const name = found?.[0] ?? '';
        const bytes = changedAt(small, name, at, draw(255) + 1);
        expect(refusal(bytes), `${name} at ${at}`).toContain(`${name} has the digest`);
      }
    },
    PATIENCE,
  );

  test(
    'is refused for every JSON field of every file',
    () => {
      let fields = 0;
      for (const [name, data] of small) {
        if (!/json$/.test(name)) continue;
        // Lines of their own, or one value; either way what is changed is one scalar.
        const lines = name.endsWith('.ndjson') ? data.toString().split('\n') : [data.toString()];
        for (const [at, line] of lines.entries()) {
          if (line === '') continue;
          const value: unknown = JSON.parse(line);
          for (const { pointer } of allLeavesOf(value)) {
            fields += 1;
            const text = lines.with(at, JSON.stringify(changed(value, pointer))).join('\n');
            expect(refusal(new Map([...small, [name, Buffer.from(text)]])), `${name} ${at}${pointer}`).toMatch(
              /\w+ \w+ \w+/,
            );
          }
        }
      }
      expect(fields).toBeGreaterThan(3_000);
    },
    PATIENCE,
  );

  test('is refused for white space, doubled members and another way to write base64', () => {
    const envelope = textIn('attestation.json');
    expect(refusal(withText('attestation.json', envelope.trimEnd()))).toContain('canonical form');
    expect(refusal(withText('attestation.json', envelope.replace(':', ': ')))).toContain('canonical form');
    expect(refusal(withText('attestation.json', envelope.replace('{', '{"payload":"",')))).toContain('canonical form');
    const parsed = JSON.parse(envelope);
    const loose = { ...parsed, payload: `${parsed.payload}\n` };
    expect(refusal(withText('attestation.json', `${canonicalJson(loose)}\n`))).toContain('base64');
  });
});

describe('a bundle whose signer made something up', () => {
  test.each(['results.json', 'settings.json', 'choices.json', 'badge.json', 'record.json', 'plan.json'])(
    'is refused for every kind of field of %s',
    (name) => {
      const value: unknown = JSON.parse(textIn(name));
      const pretty = textIn(name).includes('\n  ');
      // What nothing else says, and no verdict rests on: how many calls were accepted, and notes on the target's state.
      const free = name === 'record.json' ? ['/header/target', '/header/settings/-', '/header/strict', '/calls'] : [];
      const leaves = leavesOf(value).filter(({ shape }) => !free.includes(shape));
      expect(leaves.length).toBeGreaterThan(0);
      for (const { pointer } of leaves) {
        const edited = changed(value, pointer);
        const text = `${pretty ? JSON.stringify(edited, null, 2) : JSON.stringify(edited)}\n`;
        expect(refusal(resigned(name, text)) ?? 'agrees', `${name}${pointer}`).toMatch(/\w+ \w+ \w+/);
      }
    },
  );

  test('is refused for an edited verdict, which is named', () => {
    const results = JSON.parse(textIn('results.json'));
    results.requirements[3].cases[0].verdict = 'not-exercised';
    const sentence = refusal(resigned('results.json', `${JSON.stringify(results, null, 2)}\n`));
    expect(sentence).toBe(
      'results.json is not what follows from the recorded exchanges at /requirements/3/cases/0/verdict',
    );
  });

  test('is refused for every field of the statement', () => {
    const statement = JSON.parse(Buffer.from(JSON.parse(textIn('attestation.json')).payload, 'base64').toString());
    for (const { pointer } of leavesOf(statement)) {
      const bytes = resigned('results.json', textIn('results.json'), (signed) => changed(signed, pointer));
      expect(refusal(bytes), pointer).toMatch(/\w+ \w+ \w+/);
    }
  });

  test('is refused for an edited certificate', () => {
    const page = textIn('certificate.html').replace('Reference', 'Somebody');
    expect(refusal(resigned('certificate.html', page))).toContain('certificate.html is not what follows');
  });

  test('is refused for an exchange whose status was edited', () => {
    const lines = textIn('exchanges.ndjson').split('\n');
    const at = lines.findIndex((line) => line.includes('"operation":"listTrunks"') && line.includes('"status":200'));
    lines[at] = (lines[at] ?? '').replace('"status":200', '"status":404');
    expect(refusal(resigned('exchanges.ndjson', lines.join('\n')))).toContain('results.json is not what follows');
  });
});
