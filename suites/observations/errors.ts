/** Gaps about errors, rejected credentials and limits (sections 5, 7 and 8). */

import { groupBy } from '../../src/contract/lists.ts';
import type { CredentialForm, Exchange } from '../../src/exchange/exchange.ts';
import type { Observation, ReadChoices } from '../../src/run/requirement.ts';
import { bodyOf, isError, statusOf } from '../../src/verdict/answer.ts';
import { RIGHTFUL } from '../operations.ts';
import { allOf, asked, askedGap, outcomeOf, perExchange, perOperation, unobserved, where } from './choices.ts';

/** A code is a word that the target chose; text that looks like data is not repeated. */
const WORD = /^(?!.*\d{7})[A-Za-z0-9][A-Za-z0-9_.: -]{0,63}$/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error code of the answer in a phrase: `code not_found`, `no body`, `a body without a code`. */
function codeOf(exchange: Exchange): string {
  const body = bodyOf(exchange);
  if (body === null) return 'no body';
  const code: unknown = Object(Object(parsed(body.text ?? '')).error).code;
  if (typeof code !== 'string') return 'a body without a code';
  return WORD.test(code) ? `code ${code}` : 'a code that is not a word';
}

const ENVELOPE: ReadonlySet<string> = new Set(['', '/success', '/error', '/error/code', '/error/message']);

/** Member names other than the envelope's own, at the top level and within `error`. */
function furtherMembers(exchange: Exchange): string | null {
  const members = bodyOf(exchange)?.members;
  if (members === undefined || !members.some(({ pointer }) => pointer === '/error/code')) return null;
  const names = members
    .map(({ pointer }) => pointer)
    .filter((pointer) => !ENVELOPE.has(pointer) && /^(?:\/error)?\/[^/]+$/.test(pointer))
    .map((pointer) => pointer.slice(1).replace('/', '.'));
  return names.length === 0 ? 'none' : [...new Set(names)].sort().join(', ');
}

const isDocumentedError = (exchange: Exchange): boolean => exchange.tag.documented && isError(exchange);
const withStatus = (tell: (exchange: Exchange) => string) => (exchange: Exchange) =>
  `${statusOf(exchange)}: ${tell(exchange)}`;

/** Gaps of section 7. */
export const ERROR_GAPS: readonly Observation[] = [
  {
    id: 'GAP-ERROR-CODES',
    section: '7',
    question: 'Which values does error.code take?',
    probe: 'The codes of all errors in the run.',
    read: where(isDocumentedError, perExchange(withStatus(codeOf))),
  },
  {
    id: 'GAP-ERROR-STATUS',
    section: '7',
    question: 'Which statuses do errors have?',
    probe: 'The statuses of all errors except those of create call.',
    read: where(
      (exchange) => isDocumentedError(exchange) && exchange.tag.operation !== 'createCall',
      perExchange((exchange) => String(statusOf(exchange))),
    ),
  },
  {
    id: 'GAP-ENVELOPE-MEMBERS',
    section: '7',
    question: 'Which further members does the envelope have?',
    probe: 'The members of all errors in the run.',
    read: where(isDocumentedError, perExchange(furtherMembers)),
  },
];

const isInvalid = ({ tag, request }: Exchange): boolean => tag.documented && !RIGHTFUL.includes(request.credential);
const isRejectedCredential = (exchange: Exchange): boolean => isInvalid(exchange) && isError(exchange);
const withForm =
  (form: CredentialForm) =>
  ({ tag, request }: Exchange): boolean =>
    tag.documented && request.credential === form;

/** The outcome if all forms get the same one, otherwise each outcome with its forms. */
function outcomes(own: readonly Exchange[]): readonly string[] {
  const alike = groupBy(own, outcomeOf);
  if (alike.size === 1) return [...alike.keys()];
  const formsOf = (exchanges: readonly Exchange[]) => [...new Set(exchanges.map(({ request }) => request.credential))];
  return [...alike].map(([outcome, exchanges]) => `${outcome} for ${formsOf(exchanges).sort().join(', ')}`);
}

/** Standard HTTP fields, which say nothing about the rejection. */
const EVERYWHERE: readonly string[] = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** Names of the header fields; of the challenge also its scheme. */
function headers({ response }: Exchange): string {
  const names = (response?.headers ?? []).map(([name, value]) => {
    const lower = name.toLowerCase();
    return lower === 'www-authenticate' ? `${lower}: ${value.split(' ')[0]}` : lower;
  });
  const own = [...new Set(names)].filter((name) => !EVERYWHERE.includes(name)).sort();
  return own.length === 0 ? 'none' : own.join(', ');
}

