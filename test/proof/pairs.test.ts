/** A few pairs of fault and lawful variant; test/long proves a thousand and more. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { provePair } from '../../src/selftest/prove.ts';
import { allPairs, partOf, provePairs } from './samples.ts';

// The 409 of a busy line, or of the number that is called already, is no answer about the credential.
test.each(['trunk-of-any-organization', 'application-of-any-organization'])(
  '%s is caught where a line is freed late',
  async (name) => {
    const fault = FAULTS.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`no fault is named ${name}`);
    expect(await provePair({ fault, choices: { 'repeated-call': 'line-freed-late' } })).toEqual({ kind: 'holds' });
  },
);

provePairs(partOf(allPairs(), 1, 240), 3);
