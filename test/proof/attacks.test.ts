/** A few faults and all edits, in certifications of a few operations; test/long tries many more. */

import { isWhole } from '../sampled.ts';
import { BINDING_FAULTS, proveAttacks } from './attack-proof.ts';

const FAULTS_TRIED = 2;
const step = Math.floor(BINDING_FAULTS.length / FAULTS_TRIED);

/** In the short project every fault is attacked in another quarter of the ways, in the long one in another half. */
const PARTS = isWhole() ? FAULTS_TRIED : 2 * FAULTS_TRIED;

for (let part = 0; part < FAULTS_TRIED; part += 1) {
  const fault = BINDING_FAULTS[part * step];
  proveAttacks(fault === undefined ? [] : [fault], (at) => at % PARTS === part);
}
