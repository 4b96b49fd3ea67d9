/** What a valid request with a good credential gets (section 4). */

import { OPERATION_IDS, OPERATIONS, type OperationId } from '../operations.ts';
import type { Requirement } from './requirement.ts';

const UNFIXED: readonly OperationId[] = OPERATIONS.filter((operation) => operation.success === null).map(
  (operation) => operation.id,
);

export const SUCCESS = [
  {
    id: 'PATH-SERVED',
    level: 'must',
    section: '4',
    statement: 'The path is served exactly as documented, slash included: no redirect, no 404 for what exists.',
    operations: OPERATION_IDS,
    kind: 'probe',
  },
  {
    id: 'CALL-CREATE-STATUS',
    level: 'must',
    section: '4',
    statement: 'An accepted create call is answered exactly 201.',
    operations: ['createCall'],
    kind: 'probe',
  },
  {
    id: 'LIST-STATUS',
    level: 'must',
    section: '4',
    statement: 'Listing numbers and listing trunks are answered exactly 200.',
    operations: ['listNumbers', 'listTrunks'],
    kind: 'probe',
  },
  {
    id: 'SUCCESS-STATUS',
    level: 'must',
    section: '4',
    statement: 'A valid request to one of the other ten operations is answered with a 2xx.',
    operations: UNFIXED,
    kind: 'probe',
  },
  {
    id: 'ACTION-WITHOUT-BODY',
    level: 'must',
    section: '4',
    statement: 'Hang up, answer and mute work without a body and without a Content-Type.',
    operations: ['hangUpCall', 'answerCall', 'muteParticipant'],
    kind: 'probe',
  },
] as const satisfies readonly Requirement[];
