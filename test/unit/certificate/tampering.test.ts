/** A bundle is rejected if it was changed after it was signed, or if its signer invented something. */

import { describe, expect, test } from 'vitest';
import { MANIFEST } from '../../../src/certificate/bundle-files.ts';
import { isWhole, sampled } from '../../sampled.ts';
import { type Bytes, bytesOf, narrowBundle, newKeys } from './certified.ts';
import { changed, changedAt, fieldChanges, leavesOf, rejectionOf, signedAgain } from './tampering.ts';

const keys = newKeys();

/** A bundle of two operations has every kind of field, and is verified several times as fast. */
const bundle = await narrowBundle(keys.own);
const signed = bytesOf(bundle);
const rejection = (bytes: Bytes): Promise<string | null> => rejectionOf(bytes, keys.known);
const textIn = (name: string): string => bundle.files.get(name) ?? '';

const resigned = (name: string, text: string, statementEdit?: (statement: object) => unknown): Bytes =>
  signedAgain(bundle.files, { [name]: text }, keys.own, statementEdit);

describe('a bundle that was changed after it was signed', () => {
  test('is verified as long as nothing was changed', async () => {
    expect(await rejection(signed)).toBeNull();
    expect(await rejection(resigned('results.json', textIn('results.json')))).toBeNull();
  });

  test.each(['attestation.json', MANIFEST])('is rejected for any byte of %s', async (name) => {
    const { length } = signed.get(name) ?? [];
    expect(length).toBeGreaterThan(500);
    for (let at = 0; at < (length ?? 0); at += isWhole() ? 1 : 7) {
      const bytes = changedAt(signed, name, at, (at % 255) + 1);
      expect(await rejection(bytes), `${name} at ${at}`).toMatch(/\w+ \w+ \w+/);
    }
  });

  test('is rejected for a signature whose base64 has other unused bits', async () => {
    const next = (_: string, letter: string): string => `${String.fromCharCode(letter.charCodeAt(0) + 1)}==`;
    const text = textIn('attestation.json').replace(/(.)==(?=")/, next);
    const bytes = new Map([...signed, ['attestation.json', Buffer.from(text)]]);
    expect(await rejection(bytes)).toContain('base64 that is not in its canonical form');
  });

  test('is rejected for every kind of JSON field of every file', async () => {
    const names = new Set<string>();
    let fields = 0;
    for (const { place, changedBytes } of fieldChanges(signed)) {
      fields += 1;
      names.add(place.split('/')[0] ?? '');
      expect(await rejection(changedBytes), place).toMatch(/\w+ \w+ \w+/);
    }
    expect([...names].sort()).toEqual([...signed.keys()].filter((name) => /json$/.test(name)).sort());
    expect(fields).toBeGreaterThan(100);
  });
});

describe('a bundle whose signer invented something', () => {
  test.each(['results.json', 'choices.json', 'badge.json', 'record.json'])(
    `is rejected for every kind of field of %s${isWhole() ? '' : ' (one in twelve here, all in npm run test:long)'}`,
    async (name) => {
      const value: unknown = JSON.parse(textIn(name));
      const pretty = textIn(name).includes('\n  ');
      // When the run began is the word of the signer: every other time of the record is counted from it.
      const leaves = sampled(leavesOf(value), 12).items.filter((pointer) => pointer !== '/startedAt');
      expect(leaves.length).toBeGreaterThan(0);
      for (const pointer of leaves) {
        const edited = changed(value, pointer);
        const text = `${pretty ? JSON.stringify(edited, null, 2) : JSON.stringify(edited)}\n`;
        expect((await rejection(resigned(name, text))) ?? 'verified', `${name}${pointer}`).toMatch(/\w+ \w+ \w+/);
      }
    },
  );

  test('is rejected for an edited verdict, and the message names it', async () => {
    const results = JSON.parse(textIn('results.json'));
    results.requirements[3].cases[0].verdict = 'not-exercised';
    results.requirements[3].cases[0].reason = 'it was not asked';
    const sentence = await rejection(resigned('results.json', `${JSON.stringify(results, null, 2)}\n`));
    expect(sentence).toBe(
      'results.json does not follow from the recorded exchanges at /requirements/3/cases/0/verdict',
    );
  });

  test('is rejected for every field of the statement that is tried', async () => {
    const statement = JSON.parse(Buffer.from(JSON.parse(textIn('attestation.json')).payload, 'base64').toString());
    for (const pointer of sampled(leavesOf(statement), 4).items) {
      const bytes = resigned('results.json', textIn('results.json'), (signed) => changed(signed, pointer));
      expect(await rejection(bytes), pointer).toMatch(/\w+ \w+ \w+/);
    }
  });

  test('is rejected for an edited certificate', async () => {
    const page = textIn('certificate.html').replace('Reference', 'Somebody');
    expect(await rejection(resigned('certificate.html', page))).toContain('certificate.html does not follow');
  });

  test.each([
    // After a 404 the suite reads nothing more of it, and after a 202 it does.
    ['404', 'run again, the record differs'],
    ['202', 'results.json does not follow'],
  ])('is rejected for an exchange whose status was made %s', async (status, phrase) => {
    const lines = textIn('exchanges.ndjson').split('\n');
    const at = lines.findIndex((line) => line.includes('"operation":"listTrunks"') && line.includes('"status":200'));
    lines[at] = (lines[at] ?? '').replace('"status":200', `"status":${status}`);
    expect(await rejection(resigned('exchanges.ndjson', lines.join('\n')))).toContain(phrase);
  });
});
