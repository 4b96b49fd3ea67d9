/** Who may do what: credentials and organizations (section 5). */

import { OPERATION_IDS, OPERATIONS, type OperationId } from '../operations.ts';
import type { Requirement } from './requirement.ts';

const READS: readonly OperationId[] = OPERATIONS.filter((operation) => operation.method === 'GET').map(
  (operation) => operation.id,
);

/** Operations on resources that an organization owns; provider definitions and the number inventory are not owned. */
const OWNED: readonly OperationId[] = OPERATION_IDS.filter(
  (id) => !['createCall', 'getCarrierProvider', 'searchAvailableNumbers'].includes(id),
);

export const ACCESS = [
  {
    id: 'AUTH-CREDENTIAL-ACCEPTED',
    level: 'must',
    section: '5',
    statement: 'A credential that other operations accept is not answered 401.',
    operations: OPERATION_IDS,
    kind: 'probe',
    reading: 'R11',
  },
  {
    id: 'AUTH-CREDENTIAL-REQUIRED',
    level: 'must',
    section: '5',
    statement: 'A request without a credential (no header, or an empty bearer) is refused with a 4xx.',
    operations: OPERATION_IDS,
    kind: 'probe',
    reading: 'R2',
  },
  {
    id: 'AUTH-SCHEME',
    level: 'must',
    section: '5',
    statement: 'The credential under another scheme than Bearer, or bare, is refused with a 4xx.',
    operations: OPERATION_IDS,
    kind: 'probe',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    reading: 'R2',
  },
  {
    id: 'AUTH-SECRET',
    level: 'must',
    section: '5',
    statement: 'A bearer that is not a whole, exact organization credential is refused with a 4xx.',
    operations: OPERATION_IDS,
    kind: 'probe',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    reading: 'R2',
  },
  {
    id: 'AUTH-HEADER-ONLY',
    level: 'must',
    section: '5',
    statement: 'A credential that stands in the query string only is refused with a 4xx.',
    operations: READS,
    kind: 'probe',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    reading: 'R2',
  },
  {
    id: 'AUTH-REVOKED',
    level: 'must',
    section: '5',
    statement: 'A revoked credential is refused with a 4xx.',
    operations: OPERATION_IDS,
    kind: 'probe',
    needs: 'PCS_REVOKED_ACCESS_TOKEN',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
  },
  {
    id: 'AUTH-ALIAS',
    level: 'must',
    section: '5',
    statement: 'Where the other slash form of a documented path is served too, it needs the credential as well.',
    operations: OPERATION_IDS,
    kind: 'probe',
    opportunistic: 'the other slash form of the path is not served',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    reading: 'R12',
  },
  {
    id: 'AUTH-NO-EFFECT',
    level: 'must',
    section: '5',
    statement: 'A request that is refused for its credential changes nothing.',
    operations: ['updateTrunk'],
    kind: 'probe',
    opportunistic: 'the answer to getTrunk does not show the name of the trunk, so no effect can be seen',
  },
  {
    id: 'ORG-ISOLATION',
    level: 'must',
    section: '5',
    statement: "Another organization's credential neither reads, lists, changes nor controls this one's resources.",
    operations: OWNED,
    kind: 'probe',
    needs: 'PCS_OTHER_ORG_ACCESS_TOKEN',
    opportunistic: 'the list shows no resource of this organization that is named in the settings',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
  },
  {
    id: 'ORG-NO-EFFECT',
    level: 'must',
    section: '5',
    statement: "A change that is refused to another organization's credential has no effect.",
    operations: ['updateTrunk'],
    kind: 'probe',
    needs: 'PCS_OTHER_ORG_ACCESS_TOKEN',
    opportunistic: 'the answer to getTrunk does not show the name of the trunk, so no effect can be seen',
    explainedBy: ['AUTH-NO-EFFECT'],
  },
] as const satisfies readonly Requirement[];
