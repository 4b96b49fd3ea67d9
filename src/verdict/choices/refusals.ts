/** Choices in the refusal of a credential (section 5): status, header fields, and what the body tells. */

import type { CredentialForm, Exchange } from '../../exchange/exchange.ts';
import { isError, statusOf } from '../answer.ts';
import { byOperation, type Choice, outcomeOf, perExchange, type Reader } from './choice.ts';
import { codeOf } from './errors.ts';

/** Forms that are no bad credential, or a question of their own. */
const APART: ReadonlySet<CredentialForm> = new Set([
  'valid',
  'other-organization',
  'lower-case-scheme',
  'wrong-prefix',
]);

/** HTTP's own fields, which say nothing of the refusal. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

function isRefused(exchange: Exchange): boolean {
  return exchange.tag.documented && !APART.has(exchange.request.credential) && isError(exchange);
}

/** The outcome where all forms get the same, otherwise each outcome with its forms. */
function statuses(own: readonly Exchange[]): readonly string[] {
  const forms = new Map<string, Set<string>>();
  for (const exchange of own) {
    const outcome = outcomeOf(exchange);
    forms.set(outcome, (forms.get(outcome) ?? new Set()).add(exchange.request.credential));
  }
  if (forms.size === 1) return [...forms.keys()];
  return [...forms].map(([outcome, names]) => `${outcome} for ${[...names].sort().join(', ')}`);
}

function statusChoices(exchanges: readonly Exchange[]): readonly Choice[] {
  const invalid = exchanges.filter(
    ({ tag, request }) => tag.documented && !APART.has(request.credential) && request.credential !== 'none',
  );
  return [...byOperation(invalid)].flatMap(([operation, own]) =>
    statuses(own).map((choice) => ({ gap: 'GAP-AUTH-REFUSAL-STATUS', operation, choice })),
  );
}

/** Names of the header fields; of the challenge also its scheme. */
function headers({ response }: Exchange): string {
  const names = (response?.headers ?? []).map(([name, value]) => {
    const lower = name.toLowerCase();
    return lower === 'www-authenticate' ? `${lower}: ${value.split(' ')[0]}` : lower;
  });
  const own = [...new Set(names)].filter((name) => !EVERYWHERE.has(name)).sort();
  return own.length === 0 ? 'none' : own.join(', ');
}

function told(exchange: Exchange): string {
  return `${outcomeOf(exchange)}, ${codeOf(exchange)}`;
}

/** Whether the same operation tells a wrong prefix from a wrong secret. */
function prefixChoices(exchanges: readonly Exchange[]): readonly Choice[] {
  const prefixed = exchanges.filter(({ tag, request }) => tag.documented && request.credential === 'wrong-prefix');
  return perExchange('GAP-AUTH-WRONG-PREFIX', prefixed, (exchange) => {
    const secret = exchanges.find(
      ({ tag, request }) =>
        tag.documented && tag.operation === exchange.tag.operation && request.credential === 'wrong-secret',
    );
    if (secret === undefined) return told(exchange);
    const same = told(exchange) === told(secret);
    return same ? `like a wrong secret: ${told(exchange)}` : `${told(exchange)}; a wrong secret: ${told(secret)}`;
  });
}

/** Choices about credentials that are refused. */
export const refusalChoices: Reader = (exchanges) => {
  const without = exchanges.filter(({ tag, request }) => tag.documented && request.credential === 'none');
  const revoked = exchanges.filter(({ tag, request }) => tag.documented && request.credential === 'revoked');
  const refused = exchanges.filter(isRefused);
  return [
    ...perExchange('GAP-AUTH-MISSING-STATUS', without, outcomeOf),
    ...perExchange('GAP-AUTH-REVOKING', revoked, (exchange) => `a revoked one: ${outcomeOf(exchange)}`),
    ...statusChoices(exchanges),
    ...perExchange('GAP-AUTH-REFUSAL-HEADERS', refused, (exchange) => `${statusOf(exchange)}: ${headers(exchange)}`),
    ...perExchange('GAP-AUTH-REFUSAL-BODY', refused, (exchange) => `${statusOf(exchange)}: ${codeOf(exchange)}`),
    ...prefixChoices(exchanges),
  ];
};
