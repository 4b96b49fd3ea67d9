/** Which create-call bodies are accepted and which are rejected (sections 2 and 4). */

import { NO_UUIDS } from '../src/generate/violations.ts';
import type { BrokenBody, Requirement } from '../src/run/requirement.ts';
import { accepted, acceptedInEitherCase, rejectedWith } from './expect/bodies.ts';
import { CREATE } from './operations.ts';
import { isExtension } from './updates.ts';

const REQUIRED_POINTERS: readonly string[] = ['/from', '/to'];
/** Values of the right type that are not UUIDs. */
const NOT_UUID: readonly string[] = NO_UUIDS;
const isId = (pointer: string): boolean => pointer === '/application_id' || pointer === '/trunk_id';

const OF_BODY = { level: 'must', section: '2', operations: [CREATE] } as const;
const ACCEPTED = { ...OF_BODY, explainedBy: ['CALL-CREATE-MINIMAL'], expect: accepted } as const;
const REJECTED = { ...OF_BODY, reading: 'R9', explainedBy: ['NO-SERVER-ERROR'], expect: rejectedWith(400) } as const;

export const CREATE_CALL = [
  {
    ...ACCEPTED,
    id: 'CALL-CREATE-NULLABLE',
    statement: 'Create call accepts application_id and trunk_id as null.',
    send: { features: ({ pointer, choice }) => (choice === 'null' ? `${pointer} null` : null) },
  },
  {
    ...ACCEPTED,
    id: 'CALL-CREATE-IDS',
    statement: 'Create call accepts application_id and trunk_id as UUIDs in lower and in upper case.',
    send: { features: ({ pointer, choice }) => (isId(pointer) && choice !== 'null' ? `${pointer} ${choice}` : null) },
    expect: acceptedInEitherCase,
  },
  {
    ...ACCEPTED,
    id: 'CALL-CREATE-VARIABLES',
    statement: 'Create call accepts variables as an object of strings, empty or not.',
    send: { features: ({ pointer, choice }) => (pointer === '/variables' ? choice : null) },
  },
  {
    ...ACCEPTED,
    id: 'CALL-CREATE-PRIVACY',
    statement: 'Create call accepts privacy as true and as false.',
    send: { features: ({ pointer, choice }) => (pointer === '/privacy' ? choice : null) },
  },
  {
    ...REJECTED,
    id: 'CALL-CREATE-REQUIRED-FIELDS',
    statement: 'Create call rejects with 400 a body whose from or to is missing, null or not a string.',
    furtherReadings: ['R9'],
    reading: 'R5',
    send: { violations: ({ pointer }: BrokenBody) => REQUIRED_POINTERS.includes(pointer) },
  },
  {
    ...REJECTED,
    id: 'CALL-CREATE-FIELD-TYPES',
    statement: 'Create call rejects with 400 an optional field, map value or list item of the wrong JSON type.',
    furtherReadings: ['R9'],
    reading: 'R5',
    send: {
      // A null that a lawful reader may read as absent is a deviation.
      violations: ({ pointer, kind, tolerated }: BrokenBody) =>
        pointer !== '' && !REQUIRED_POINTERS.includes(pointer) && !NOT_UUID.includes(kind) && tolerated === undefined,
    },
  },
  {
    ...REJECTED,
    id: 'CALL-CREATE-UUID',
    statement: 'Create call rejects with 400 an application_id or trunk_id that is not a UUID.',
    send: { violations: ({ kind }: BrokenBody) => NOT_UUID.includes(kind) },
  },
  {
    ...REJECTED,
    id: 'CALL-CREATE-BODY',
    section: '4',
    statement: 'Create call rejects with 400 a body that is missing, not JSON or not an object.',
    send: { violations: (broken: BrokenBody) => broken.pointer === '' && !isExtension(broken) },
  },
] as const satisfies readonly Requirement[];
