/** The scheme in lower case (RFC 9110, section 11.1): among the bad credentials, since a target may take it for one. */

import type { OperationId } from '../src/contract/operations.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence } from '../src/run/sequence.ts';

const OPERATIONS: readonly OperationId[] = ['listNumbers', 'listTrunks'];

function lowerCase(kit: Kit, id: OperationId): Sequence {
  const asks = ['AUTH-SCHEME-CASE'];
  return {
    name: `${id}/scheme in lower case`,
    operation: id,
    lane: `credentials ${id}`,
    phase: 'credentials',
    serves: asks,
    run: async (talk) => {
      const about = 'the credential under the scheme in lower case';
      const answer = await talk.send(
        kit.request(id, { credential: 'lower-case-scheme', asks, step: 'lower case', about }),
      );
      if (!answer.accepted) await talk.send(kit.control(id, { about: 'the same under Bearer' }));
    },
  };
}

/** Spellings of the scheme. */
export const SCHEME_SUITE: Suite = {
  name: 'schemes',
  sequences: (kit) => OPERATIONS.map((id) => lowerCase(kit, id)),
};
