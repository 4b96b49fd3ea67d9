/** Wrong usage or a wrong setting: the message is one sentence that names it and what to do. The command exits with 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
