/** The runs of a proof, and readings of their results. */

import type { Fault } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Rule } from '../../fixtures/service/rule.ts';
import { listen } from '../../fixtures/service/serve.ts';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant, samplesOf } from '../../fixtures/variants/variant.ts';
import type { Clock } from '../../src/client/client-options.ts';
import { undiciTransport } from '../../src/client/transport.ts';
import { DEFAULTS, type RunOptions } from '../../src/run/options.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import type { CaseResult, Results } from '../../src/verdict/results.ts';
import { requirementById } from '../../suites/catalogue.ts';
import { judge, optionsFrom, skippingClock } from './harness.ts';
import type { Choices } from './sample.ts';
import { watched } from './watched.ts';

/** How a proof goes about it. */
export interface Manner {
  /** Over a loopback socket instead of a function call. */
  readonly socket?: boolean;
  /** With bodies known to be accepted, as the operator of such a service would give; so unless `false`. */
  readonly samples?: boolean;
  /** Only to see whether a fault shows: a request that it caused to be rejected is sent again unchanged. */
  readonly twice?: boolean;
  /** Entries of a long list; few, unless the size itself is to be proved. */
  readonly longList?: number;
  /** Business rules of the service. */
  readonly rules?: readonly Rule[];
  /** What its operator knows about it. */
  readonly help?: Help;
  /** Requests of an exploration behind the systematic part; none unless given. */
  readonly explore?: number;
  /** 1 unless given. */
  readonly seed?: number;
}

/** Settings and accepted bodies that an operator gives the suite. */
export interface Help {
  readonly settings: Partial<ReferenceSettings>;
  readonly samples: RunOptions['samples'];
  readonly limits?: Pick<RunOptions, 'maxCalls'>;
}

/** A run that was judged. */
export interface Judged {
  readonly record: RunRecord;
  readonly results: Results;
  /** Numbers, from 1, of the requests at which the fault changed what the service heard, did or said. */
  readonly shown: readonly number[];
  /** Fields of the service's records that the run changed and does not name. */
  readonly unnamed: readonly string[];
}

type Records = Readonly<Record<string, unknown>>;

/** What differs between two states of a service and is not named in a sentence of the run about that record. */
function unnamedChanges(before: Records, after: Records, sentences: readonly string[]): readonly string[] {
  return Object.entries(before).flatMap(([key, record]) => {
    const [id = ''] = key.split(' ');
    const own = sentences.filter((sentence) => sentence.includes(id));
    const fields = typeof record === 'object' ? Object.entries(Object(record)) : [['inbound', record] as const];
    const now = typeof record === 'object' ? Object(after[key]) : { inbound: after[key] };
    const isNamed = (field: string): boolean =>
      own.some((sentence) => sentence.includes(field) || /update resets|(?:is|may be) assigned to/.test(sentence));
    return fields.flatMap(([field, value]) => (now[field] === value || isNamed(field) ? [] : [`${key}: ${field}`]));
  });
}

/** A reply that never comes costs a whole timeout; a closed connection breaks the same rule. */
export const neverHanging: (service: Service) => Service = (service) => async (request) => {
  const reply = await service(request);
  return reply.fate === 'hang' ? { ...reply, fate: 'reset' } : reply;
};

/** Like `judge`, over a loopback socket, with a parser and a client between judge and judged; pauses are skipped all the same. */
export async function judgeOverSocket(service: Service, options: RunOptions, clock: Clock): ReturnType<typeof judge> {
  const { url, close } = await listen(neverHanging(service));
  const { transport, close: hangUp } = undiciTransport({ origin: url });
  try {
    return await judge(service, { ...options, baseUrl: url }, clock, transport);
  } finally {
    await hangUp();
    await close();
  }
}

let plain: ReturnType<typeof judge> | undefined;

/** A run against the reference service as it is, which several proofs look at: made once. */
export function plainRun(): ReturnType<typeof judge> {
  const { service, settings } = createReference();
  plain ??= judge(service, optionsFrom(settings));
  return plain;
}

const FEW = 60;

/** Judges the variant of these choices, with a fault in it if one is given. */
export async function judged(choices: Choices, manner: Manner = {}, fault?: Fault): Promise<Judged> {
  const clock = skippingClock();
  const spy = fault === undefined ? undefined : watched(fault, manner.twice);
  const { longList = FEW, rules = [], help, explore = 0, seed = 1 } = manner;
  const policy = { longList, rules };
  const variant = createVariant(choices, { wait: clock.sleep, now: clock.now, policy }, spy?.inject);
  const { service, inspect } = variant;
  const settings = fault?.settings?.(variant.settings) ?? variant.settings;
  const known = manner.samples === false ? {} : (samplesOf(choices) as RunOptions['samples']);
  const maxRequests = DEFAULTS.maxRequests + 2 * explore;
  const changes = { maxRequests, ...help?.limits, explore, seed, samples: { ...known, ...help?.samples } };
  const options = optionsFrom({ ...settings, ...help?.settings }, changes);
  const judgeIt = manner.socket === true ? judgeOverSocket : judge;
  const before = inspect().restorable;
  const run = await judgeIt(service, options, clock);
  // What an update changes later becomes visible after some more requests.
  for (let more = 0; more < 3; more += 1)
    await service({ method: 'GET', target: '/', headers: {}, body: new Uint8Array() });
  const unnamed = unnamedChanges(before, inspect().restorable, run.results.changed);
  return { ...run, shown: spy?.shown() ?? [], unnamed };
}

/** Every case of the results. */
export function casesOf(results: Results): readonly CaseResult[] {
  return results.requirements.flatMap(({ cases }) => cases);
}

/** Whether a failure of the requirement makes a target non-conformant without `--strict`. */
export function isBinding(requirement: string): boolean {
  return requirementById(requirement)?.level === 'must';
}

/** Whether a case belongs to a binding requirement. */
export function isMust({ id }: CaseResult): boolean {
  return isBinding(id.split('/')[0] ?? '');
}

/** Whether a case counts against the target: a failure, a warning, or an error of the suite. */
export function isBroken({ verdict }: CaseResult): boolean {
  return verdict === 'fail' || verdict === 'warning' || verdict === 'error';
}

/** Requirements that fail or warn, in the order in which results name them. */
export function brokenIn(results: Results): readonly string[] {
  return results.requirements.filter(({ cases }) => cases.some(isBroken)).map(({ id }) => id);
}
