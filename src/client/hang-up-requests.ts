/** The requests that hang up a call: the documented one, and those for targets that want another form. */

import { operationById, pathOf } from '../contract/operations.ts';
import type { SuiteRequest } from './request.ts';

/** The operation that hangs up a call. */
export const HANG_UP = operationById('hangUpCall');

/** The id in the path of a hang-up, as it is sent; empty for another path. */
export const idIn = (path: string): string => /\/calls\/([^/]+)\/hangup\/?$/.exec(path)?.[1] ?? '';

/** Statuses to the documented form of a hang-up that say something of its body or its path. */
export const OTHER_FORM_WANTED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 400, 411, 415]);

/** The same hang-up with a body, and on the other slash form of its path. */
export const otherFormsOf = (plain: SuiteRequest): readonly SuiteRequest[] => [
  {
    ...plain,
    body: Buffer.from('{}'),
    contentType: 'application/json',
    role: 'with-body',
    about: 'the same action with the body {}',
  },
  { ...plain, path: `${plain.path}/`, about: 'the same hang-up on the other slash form' },
];

/** The hang-up of a call, with our credential. */
export function hangUpOf(id: string): SuiteRequest {
  return {
    operation: 'hangUpCall',
    method: HANG_UP.method,
    path: pathOf(HANG_UP, [id]),
    credential: 'valid',
    body: null,
    contentType: null,
    role: 'hang-up',
    asks: [],
    control: false,
    about: 'hangs up a call of this run',
  };
}