const told = (exchange: Exchange): string => `${outcomeOf(exchange)}, ${codeOf(exchange)}`;

/** Whether an operation responds alike to a wrong prefix and a wrong secret. */
const wrongPrefix: ReadChoices = ({ exchanges }, gap) => {
  const besideSecret = (exchange: Exchange): string => {
    const secret = exchanges.find(
      (one) => withForm('wrong-secret')(one) && one.tag.operation === exchange.tag.operation,
    );
    if (secret === undefined) return told(exchange);
    const isSame = told(exchange) === told(secret);
    return isSame ? `like a wrong secret: ${told(exchange)}` : `${told(exchange)}; a wrong secret: ${told(secret)}`;
  };
  return perExchange(besideSecret)(exchanges.filter(withForm('wrong-prefix')), gap);
};

const REJECTIONS = 'The responses to invalid credentials on each operation.';

/** Gaps of section 5. */
export const CREDENTIAL_GAPS: readonly Observation[] = [
  unobserved(
    'GAP-AUTH-ISSUING',
    '5',
    'How is a credential issued?',
    'No documented operation issues one; the user supplies it.',
  ),
  {
    id: 'GAP-AUTH-REVOKING',
    section: '5',
    question: 'How is a credential revoked?',
    probe: 'The response to a revoked credential, if one is configured.',
    read: where(
      withForm('revoked'),
      perExchange((exchange) => `a revoked one: ${outcomeOf(exchange)}`),
    ),
  },
  {
    id: 'GAP-AUTH-MISSING-STATUS',
    section: '5',
    question: 'Which status does a missing credential get?',
    probe: REJECTIONS,
    read: where(withForm('none'), perExchange(outcomeOf)),
  },
  {
    id: 'GAP-AUTH-REFUSAL-STATUS',
    section: '5',
    question: 'Which status does an invalid credential get?',
    probe: REJECTIONS,
    read: where((exchange) => isInvalid(exchange) && !withForm('none')(exchange), perOperation(outcomes)),
  },
  {
    id: 'GAP-AUTH-REFUSAL-HEADERS',
    section: '5',
    question: 'Which header fields come with the rejection?',
    probe: REJECTIONS,
    read: where(isRejectedCredential, perExchange(withStatus(headers))),
  },
  {
    id: 'GAP-AUTH-REFUSAL-BODY',
    section: '5',
    question: 'What does the rejection tell the caller?',
    probe: REJECTIONS,
    read: where(isRejectedCredential, perExchange(withStatus(codeOf))),
  },
  {
    id: 'GAP-AUTH-WRONG-PREFIX',
    section: '5',
    question: 'Does the response distinguish a wrong prefix from a wrong secret?',
    probe: 'Both on each operation, compared.',
    read: wrongPrefix,
  },
  askedGap(
    'GAP-AUTH-SCHEME-CASE',
    '5',
    'Does the letter case of Bearer matter?',
    'The valid credential with the scheme written bearer.',
    {
      also: [{ id: 'AUTH-SCHEME-CASE' }],
      read: asked(outcomeOf, () => true),
    },
  ),
];

const RATE = /rate-?limit|^retry-after$/;
/** Milliseconds; only a delay that every caller would notice is longer. */
const LATE = 10_000;

function rates(own: readonly Exchange[]): readonly string[] {
  const names = own.flatMap(({ response }) => response?.headers.map(([name]) => name.toLowerCase()) ?? []);
  const telling = [...new Set(names)].filter((name) => RATE.test(name)).sort();
  const enforced = own.some((exchange) => statusOf(exchange) === 429) ? ['429 seen'] : [];
  return [telling.length === 0 ? 'no header field' : `header fields: ${telling.join(', ')}`, ...enforced];
}

const always = (): boolean => true;

/** Sent by suites/observations/reads.ts. */
export const GAP_RATE_LIMITS = askedGap(
  'GAP-RATE-LIMITS',
  '8',
  'Which rate limits are there?',
  'Header names, 429 responses, and concurrent reads.',
  { read: allOf(asked(), where(always, perOperation(rates))) },
);

/** An exact time is never recorded as a choice. */
export const GAP_LATENESS = {
  id: 'GAP-LATENESS',
  section: '8',
  question: 'How long can a response take?',
  probe: 'Whether any response took more than ten seconds.',
  read: where(
    always,
    perOperation((own) => [own.some(({ took }) => took > LATE) ? 'over 10 s' : 'within 10 s']),
  ),
} as const satisfies Observation;
