/** How binding a requirement is, and what a case is about (conformance model, sections 1 and 5). */

import type { OperationId } from './operations.ts';

/** How binding a requirement is: a broken `must` makes a target non-conformant, a broken `should` is a warning. */
export type Level = 'must' | 'should';

/** What a case is about: a documented operation, or requests outside them (other methods, unknown routes). */
export type CaseOperation = OperationId | 'undocumented';
