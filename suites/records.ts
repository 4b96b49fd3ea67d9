/** Members of a record in an answer, wherever the target puts the record: the interface does not say (section 4). */

const HOLDERS = ['data', 'trunk', 'voice_application', 'application', 'result', 'item', 'record'] as const;

function recordsIn(json: unknown): readonly object[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return [...HOLDERS.flatMap((name) => recordsIn(Reflect.get(json, name))), json];
}

/** The named members that hold a string or a number, of the innermost record that has any of them. */
export function shownIn(json: unknown, names: readonly string[]): Readonly<Record<string, string | number>> {
  for (const record of recordsIn(json)) {
    const shown = names.flatMap((name) => {
      const value: unknown = Reflect.get(record, name);
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
    });
    if (shown.length > 0) return Object.fromEntries(shown);
  }
  return {};
}

/** The items of a list, wherever the target puts it. */
function itemsIn(json: unknown, depth = 3): readonly object[] {
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.filter((item) => typeof item === 'object' && item !== null);
  return depth === 0 ? [] : Object.values(json).flatMap((member) => itemsIn(member, depth - 1));
}

/** The id of the carrier connection that a list shows of a number: `null` for none, `undefined` where it does not tell. */
export function assignmentIn(json: unknown, number: string): string | null | undefined {
  const wanted = number.toLowerCase();
  const item = itemsIn(json).find((one) =>
    Object.values(one).some((value) => typeof value === 'string' && value.toLowerCase() === wanted),
  );
  const shown: unknown = item === undefined ? undefined : Reflect.get(item, 'carrier_connection_id');
  return typeof shown === 'string' || shown === null ? shown : undefined;
}
