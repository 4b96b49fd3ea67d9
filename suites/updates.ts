/** Bodies of updates and of the number assignment, and tolerated deviations (sections 2 and 4). */

import type { OperationId } from '../src/contract/operations.ts';
import type { BrokenBody, Requirement } from '../src/run/requirement.ts';
import { jsonBytes, malformed } from './bodies.ts';
import { rejectedWith, shouldReject } from './expect/bodies.ts';
import { ASSIGN, CREATE, isOneOf, UPDATES, WITH_BODY } from './operations.ts';

/** A media type that is neither JSON nor a form. */
const OTHER_TYPE = 'text/plain';

/**
 * One wrong type per field: the one that a coercing reader would most likely accept. For addresses, secrets and a
 * trunk's state, the valid value is wrapped in an array or object, so that a reader that accepts it writes nothing
 * unusual.
 */
const WRONG_TYPE: Readonly<Record<string, readonly string[]>> = {
  '/ring_timeout_seconds': ['string', 'fraction'],
  '/caller_id': ['array'],
  '/voice_url': ['object'],
  '/callback_url': ['array'],
  '/method': ['boolean'],
  '/username': ['integer'],
  '/realm': ['object'],
  '/secret': ['array'],
  '/direction': ['array'],
  '/status': ['array'],
  '/name': ['integer'],
};

/** JSON beyond RFC 8259 that common parsers accept: section 9 allows a parser to accept extensions. */
const EXTENSIONS: readonly string[] = [
  ...['trailing-comma', 'single-quotes', 'unquoted-name', 'comment', 'nan'],
  ...['unknown-escape', 'raw-control', 'leading-zero'],
];

/** One parser reads all bodies, so the operations take turns; create call gets each that its guard can read. */
const EXTENSION_OF: Readonly<Partial<Record<OperationId, string>>> = {
  updateVoiceApplication: 'unknown-escape',
  setInboundAuth: 'raw-control',
  updateTrunk: 'leading-zero',
  assignNumber: 'trailing-comma',
};

/** Whether a body is JSON except for an extension. */
export const isExtension = ({ kind }: Pick<BrokenBody, 'kind'>): boolean => EXTENSIONS.includes(kind);

const SHOULD_REJECT = { level: 'should', explainedBy: ['NO-SERVER-ERROR'], expect: shouldReject } as const;
const OF_UPDATES = { ...SHOULD_REJECT, section: '2', operations: UPDATES } as const;
const DEVIATION = { ...SHOULD_REJECT, operations: WITH_BODY } as const;

export const UPDATE_BODIES = [
  {
    id: 'NUMBER-ASSIGN-INVALID',
    level: 'must',
    section: '2',
    statement: 'Number assignment rejects with a 4xx a body whose carrier_connection_id is missing or not a UUID.',
    operations: [ASSIGN],
    reading: 'R10',
    send: {
      violations: ({ kind, syntax }: BrokenBody) =>
        syntax !== 'invalid' || ['no-body', 'empty', 'cut-short'].includes(kind),
    },
    explainedBy: ['NO-SERVER-ERROR'],
    expect: rejectedWith(null),
  },
  {
    ...DEVIATION,
    id: 'JSON-EXTENSIONS-REJECTED',
    section: 'RFC 8259, 9',
    statement:
      'A body that is JSON only with an extension (such as a comment or a trailing comma) is rejected with a 4xx.',
    send: {
      violations: (broken: BrokenBody, operation) =>
        isExtension(broken) && (operation === CREATE || broken.kind === EXTENSION_OF[operation]),
    },
  },
  {
    ...OF_UPDATES,
    id: 'NULL-REFUSED',
    statement: 'Null is rejected for an optional field that is not nullable, for a map value and for a list item.',
    operations: [CREATE, ...UPDATES],
    // A lawful reader may read null as absent, so it is a deviation; from and to are required and judged elsewhere.
    send: {
      violations: ({ pointer, kind, tolerated }: BrokenBody, operation) =>
        isOneOf(UPDATES, operation) ? kind === 'null' && pointer !== '' : tolerated === 'null',
    },
  },
  {
    ...OF_UPDATES,
    id: 'UPDATE-FIELD-TYPES',
    statement: 'An update rejects with a 4xx a field of the wrong JSON type.',
    send: { violations: ({ pointer, kind }: BrokenBody) => WRONG_TYPE[pointer]?.includes(kind) === true },
  },
  {
    ...OF_UPDATES,
    id: 'UPDATE-BODY-OBJECT',
    statement: 'An update rejects with a 4xx a body that is not an object.',
    send: { violations: ({ pointer, kind }: BrokenBody) => pointer === '' && ['array', 'string'].includes(kind) },
  },
  {
    ...DEVIATION,
    id: 'CONTENT-TYPE-OTHER',
    explainedBy: ['OTHER-LABEL-NO-SERVER-ERROR'],
    section: '4',
    statement: 'A body with a media type other than JSON is rejected with a 4xx.',
    send: {
      deviations: {
        [`the body is labelled ${OTHER_TYPE}`]: (body) => ({ body: jsonBytes(body), contentType: OTHER_TYPE }),
      },
    },
  },
  {
    ...DEVIATION,
    id: 'TRAILING-BYTES-REFUSED',
    section: 'RFC 8259, 2',
    statement: 'A body with extra bytes after the JSON value is rejected with a 4xx.',
    send: {
      deviations: { 'bytes follow the value': (body, fixed) => ({ body: malformed(body, 'bytes-after', fixed) }) },
    },
  },
] as const satisfies readonly Requirement[];
