/** Rejects secrets that any response may contain: a leak could not be recognized. */

import { KEPT } from '../contract/limits.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { BODY_SCHEMAS } from '../contract/schemas.ts';
import { UsageError } from '../contract/usage-error.ts';
import { constantOf, isSecretField } from '../exchange/header-fields.ts';
import { Redactor } from '../exchange/redaction.ts';
import type { Sources } from './sources.ts';
import * as table from './table.ts';

/** The words of the interface and of its errors, in lower case. */
const INTERFACE_WORDS: ReadonlySet<string> = new Set(
  [
    ...OPERATIONS.flatMap(({ id, alias, method, path }) => [id, alias, method, path, ...path.split('/')]),
    ...Object.values(BODY_SCHEMAS).flatMap(({ properties = {} }) => Object.keys(properties)),
    ...['success', 'error', 'code', 'message', 'true', 'false', 'null', 'id', 'call_id'],
    ...['application/json', 'Authorization', 'Bearer', 'Content-Type', 'HTTP', 'https'],
  ].map((word) => word.toLowerCase()),
);

const SECRETS = [...table.CREDENTIALS, ...table.INBOUND.filter(({ key }) => key === 'secret')];
const PUBLIC = [
  ...[...table.NUMBERS, ...table.CALL, ...table.RESOURCES, ...table.VALUES, ...table.QUERIES],
  ...table.INBOUND.filter(({ key }) => key !== 'secret'),
];

/** Long values of a run repeat one character: with pcs_org_xxxxxxxx revoked, each answer with one was a leak. */
const AGAIN_AND_AGAIN = new RegExp(`(.)\\1{${KEPT.unmistakable - 1}}`, 'su');

/** The part of a secret that any response may contain, in words; `undefined` if it is distinct from all other text. */
function mistakable(text: string): string | undefined {
  if (INTERFACE_WORDS.has(text.toLowerCase())) return `is ${JSON.stringify(text)}, a word of the interface`;
  return AGAIN_AND_AGAIN.test(text) ? `has one character ${KEPT.unmistakable} times in a row` : undefined;
}

/** Throws `UsageError` for a secret that is a word of the interface or part of another setting, and names both. */
export function demandSecrets({ given, values }: Sources): void {
  const inSettings = SECRETS.flatMap((setting) => {
    const { text = '', from = '' } = given(setting) ?? {};
    return text === '' ? [] : [[from, text] as const];
  });
  const { header = [] } = values(table.CONNECTION);
  const inHeaders = header
    .filter(isSecretField)
    .map(([name, value]) => [`--header ${name}`, constantOf(value)] as const);
  for (const [from, text] of [...inSettings, ...inHeaders]) {
    const redactor = new Redactor([{ kind: 'inbound-secret', label: from, value: text }]);
    // With 15550101 as the secret, each response that contained PCS_CALL_TO counted as a leak.
    const published = PUBLIC.find((setting) => {
      const { text: shown = '' } = given(setting) ?? {};
      return shown === text || redactor.redact(shown).leaks.length > 0;
    });
    const isSame = published !== undefined && given(published)?.text === text;
    const same =
      published === undefined ? mistakable(text) : `${isSame ? 'is the same as' : 'is a part of'} ${published.name}`;
    if (same === undefined) continue;
    throw new UsageError(`${from} ${same}, which any response may hold`, 'give a secret that is used for nothing else');
  }
}
