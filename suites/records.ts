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
