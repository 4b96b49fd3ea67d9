/** A hundred of the three thousand services with business rules, and fifteen faults in such services. */

import {
  allRuleFaults,
  allRuleServices,
  proveRuleFaults,
  proveRuleServices,
  tellingServices,
} from './rule-services.ts';
import { partOf } from './samples.ts';

proveRuleServices([...tellingServices(), ...partOf(allRuleServices(), 1, 30)]);
proveRuleFaults(partOf(allRuleFaults(), 1, 24), 10);
