/** Twenty-five of the three thousand services with business rules, and six faults in such services. */

import {
  allRuleFaults,
  allRuleServices,
  proveRuleFaults,
  proveRuleServices,
  tellingServices,
} from './rule-services.ts';
import { partOf } from './samples.ts';

proveRuleServices([...tellingServices(), ...partOf(allRuleServices(), 1, 120)]);
proveRuleFaults(partOf(allRuleFaults(), 1, 96), 5);
