/** A file of the gate cannot be used: one sentence with the file, what is wrong and what to do. */
export class GateError extends Error {
  override readonly name = 'GateError';
}
