/** Choices of gaps that a request asked about: by its own tag, or because a requirement asks the same. */

import type { Exchange } from '../../exchange/exchange.ts';
import { isAccepted } from '../answer.ts';
import { type Choice, fieldOf, isHeard, operationOf, outcomeOf, type Reader } from './choice.ts';

/** Requirements whose probes show a choice as well: the one is judged, the other only noted. */
export const ALSO_SHOWN: Readonly<Record<string, string>> = {
  'NULL-REFUSED': 'GAP-NULL-MEMBERS',
  'TRAILING-BYTES-REFUSED': 'GAP-TRAILING-BYTES',
  'CONTENT-TYPE-OTHER': 'GAP-MEDIA-TYPE',
  'UNKNOWN-ID-REFUSED': 'GAP-UNKNOWN-ID',
  'MALFORMED-ID-REFUSED': 'GAP-MALFORMED-ID',
  'UPDATE-FIELD-ALONE': 'GAP-UPDATE-REQUIRED',
  'NUMBER-ASSIGN-INVALID#there is no body': 'GAP-BODY-REQUIRED',
  'AUTH-SCHEME-CASE': 'GAP-AUTH-SCHEME-CASE',
};

/** Gaps about the credential itself, whose refusal is the choice. */
const ABOUT_CREDENTIALS: readonly string[] = ['GAP-AUTH-SCHEME-CASE'];

/** Parameters whose effect shows in how long the answer is. */
const ABOUT_PAGES = /^GAP-(?:QUERY-|PAGE-LIMITS$)/;

interface Ask {
  readonly gap: string;
  readonly label: string;
}

/** The gaps that an exchange asks, each with what is particular about the request. */
function asksOf({ tag }: Exchange): readonly Ask[] {
  return tag.asks.flatMap((ask) => {
    const [id = '', label = ''] = ask.split('#');
    if (id.startsWith('GAP-')) return [{ gap: id, label }];
    const gap = ALSO_SHOWN[ask] ?? ALSO_SHOWN[id];
    return gap === undefined ? [] : [{ gap, label: tag.about }];
  });
}

/** Accepted, a request with several strange things answers for all; refused, it does not tell for which of them. */
function isMixed(exchange: Exchange): boolean {
  return new Set(asksOf(exchange).map(({ gap }) => gap)).size > 1;
}

/** Beside the answer without the parameter; a timestamp more or less does not count. */
function lengthOf(exchange: Exchange, plain: Exchange | undefined): string {
  const length = exchange.response?.body?.length ?? 0;
  const usual = plain?.response?.body?.length ?? 0;
  if (!isAccepted(exchange) || plain === undefined) return '';
  if (length < usual * 0.8) return ', shorter than without it';
  return length > usual * 1.2 ? ', longer than without it' : ', about as long as without it';
}

function allowed(exchange: Exchange): string {
  const methods = fieldOf(exchange, 'allow')?.split(',') ?? [];
  const names = methods.map((method) => method.trim()).sort();
  return names.length === 0 ? ', no Allow' : `, Allow: ${names.join(', ')}`;
}

function phraseOf(exchange: Exchange, gap: string, plain: Exchange | undefined): string {
  const outcome = outcomeOf(exchange);
  if (gap === 'GAP-OPTIONS') return outcome + allowed(exchange);
  return ABOUT_PAGES.test(gap) ? outcome + lengthOf(exchange, plain) : outcome;
}

/** Choices that requests of the run asked about. */
export const askedChoices: Reader = (exchanges) => {
  const plain = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const isPlain =
      isHeard(exchange) && isAccepted(exchange) && asksOf(exchange).length === 0 && exchange.tag.documented;
    if (isPlain && !plain.has(operationOf(exchange))) plain.set(operationOf(exchange), exchange);
  }
  const answered = exchanges.filter((exchange) => !isMixed(exchange) || isAccepted(exchange));
  return answered.flatMap((exchange): readonly Choice[] =>
    asksOf(exchange)
      .filter(({ gap }) => isHeard(exchange) || ABOUT_CREDENTIALS.includes(gap))
      .map(({ gap, label }) => {
        const outcome = phraseOf(exchange, gap, plain.get(operationOf(exchange)));
        return { gap, operation: operationOf(exchange), choice: `${label}: ${outcome}` };
      }),
  );
};
