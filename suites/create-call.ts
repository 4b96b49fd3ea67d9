/** Which create-call bodies are accepted and which are rejected (sections 2 and 4). */

import { NO_UUIDS } from '../src/generate/violations.ts';
import type { BrokenBody, Requirement } from '../src/run/requirement.ts';
import { accepted, acceptedInEitherCase, rejectedWith } from './expect/bodies.ts';
import { CREATE } from './operations.ts';
import { isExtension } from './updates.ts';

const REQUIRED: readonly string[] = ['/from', '/to'];
const IDS: readonly string[] = ['/application_id', '/trunk_id'];
const isId = (pointer: string): boolean => IDS.includes(pointer);
/** Values of the right type that are not UUIDs. */
const NOT_UUID: readonly string[] = NO_UUIDS;

const OF_BODY = { level: 'must', section: '2', operations: [CREATE] } as const;

export const CREATE_CALL = [
  {
    ...OF_BODY,
    id: 'CALL-CREATE-NULLABLE',
    statement: 'Create call accepts application_id and trunk_id as null.',
    explainedBy: ['CALL-CREATE-MINIMAL'],
    send: { features: ({ pointer, choice }) => (choice === 'null' ? `${pointer} null` : null) },
    expect: accepted,
  },
  {
    ...OF_BODY,
    id: 'CALL-CREATE-IDS',
    statement: 'Create call accepts application_id and trunk_id as UUIDs in lower and in upper case.',
    explainedBy: ['CALL-CREATE-MINIMAL'],
    send: { features: ({ pointer, choice }) => (isId(pointer) && choice !== 'null' ? `${pointer} ${choice}` : null) },
    expect: acceptedInEitherCase,
  },
  {
    ...OF_BODY,
    id: 'CALL-CREATE-VARIABLES',
    statement: 'Create call accepts variables as an object of strings, empty or not.',
    explainedBy: ['CALL-CREATE-MINIMAL'],
    send: { features: ({ pointer, choice }) => (pointer === '/variables' ? choice : null) },
    expect: accepted,
  },
  {
    ...OF_BODY,
    id: 'CALL-CREATE-PRIVACY',
    statement: 'Create call accepts privacy as true and as false.',
    explainedBy: ['CALL-CREATE-MINIMAL'],
    send: { features: ({ pointer, choice }) => (pointer === '/privacy' ? choice : null) },
    expect: accepted,
  },
  {
    ...OF_BODY,
    id: 'CALL-CREATE-REQUIRED-FIELDS',
    statement: 'Create call rejects with 400 a body whose from or to is missing, null or not a string.',
    furtherReadings: ['R9'],
    reading: 'R5',
    send: { violations: ({ pointer }: BrokenBody) => REQUIRED.includes(pointer) },
    explainedBy: ['NO-SERVER-ERROR'],
    expect: rejectedWith(400),
  },
  {
    ...OF_BODY,
    id: 'CALL-CREATE-FIELD-TYPES',
    statement: 'Create call rejects with 400 an optional field, map value or list item of the wrong JSON type.',
    furtherReadings: ['R9'],
    reading: 'R5',
    send: {
      // Null that a lawful reader may take for absent is a deviation.
      violations: ({ pointer, kind, tolerated }: BrokenBody) =>
        pointer !== '' && !REQUIRED.includes(pointer) && !NOT_UUID.includes(kind) && tolerated === undefined,
    },
    explainedBy: ['NO-SERVER-ERROR'],
    expect: rejectedWith(400),
  },
  {
    ...OF_BODY,
    id: 'CALL-CREATE-UUID',
    statement: 'Create call rejects with 400 an application_id or trunk_id that is not a UUID.',
    reading: 'R9',
    send: { violations: ({ kind }: BrokenBody) => NOT_UUID.includes(kind) },
    explainedBy: ['NO-SERVER-ERROR'],
    expect: rejectedWith(400),
  },
  {
    id: 'CALL-CREATE-BODY',
    level: 'must',
    section: '4',
    statement: 'Create call rejects with 400 a body that is missing, not JSON or not an object.',
    operations: [CREATE],
    reading: 'R9',
    send: { violations: (broken: BrokenBody) => broken.pointer === '' && !isExtension(broken) },
    explainedBy: ['NO-SERVER-ERROR'],
    expect: rejectedWith(400),
  },
] as const satisfies readonly Requirement[];
