/** A secret that lacks one of its characters is redacted as well, although too little of it may be left in a row. */

import { expect, test } from 'vitest';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { ENCODINGS, readings, seeded } from './encodings.ts';

const VALUES = ['k3yQ9k7Z', 'opensesame', 'Pc9a1b2c3d4e5f6x'];
const KINDS = ['inbound-secret', 'gateway-header', 'credential', 'url-token'] as const;

test.each(Object.entries(ENCODINGS))('written as %s', (_, encode) => {
  const random = seeded(7);
  for (const value of VALUES) {
    for (const kind of KINDS) {
      const redactor = new Redactor([{ kind, label: 'secret', value }]);
      for (let at = 0; at < value.length; at += 1) {
        const shortened = value.slice(0, at) + value.slice(at + 1);
        const { text } = redactor.redact(`{"m":"no ${encode(shortened, random)}."}`);
        expect(text).toContain('⟦secret');
        const seen = readings(text).filter((one) => one.toLowerCase().includes(shortened.slice(0, 6).toLowerCase()));
        expect(seen, text).toEqual([]);
      }
    }
  }
});
