/** A few faults and all edits; test/long tries many more. */

import { BINDING_FAULTS, proveAttacks } from './attack-proof.ts';

const FAULTS_TRIED = 2;
const step = Math.floor(BINDING_FAULTS.length / FAULTS_TRIED);

// Each edit once: every fault is attacked in another half of the ways.
for (let part = 0; part < FAULTS_TRIED; part += 1) {
  const fault = BINDING_FAULTS[part * step];
  proveAttacks(fault === undefined ? [] : [fault], (at) => at % FAULTS_TRIED === part);
}
