/** The evidence of faults and of lawful services, judged as recorded traffic; test/long judges all of it. */

import { sampledFaults } from './fault-proof.ts';
import { allVariants, partOf } from './samples.ts';
import { isShown, proveFaultsByTraffic, proveVariantsByTraffic } from './traffic-proof.ts';

proveFaultsByTraffic(partOf(sampledFaults().filter(isShown), 1, 6));
proveVariantsByTraffic(partOf(allVariants(), 1, 480));
