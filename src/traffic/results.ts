/** From what was added up to results, as those of a run. */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { firstOf } from '../contract/lists.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import type { Requirement } from '../run/requirement.ts';
import { failureOf } from '../verdict/case.ts';
import { countVerdicts, explain, type Judged, requirementResults } from '../verdict/evaluate.ts';
import { caseId } from '../verdict/record.ts';
import type { CaseResult, RequirementResult, Results, TrafficFacts } from '../verdict/results.ts';
import type { TrafficOptions } from './judge.ts';
import type { ServiceTally } from './service.ts';
import { Tally } from './tally.ts';

/** The outcome: results, the exchanges that they name, and what of the interface was exercised. */
export interface JudgedTraffic {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** Exchanges by operation, by operation and status, and by operation and member of the request body. */
  readonly counts: ReadonlyMap<string, number>;
  /** Milliseconds since the epoch; 0 where the recording has no times. */
  readonly startedAt: number;
}

const NEEDS_CONTROL = {
  reason: 'recorded traffic cannot show it: it needs a control that somebody sends for it',
  remedy: 'let the suite ask it: coverage.html has the command',
};
const NOT_SHOWN = {
  reason: 'no exchange of the traffic shows it',
  remedy: 'exercise it in your own tests, or let the suite ask it: coverage.html has the command',
};

const grouped = (count: number): string => new Intl.NumberFormat('en-US').format(count);

function caseResult(id: string, operation: string, requirement: Requirement, tally: Tally): CaseResult {
  const findings = tally.foundIn(id).map(({ finding, count, example }) => {
    return { ...finding, count, example: example.seq, about: example.tag.about };
  });
  const judged = tally.counts.get(id) ?? 0;
  const notShown = requirement.traffic === undefined ? NEEDS_CONTROL : NOT_SHOWN;
  const verdict = judged > 0 ? ({ verdict: 'pass' } as const) : ({ verdict: 'not-exercised', ...notShown } as const);
  const base = { id, operation, questions: { planned: 0, answered: 0 }, judged };
  return { ...base, ...(failureOf(requirement, findings) ?? verdict), findings };
}

function judgedCases(tally: Tally): readonly Judged[] {
  const planned = REQUIREMENTS.flatMap((requirement: Requirement) =>
    requirement.operations.map((operation) => ({ requirement, operation, id: caseId(requirement.id, operation) })),
  );
  const judged = planned.map(({ requirement, operation, id }): Judged => {
    const result = caseResult(id, operation, requirement, tally);
    return { planned: { id, requirement: requirement.id, operation, questions: [] }, requirement, result };
  });
  return explain(judged);
}

type Read = Pick<TrafficFacts, 'files' | 'read' | 'silent' | 'unsearched' | 'problems'>;

/** The word, and the sentence behind it. */
function wordOf(
  requirements: readonly RequirementResult[],
  called: number,
  judged: number,
  { files, problems }: Read,
  { strict, baseUrl }: TrafficOptions,
): Pick<Results, 'verdict' | 'summary'> {
  const cases = requirements.flatMap((one) => one.cases);
  const failing = cases.filter(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warning'));
  const exercised = requirements.filter((one) => one.cases.some((own) => own.judged > 0)).length;
  const reach = `${called} of ${OPERATION_IDS.length} operations, ${exercised} of ${REQUIREMENTS.length} requirements exercised`;
  const extent = `in ${grouped(judged)} exchange${judged === 1 ? '' : 's'} (${reach})`;
  const unread = problems.length === 0 ? '' : `; not everything was read: ${problems.join('; ')}`;
  if (failing.length > 0) {
    const ids = failing.map(({ id }) => id);
    const said = ids.length === 1 ? '1 case fails' : `${ids.length} cases fail`;
    return { verdict: 'breach', summary: `${said}: ${firstOf(ids, 3)}; ${extent}${unread}` };
  }
  if (judged === 0) {
    const below =
      baseUrl === undefined ? '' : ` below ${shownUrl(baseUrl)} (--base-url, or PCS_BASE_URL, which .env may set)`;
    const summary = `no exchange of ${files.join(', ')} belongs to the interface${below}${unread}`;
    return { verdict: 'incomplete', summary };
  }
  if (unread !== '') return { verdict: 'incomplete', summary: `no breach ${extent}${unread}` };
  return { verdict: 'no breach', summary: extent };
}

/** The results of what was read. */
export function resultsOfTraffic(
  all: readonly ServiceTally[],
  read: Read,
  options: TrafficOptions,
): Omit<JudgedTraffic, 'startedAt'> {
  const { strict, suite, baseUrl } = options;
  const services = all.filter(({ isService }) => isService).toSorted((a, b) => b.exchanges - a.exchanges);
  const addresses = services.map(({ base }) => base);
  const tally = new Tally();
  for (const service of services) tally.add(service.end());
  const cases = judgedCases(tally);
  const requirements = requirementResults(REQUIREMENTS, cases);
  const examples = cases.flatMap(({ planned }) => tally.foundIn(planned.id)).map(({ example }) => example);
  const bySeq = new Map(examples.map((one) => [one.seq, one]));
  const judged = services.reduce((sum, { exchanges }) => sum + exchanges, 0);
  const called = OPERATION_IDS.filter((id) => tally.counts.has(id)).length;
  const target = addresses.find((base) => base !== '') ?? baseUrl ?? 'http://address.not.recorded.invalid';
  const results: Results = {
    format: 'pcs-conformance/results@1',
    ...{ suite, target: shownUrl(target), profile: 'traffic', without: [], only: [], strict, seed: 0, explore: 0 },
    settings: [],
    ...wordOf(requirements, called, judged, read, options),
    partial: false,
    counts: { requests: judged, calls: 0, unplannedCalls: 0, cases: countVerdicts(cases.map(({ result }) => result)) },
    questions: { planned: 0, answered: 0, open: 0, notAsked: 0, lacking: { questions: 0, settings: [] } },
    ...{ requirements, intermittent: [], possiblyOpen: [], changed: [], endedEarly: null },
    traffic: {
      ...read,
      ...{ addresses: addresses.map(shownUrl), judged, others: read.read - judged - read.silent },
      unfollowed: services.reduce((sum, { symptoms }) => sum + symptoms.dropped, 0),
    },
  };
  return { results, exchanges: [...bySeq.values()].toSorted((a, b) => a.seq - b.seq), counts: tally.counts };
}
