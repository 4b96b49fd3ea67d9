/** What holds for every answer, whatever it answers: the invariants (sections 2, 4, 5 and 7). */

import { OPERATION_IDS } from '../operations.ts';
import type { CaseOperation, Requirement } from './requirement.ts';

const EVERYWHERE: readonly CaseOperation[] = [...OPERATION_IDS, 'undocumented'];
const NOTHING_TO_JUDGE = 'no answer of the run fell under it';

export const ANSWERS = [
  {
    id: 'RESPONSE-COMPLETE',
    level: 'must',
    section: '1',
    statement: 'Every request gets a complete HTTP response.',
    operations: EVERYWHERE,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
  },
  {
    id: 'NO-REDIRECT',
    level: 'must',
    section: '4',
    statement: 'A documented method and path is answered itself, never with a redirect.',
    operations: OPERATION_IDS,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
    explainedBy: ['PATH-SERVED'],
  },
  {
    id: 'NO-SERVER-ERROR',
    level: 'must',
    section: '7',
    statement: 'Nothing that is sent to a documented method and path is answered 5xx, but for 503.',
    operations: OPERATION_IDS,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
    reading: 'R4',
  },
  {
    id: 'JSON-SYNTAX',
    level: 'must',
    section: '1',
    statement: 'A body that is present is RFC 8259 JSON in UTF-8 without a byte order mark.',
    operations: OPERATION_IDS,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
    explainedBy: ['PATH-SERVED'],
  },
  {
    id: 'JSON-LABEL',
    level: 'must',
    section: '1',
    statement: 'A body that is present is labelled application/json.',
    operations: OPERATION_IDS,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
    explainedBy: ['PATH-SERVED', 'JSON-SYNTAX'],
  },
  {
    id: 'ERROR-ENVELOPE',
    level: 'must',
    section: '7',
    statement: 'Every error answer is the envelope: success is false, and error holds code and message as strings.',
    operations: OPERATION_IDS,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
    explainedBy: ['PATH-SERVED'],
    reading: 'R1',
  },
  {
    id: 'SUCCESS-NOT-ERROR',
    level: 'must',
    section: '7',
    statement: 'A 2xx answer never says success: false at its top.',
    operations: OPERATION_IDS,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
    reading: 'R6',
  },
  {
    id: 'SECRET-WITHHELD',
    level: 'must',
    section: '2',
    statement: 'No answer shows the secret of inbound carrier authentication, in any encoding.',
    operations: EVERYWHERE,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
  },
  {
    id: 'CREDENTIAL-WITHHELD',
    level: 'must',
    section: '5',
    statement: 'No answer shows a bearer credential, in any encoding.',
    operations: EVERYWHERE,
    kind: 'invariant',
    opportunistic: NOTHING_TO_JUDGE,
    reading: 'R7',
  },
] as const satisfies readonly Requirement[];
