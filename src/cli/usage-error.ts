/** The command was used wrongly: the message is one sentence with what is wrong and what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
