/** A few of the three thousand services with business rules, and three faults in such services. */

import { describe } from 'vitest';
import { sampled } from '../sampled.ts';
import {
  allRuleFaults,
  allRuleServices,
  proveRuleFaults,
  proveRuleServices,
  tellingServices,
} from './rule-services.ts';
import { partOf } from './samples.ts';

const TELLING = sampled(tellingServices(), 8);

describe(`services that were once judged wrongly (${TELLING.words})`, () => proveRuleServices(TELLING.items));
proveRuleServices(partOf(allRuleServices(), 1, 1_500));
proveRuleFaults(partOf(allRuleFaults(), 1, 384), 1);
