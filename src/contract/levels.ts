/** How binding a requirement is, a case's subject, and the operations asked (conformance model, sections 1, 5, 6). */

import type { OperationId } from './operations.ts';

/** How binding a requirement is: a broken `must` makes a target non-conformant, a broken `should` is a warning. */
export type Level = 'must' | 'should';

/** What a case is about: a documented operation, or requests outside them (other methods, unknown routes). */
export type CaseOperation = OperationId | 'undocumented';

/** Which operations are asked and how: reading only, or everything. */
export type Profile = 'read-only' | 'full';
