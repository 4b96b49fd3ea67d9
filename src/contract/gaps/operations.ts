/** Gaps of sections 4 and 5: operations and credentials. */

import { type Gap, observed, unobserved } from './gap.ts';

const QUERY = 'A parameter limit=1, against the answer without it.';
const REFUSALS = 'Answers to bad credentials on each operation.';

/** Gaps of section 4. */
export const EXCHANGE_GAPS: readonly Gap[] = [
  observed('4', 'GAP-SUCCESS-STATUS', 'Which status does success have?', 'Statuses of accepted requests.'),
  observed(
    '4',
    'GAP-SUCCESS-BODY',
    'What does the body of a success hold?',
    'Names and types of its outermost members.',
  ),
  observed(
    '4',
    'GAP-LIST-ITEMS',
    'What does an item of a list look like?',
    'Names and types of the members of its items.',
  ),
  observed('4', 'GAP-LIST-PAGING', 'Are the lists paged, and how?', 'What stands beside the items, and a Link header.'),
  observed('4', 'GAP-QUERY-LIST-NUMBERS', 'Which parameters does list numbers take?', QUERY),
  observed('4', 'GAP-QUERY-LIST-TRUNKS', 'Which parameters does list trunks take?', QUERY),
  observed('4', 'GAP-QUERY-AVAILABLE-NUMBERS', 'Which parameters does the number search take?', QUERY),
  observed(
    '4',
    'GAP-UNKNOWN-QUERY',
    'What becomes of a parameter that is not known?',
    'A made-up parameter on list trunks.',
  ),
  observed('4', 'GAP-BODY-REQUIRED', 'Which updates need a body?', 'The updates and the assignment without a body.'),
  observed(
    '4',
    'GAP-MEDIA-TYPE',
    'What becomes of another media type?',
    'Each operation with a body, labelled text/plain.',
  ),
  observed('4', 'GAP-OTHER-SLASH-FORM', 'What does the other slash form of a path answer?', 'Each path in that form.'),
  observed(
    '4',
    'GAP-ID-FORM',
    'Which form do ids in paths have?',
    'The ids of accepted requests; a trunk in capitals and undashed.',
  ),
  observed('4', 'GAP-UNKNOWN-ID', 'What becomes of an id that names nothing?', 'A random UUID for each id in a path.'),
  observed(
    '4',
    'GAP-MALFORMED-ID',
    'What becomes of a malformed id?',
    'A word for each id; on a read also %00, %2F, quotes, 300 and 10,000 characters.',
  ),
  observed('4', 'GAP-HEAD', 'What does HEAD answer?', 'HEAD on the list of trunks.'),
  observed('4', 'GAP-OPTIONS', 'What does OPTIONS answer?', 'OPTIONS on create call.'),
  observed(
    '4',
    'GAP-UNKNOWN-ROUTES',
    'What do routes answer that are not named?',
    'GET on a made-up route, and on create call.',
  ),
];

/** Gaps of section 5. */
export const CREDENTIAL_GAPS: readonly Gap[] = [
  unobserved(
    '5',
    'GAP-AUTH-ISSUING',
    'How is a credential issued?',
    'No operation that is shown issues one; the caller brings it.',
  ),
  observed(
    '5',
    'GAP-AUTH-REVOKING',
    'How is a credential revoked?',
    'What a revoked credential is answered, where one is configured.',
  ),
  observed('5', 'GAP-AUTH-MISSING-STATUS', 'Which status answers a missing credential?', REFUSALS),
  observed('5', 'GAP-AUTH-REFUSAL-STATUS', 'Which status answers an invalid credential?', REFUSALS),
  observed('5', 'GAP-AUTH-REFUSAL-HEADERS', 'Which header fields come with the refusal?', REFUSALS),
  observed('5', 'GAP-AUTH-REFUSAL-BODY', 'What does the refusal tell the caller?', REFUSALS),
  observed(
    '5',
    'GAP-AUTH-WRONG-PREFIX',
    'Is a wrong prefix told from a wrong secret?',
    'Both on list trunks, compared.',
  ),
  observed('5', 'GAP-AUTH-SCHEME-CASE', 'Does the letter case of Bearer count?', 'The good credential under bearer.'),
];
