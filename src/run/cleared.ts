/** What the updates of a run may have cleared: members of the trunk that no request of the interface writes (model, section 7). */

import { listed } from '../contract/lists.ts';
import { isSuccess } from '../contract/statuses.ts';
import type { Exchange, RecordedMember } from '../exchange/exchange.ts';

const WRITABLE: readonly string[] = ['name', 'direction', 'status'];

/** A member of the trunk's own record, or an item of a list in it. */
const OF_TRUNK = /^(?:\/(?:data|trunk|result|items?))*\/([^/]+)(?:\/-)?$/;

const isTrunk = ({ tag, request }: Exchange, operation: string): boolean =>
  tag.operation === operation && tag.documented && tag.ids === 'named' && request.credential === 'valid';

/** The members that have a value, by pointer; `null` where a response does not show them whole. */
function valuesIn({ response }: Exchange): ReadonlyMap<string, RecordedMember> | null {
  if (response === null || !isSuccess(response.status) || response.body?.json !== 'valid' || response.body.cut)
    return null;
  return new Map(response.body.members.flatMap((one) => (one.type === 'null' ? [] : [[one.pointer, one]])));
}

/** Names of members that the first read showed with a value, and the last one, after an update, shows without. */
function clearedMembers(exchanges: readonly Exchange[]): readonly string[] {
  const reads = exchanges.flatMap((one) => {
    const values = isTrunk(one, 'getTrunk') ? valuesIn(one) : null;
    return values === null ? [] : [{ seq: one.seq, values }];
  });
  const [first, last] = [reads[0], reads.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isBetween = ({ seq }: Exchange): boolean => seq > first.seq && seq < last.seq;
  if (!exchanges.some((one) => isTrunk(one, 'updateTrunk') && isBetween(one))) return [];
  const lost = [...first.values.keys()].filter((pointer) => !last.values.has(pointer));
  const names = lost.flatMap((pointer) => OF_TRUNK.exec(pointer)?.[1] ?? []);
  return [...new Set(names)].filter((name) => !WRITABLE.includes(name)).sort();
}

/** A sentence on them; none without any. */
export function clearedSentences(exchanges: readonly Exchange[], trunk: string | undefined): readonly string[] {
  const names = clearedMembers(exchanges);
  if (names.length === 0) return [];
  const [have, them] = names.length === 1 ? ['has no value', 'it'] : ['have no values', 'them'];
  return [`trunk ${trunk}: ${listed(names)} ${have} any more, and the interface has no request that writes ${them}`];
}
