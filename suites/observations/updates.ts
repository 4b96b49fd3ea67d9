/** Gaps about updates: what they require and tolerate (sections 2, 4 and 8). */

import type { Exchange } from '../../src/exchange/exchange.ts';
import type { Observation } from '../../src/run/requirement.ts';
import { isAccepted } from '../../src/verdict/answer.ts';
import { isOneOf, UPDATES } from '../operations.ts';
import { allOf, asked, askedGap, isHeard, perOperation, where } from './choices.ts';

/** Member names at the top of the request's body; `null` where it is not an object. */
function sentNames({ request }: Exchange): readonly string[] | null {
  const members = request.body?.members ?? [];
  if (members[0]?.type !== 'object') return null;
  const names = members.map(({ pointer }) => pointer.slice(1)).filter((name) => name !== '' && !name.includes('/'));
  return [...new Set(names)].sort();
}

/** The accepted bodies with the fewest members. */
function smallest(own: readonly Exchange[]): readonly string[] {
  const bodies = own
    .filter(isAccepted)
    .map(sentNames)
    .filter((names) => names !== null);
  const least = Math.min(...bodies.map(({ length }) => length));
  const phrase = (names: readonly string[]) =>
    names.length === 0 ? 'no member is required' : `enough: ${names.join(', ')}`;
  return bodies.filter(({ length }) => length === least).map(phrase);
}

const sufficient = where(
  (one) => isHeard(one) && one.tag.documented && isOneOf(UPDATES, one.tag.operation),
  perOperation(smallest),
);

export const GAP_EMPTY_UPDATE = askedGap(
  'GAP-EMPTY-UPDATE',
  '2',
  'What does an update without members do?',
  'Each of the three updates with an empty object.',
);

export const GAP_UPDATE_REQUIRED = askedGap(
  'GAP-UPDATE-REQUIRED',
  '2',
  'Which fields of an update are required?',
  'Each field alone, and the smallest accepted bodies.',
  { also: [{ id: 'UPDATE-FIELD-ALONE' }], read: allOf(asked(), sufficient) },
);

export const RING_BOUNDS = askedGap(
  'GAP-RING-TIMEOUT-BOUNDS',
  '2',
  'Which range does ring_timeout_seconds have?',
  'Zero, a negative number, the limits of common integer types, and 1.0.',
);

export const UPDATE_BOUNDS = askedGap(
  'GAP-UPDATE-BOUNDS',
  '2',
  'Which bounds do the other fields of an update have?',
  'The same boundary value in every member: empty, long, quotes, unusual characters, other types, deep nesting.',
);

/** Gaps about bounds, in the order of section 2. */
export const BOUND_GAPS: readonly Observation[] = [RING_BOUNDS, UPDATE_BOUNDS];

export const GAP_UNKNOWN_MEMBERS = askedGap(
  'GAP-UNKNOWN-MEMBERS',
  '2',
  'What happens to unknown members?',
  'An update and a call with one unknown member.',
);

export const DUPLICATE_MEMBERS = askedGap(
  'GAP-DUPLICATE-MEMBERS',
  '2',
  'What happens to a duplicate member?',
  'An update with one member twice.',
);

export const INVALID_UTF8 = askedGap(
  'GAP-INVALID-UTF8',
  '2',
  'What happens to a body that is not UTF-8?',
  'An update with two bytes that are not UTF-8.',
);

/** Gaps about what a body may hold, in the order of section 2; `uuidForms` is observed on the assignment. */
export const tolerated = (uuidForms: Observation): readonly Observation[] => [
  GAP_UNKNOWN_MEMBERS,
  DUPLICATE_MEMBERS,
  GAP_EMPTY_UPDATE,
  askedGap(
    'GAP-NULL-MEMBERS',
    '2',
    'May an optional field that is not nullable be null?',
    'Null in each optional field of updates and calls.',
    { also: [{ id: 'NULL-REFUSED' }] },
  ),
  uuidForms,
  INVALID_UTF8,
  askedGap(
    'GAP-TRAILING-BYTES',
    '2',
    'What happens to bytes after the JSON value?',
    'Each operation with a body, with bytes after it.',
    { also: [{ id: 'TRAILING-BYTES-REFUSED' }] },
  ),
];

export const BODY_REQUIRED = askedGap(
  'GAP-BODY-REQUIRED',
  '4',
  'Which updates need a body?',
  'The updates and the assignment without a body.',
  { also: [{ id: 'NUMBER-ASSIGN-INVALID', variation: 'there is no body' }] },
);

/** Gaps of section 4 about bodies. */
export const BODY_GAPS: readonly Observation[] = [
  BODY_REQUIRED,
  askedGap(
    'GAP-MEDIA-TYPE',
    '4',
    'What happens to a body with another media type?',
    'Each operation with a body, labelled text/plain.',
    { also: [{ id: 'CONTENT-TYPE-OTHER' }] },
  ),
];

/** Of section 8. */
export const GAP_SIZE_LIMITS = askedGap(
  'GAP-SIZE-LIMITS',
  '8',
  'Which size limits are there?',
  'An update of 8,000 bytes.',
);

/** Of section 8. */
export const GAP_NESTING = askedGap(
  'GAP-NESTING',
  '8',
  'How deeply can a body be nested?',
  'An update with arrays 400 deep in an unknown member.',
);
