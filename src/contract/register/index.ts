/** The register: what each statement of docs/interface.md comes to. It is data, so that a package needs no page. */

import {
  CREDENTIAL_STATEMENTS,
  ERROR_STATEMENTS,
  EVENT_STATEMENTS,
  LIMIT_STATEMENTS,
  VERSION_STATEMENTS,
} from './conduct.ts';
import { FIELD_STATEMENTS } from './fields.ts';
import { OPERATION_STATEMENTS, STATE_STATEMENTS } from './operations.ts';
import { SCOPE_STATEMENTS } from './scope.ts';
import type { Statement } from './statement.ts';

export { type Quote, REASONS, type Statement } from './statement.ts';
export { type PageQuote, placeOf, statementsOf } from './statements-of.ts';

/** Every statement, in the order of the page. */
export const STATEMENTS: readonly Statement[] = [
  ...SCOPE_STATEMENTS,
  ...FIELD_STATEMENTS,
  ...STATE_STATEMENTS,
  ...OPERATION_STATEMENTS,
  ...CREDENTIAL_STATEMENTS,
  ...EVENT_STATEMENTS,
  ...ERROR_STATEMENTS,
  ...LIMIT_STATEMENTS,
  ...VERSION_STATEMENTS,
];
