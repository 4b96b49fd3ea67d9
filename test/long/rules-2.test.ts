/** Part 2 of the three thousand services with business rules, and of the faults in such services. */

import { allRuleFaults, allRuleServices, proveRuleFaults, proveRuleServices } from '../proof/rule-services.ts';
import { partOf } from '../proof/samples.ts';

proveRuleServices(partOf(allRuleServices(), 2, 4));
proveRuleFaults(partOf(allRuleFaults(), 2, 4), 60);
