/** What it costs to look for secrets in texts that hold none by letters, and word by word: `npm run bench`. */

import { bench, describe } from 'vitest';
import { createReference } from '../fixtures/service/reference.ts';
import { settled, viewsOf } from '../src/exchange/decoded-views.ts';
import { Redactor, type Secret } from '../src/exchange/redaction.ts';
import { foldCase, searchWords } from '../src/exchange/secret-forms.ts';

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

const redactor = new Redactor(SECRETS);
const words = SECRETS.flatMap((secret) => searchWords(secret, settled));

function wordByWord(text: string): boolean {
  return viewsOf(text)
    .map((view) => foldCase(view.text))
    .some((folded) => words.some(({ core }) => folded.includes(core)));
}

describe.each([
  ['a trunk', ANSWER],
  ['a list of 3,000 trunks', LIST],
])('%s', (_, text) => {
  bench('redactor', () => {
    redactor.redact(text);
  });

  bench('each word by itself', () => {
    wordByWord(text);
  });
});
