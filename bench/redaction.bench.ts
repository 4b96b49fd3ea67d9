/** What redaction costs: making a redactor, and searching texts that hold no secret (`npm run bench`). */

import { bench, describe } from 'vitest';
import { createReference } from '../fixtures/service/reference.ts';
import { Redactor, type Secret } from '../src/exchange/redaction.ts';

const { settings } = createReference();
const SECRETS: readonly Secret[] = [
  { kind: 'credential', label: 'credential', value: settings.PCS_ACCESS_TOKEN },
  { kind: 'credential', label: 'another credential', value: settings.PCS_OTHER_ORG_ACCESS_TOKEN },
  { kind: 'credential', label: 'revoked credential', value: settings.PCS_REVOKED_ACCESS_TOKEN },
  { kind: 'inbound-secret', label: 'inbound secret', value: settings.PCS_INBOUND_SECRET },
];
const TRUNK = {
  id: '6a3c0e51-9d56-4a5e-8a4e-7f3f1a0b2c4d',
  name: 'Main trunk',
  status: 'active',
  direction: 'inbound',
};
const ANSWER = JSON.stringify({ success: true, data: { trunk: TRUNK } });
const LIST = JSON.stringify({ success: true, data: Array.from({ length: 3_000 }, () => TRUNK) });

const ESCAPED = LIST.replaceAll('-', '\\u002d');

const redactor = new Redactor(SECRETS);

describe('redaction', () => {
  bench('a redactor for four secrets', () => {
    new Redactor(SECRETS);
  });

  for (const [name, text] of [
    ['a trunk', ANSWER],
    ['a list of 3,000 trunks', LIST],
    ['the same list with 12,000 escapes', ESCAPED],
  ] as const) {
    bench(name, () => {
      redactor.redact(text);
    });
  }
});
