/** A few faults and all edits, in certifications of a few operations; test/long tries many more. */

import { isWhole } from '../sampled.ts';
import { BINDING_FAULTS, proveAttacks } from './attack-proof.ts';

const FAULTS_TRIED = isWhole() ? 2 : 1;
const step = Math.floor(BINDING_FAULTS.length / FAULTS_TRIED);

/** In the short project one fault is attacked in a quarter of the ways, in the long one each of two in another half. */
const PARTS = isWhole() ? 2 : 4;

for (let part = 0; part < FAULTS_TRIED; part += 1) {
  const fault = BINDING_FAULTS[part * step];
  proveAttacks(fault === undefined ? [] : [fault], (at) => at % PARTS === part);
}
