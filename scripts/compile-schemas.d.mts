/** Writes the compiled schemas to `dist/validators`. */
export function compileSchemas(): void;
/** Whether a schema was changed after they were written. */
export function isStale(): boolean;
