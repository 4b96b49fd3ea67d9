/** Part 1 of the three thousand services with business rules, and of the faults in such services. */

import { allRuleFaults, allRuleServices, proveRuleFaults, proveRuleServices } from '../proof/rule-services.ts';
import { partOf } from '../proof/samples.ts';

proveRuleServices(partOf(allRuleServices(), 1, 4));
proveRuleFaults(partOf(allRuleFaults(), 1, 4), 60);
