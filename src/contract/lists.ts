/** Lists, grouped and shortened for a sentence; numbers in words; and the members of objects that have a value. */

/** The items in groups of equal keys, in the order of their first items; no group is empty. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The first items, and how many more there are: `1, 2 and 4 more`. */
export function firstOf(items: readonly (string | number)[], most: number): string {
  const more = items.length > most ? ` and ${items.length - most} more` : '';
  return `${items.slice(0, most).join(', ')}${more}`;
}

/** The names as a list: `A, B and C`. */
export function listed(names: readonly string[]): string {
  const last = names.slice(-1);
  return [names.slice(0, -1).join(', '), ...last].filter((part) => part !== '').join(' and ');
}

/** A whole number with commas between thousands. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with its noun: `1 call`, `2 calls`. */
export function counted(count: number, single: string, many = `${single}s`): string {
  return `${grouped(count)} ${count === 1 ? single : many}`;
}

type WithoutUndefined<Members> = { readonly [Name in keyof Members]: Exclude<Members[Name], undefined> };

/** The members that have a value; the others are absent, not `undefined`. */
export const withoutUndefined = <Members extends object>(members: Members): Partial<WithoutUndefined<Members>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<Members>;

/** These members of an object, in this order, as far as they have a value. */
export const picked = <Members extends object, Name extends keyof Members>(
  members: Members,
  names: readonly Name[],
): WithoutUndefined<Pick<Members, Name>> =>
  withoutUndefined(Object.fromEntries(names.map((name) => [name, members[name]]))) as WithoutUndefined<
    Pick<Members, Name>
  >;
