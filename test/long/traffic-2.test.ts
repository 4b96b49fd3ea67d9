/** Part 2 of the faults and of the lawful variants, judged by their traffic. */

import { FAULTS } from '../../fixtures/faults/index.ts';
import { allVariants, partOf } from '../proof/samples.ts';
import { proveFaultsByTraffic, proveVariantsByTraffic } from '../proof/traffic-proof.ts';

proveFaultsByTraffic(partOf(FAULTS, 2, 2));
proveVariantsByTraffic(partOf(allVariants(), 2, 2));
