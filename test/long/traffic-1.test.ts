/** Part 1 of the faults and of the lawful variants, judged by their traffic. */

import { FAULTS } from '../../fixtures/faults/index.ts';
import { allVariants, partOf } from '../proof/samples.ts';
import { proveFaultsByTraffic, proveVariantsByTraffic } from '../proof/traffic-proof.ts';

proveFaultsByTraffic(partOf(FAULTS, 1, 2));
proveVariantsByTraffic(partOf(allVariants(), 1, 2));
