/** Services in which both organizations may read a trunk: an exploration takes none of them for a hole. */

import { expect, test } from 'vitest';
import { rewritten } from '../../fixtures/faults/replies.ts';
import { asOfTheOther } from '../../fixtures/faults/requests.ts';
import { authorized, on } from '../../fixtures/faults/visit.ts';
import { between } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

/** Lists of a service in which both organizations may read a trunk, and what our credential gets for an unknown one. */
interface Sharing {
  readonly ours?: (own: readonly object[], theirs: readonly object[]) => object;
  readonly theirs?: (text: string) => string;
  readonly unknown?: (count: number) => object;
}

const all = (own: readonly object[], theirs: readonly object[]) => ({ data: [...own, ...theirs] });

const SHARING: Readonly<Record<string, Sharing>> = {
  'both lists show it': { ours: all },
  'their list shows its id in upper case': {
    ours: all,
    theirs: (text) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => id.toUpperCase()),
  },
  'it is on the next page of our list': { ours: (own) => ({ data: own, page: { next: '/v1/trunks/?page=2' } }) },
  'our list says nothing of trunks': { ours: () => ({ data: null }) },
  'any id is answered with 200 and the time': {
    ours: (own) => ({ data: own }),
    unknown: (count) => ({ success: true, data: null, time: count }),
  },
};

/** Registers the proof with such an exploration: test/proof has a short one, test/long a long one. */
export function proveSharing(changes: Partial<RunOptions>): void {
  const ways = sampled(Object.entries(SHARING), 2);

  test.each(ways.items)(`no access is seen where %s (${ways.words})`, async (_, { ours, theirs, unknown }) => {
    let reads = 0;
    const sharing = between(async (visit, inner) => {
      const reply = await inner(visit.request);
      if (!on('listTrunks', 'getTrunk')(visit) || reply.status === 401) return reply;
      if (!authorized(visit)) return { ...reply, body: theirs?.(String(reply.body)) ?? reply.body };
      const other = await inner(asOfTheOther(visit));
      if (on('listTrunks')(visit)) {
        const { data } = JSON.parse(String(other.body));
        return rewritten((own) => ({ ...own, ...ours?.(Object(own['data']), data) }))(reply, visit);
      }
      if (reply.status !== 404) return reply;
      reads += other.status === 200 ? 1 : 0;
      if (unknown !== undefined) return { ...other, status: 200, body: JSON.stringify(unknown(visit.count)) };
      return other.status === 200 ? other : reply;
    });
    const { service, settings } = createReference();
    const options = optionsFrom(settings, { maxRequests: 10_000, ...changes });
    const { results } = await judge(sharing(service, settings), options);
    expect(brokenIn(results)).not.toContain('ORG-ISOLATION');
    expect(reads).toBeGreaterThan(0);
  });
}
