/** The files of a bundle as they lie on the disk. */

import { Disagreement } from './disagreement.ts';

/** Files by name. */
export type Bytes = ReadonlyMap<string, Uint8Array>;

/** The text of a file; throws `Disagreement` where it is missing or is no UTF-8. */
export function textOf(bytes: Bytes, name: string): string {
  const data = bytes.get(name);
  if (data === undefined) throw new Disagreement(`${name} is missing`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new Disagreement(`${name} is no UTF-8`);
  }
}
