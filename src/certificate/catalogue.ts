/** The catalogue by which a certificate was judged, as a digest: another catalogue is another question. */

import { OPERATIONS } from '../contract/operations.ts';
import { READINGS } from '../contract/readings.ts';
import { REQUIREMENTS } from '../contract/requirements/index.ts';
import { canonicalJson, sha256 } from './canonical.ts';

/** Version and digest of a catalogue. */
export interface Catalogue {
  /** Version of the suite that holds it. */
  readonly version: string;
  readonly sha256: string;
}

/** This suite's catalogue: requirements, operations and readings, in their order. */
export function catalogueOf(version: string): Catalogue {
  const content = { requirements: REQUIREMENTS, operations: OPERATIONS, readings: READINGS };
  return { version, sha256: sha256(canonicalJson(content)) };
}
