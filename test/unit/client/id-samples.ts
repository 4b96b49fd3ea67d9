/** A register with an id of every sort, for tests of the write guard. */

import { writeGuard } from '../../../src/client/safety/guard.ts';
import { IdRegister } from '../../../src/client/safety/id-register.ts';
import type { ResourceKind } from '../../../src/contract/operations.ts';

/** A trunk of the settings. */
export const TRUNK = '11111111-2222-4333-8444-555555555555';
/** A carrier connection of the settings. */
export const CONNECTION = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
/** A call that the run placed. */
export const CALL = '99999999-8888-4777-8666-555555555555';
/** An id that an answer showed. */
export const FOUND = 'deadbeef-dead-4eef-8ead-beefdeadbeef';
/** A made-up id that no answer showed. */
export const RANDOM = '0b5c1d2e-3f4a-4b6c-8d7e-9f0a1b2c3d4e';

/** Settings, a call and what an answer showed: a UUID and two ids that are none. */
export function register(): IdRegister {
  const ids = new IdRegister(
    new Map<ResourceKind, readonly string[]>([
      ['trunk', [TRUNK]],
      ['carrierConnection', [CONNECTION]],
      ['number', ['number/7']],
    ]),
  );
  ids.addCall(CALL);
  ids.sawInAnswer(`{"items":[{"id":"${FOUND.toUpperCase()}"},{"trunk_id":"trunk-seven"},{"id":42}]}`);
  return ids;
}

/** The rule that stops a request, `null` where it leaves; the body is in Latin-1. */
export function ruleOf(method: string, path: string, body: string | null = null): string | null {
  return (
    writeGuard({ method, path, body: body === null ? null : Buffer.from(body, 'latin1') }, register())?.rule ?? null
  );
}
