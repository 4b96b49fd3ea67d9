/** A few of the three thousand services with business rules, and three faults in such services. */

import {
  allRuleFaults,
  allRuleServices,
  proveRuleFaults,
  proveRuleServices,
  tellingServices,
} from './rule-services.ts';
import { partOf } from './samples.ts';

proveRuleServices([...tellingServices(), ...partOf(allRuleServices(), 1, 600)]);
proveRuleFaults(partOf(allRuleFaults(), 1, 192), 2);
