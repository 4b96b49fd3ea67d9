/**
 * Judges recorded traffic as it is read: what it shows by itself, and never what would need a control.
 * The reasons are in docs/design/traffic.md.
 */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { READ } from '../contract/limits.ts';
import { counted, groupBy } from '../contract/lists.ts';
import { OPERATION_IDS, OPERATIONS } from '../contract/operations.ts';
import { documentedMembers } from '../contract/schemas.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import type { Requirement } from '../run/requirement.ts';
import { countVerdicts, failSentence, requirementResults } from '../verdict/evaluate.ts';
import { failureOf } from '../verdict/folded.ts';
import { caseId } from '../verdict/record.ts';
import type { CaseResult, RequirementResult, Results, RunVerdict, Told, TrafficFacts } from '../verdict/results.ts';
import { toldOf } from '../verdict/sentence.ts';
import { addressOf, type TrafficEntry } from './entry.ts';
import { type Breach, joinedFindings } from './findings.ts';
import type { Piece } from './reader.ts';
import { TrafficRecorder } from './record.ts';
import { settledPieces } from './recording.ts';
import { count, Service } from './service.ts';

/** What is known apart from the files. */
export interface TrafficOptions {
  /** The only address that is judged; if absent, every address below which the interface answers. */
  readonly baseUrl?: string;
  /** Where that address was given: `PCS_BASE_URL in .env`. */
  readonly baseUrlFrom?: string;
  readonly strict: boolean;
  readonly suite: Results['suite'];
}

/** The outcome: results, and the exchanges that they name. */
export interface JudgedTraffic {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** Milliseconds since the epoch; 0 where the recording has no times. */
  readonly startedAt: number;
}

/** Reads files one after the other, and adds up what they show. */
export class Traffic {
  /** Sentences: files that were not read completely. */
  readonly problems: string[] = [];
  /** Exchanges with an unknown part, by the part and the reason. */
  readonly #unknown = new Map<string, number>();
  readonly #recorder = new TrafficRecorder();
  readonly #services = new Map<string, Service>();
  #read = 0;
  #silent = 0;
  #elsewhere = 0;

  constructor(readonly options: TrafficOptions) {}

  /** Judges the pieces of a file. */
  async read(name: string, pieces: AsyncIterable<Piece>): Promise<void> {
    let [lost, first] = [0, ''];
    for await (const { line, entry } of settledPieces(pieces)) {
      const where = `${name}, line ${line}`;
      if (typeof entry !== 'string') this.#take(entry, where);
      else if (++lost === 1) first = `${where}: ${entry}`;
    }
    if (lost > 0) this.problems.push(lost === 1 ? first : `${first} (and ${lost - 1} more such places)`);
  }

  #take(entry: TrafficEntry | null, about: string): void {
    this.#read += 1;
    if (entry === null || !entry.place.documented) return;
    const { place, outcome, unknown } = entry;
    const service = this.#serviceAt(place.address);
    if (service === undefined) return;
    this.#recorder.note(entry);
    if (outcome === null) {
      this.#silent += 1;
      return;
    }
    for (const part of ['authorization', 'content-type', 'body'] as const)
      if (unknown[part] !== undefined) count(this.#unknown, `${part}: ${unknown[part]}`);
    service.take(entry, this.#recorder.record(entry, outcome, this.#read, about), this.#recorder.sought);
  }

  #serviceAt(address: string): Service | undefined {
    // Nearly every address is spelled like the given one, so no URL has to be parsed.
    const base = this.#services.has(address) ? address : addressOf(address);
    const known = this.#services.get(base);
    if (known !== undefined) return known;
    const meant = addressOf(this.options.baseUrl ?? base);
    const isMeant = base === meant || (base.startsWith('/') ? meant.endsWith(base) : base === '');
    if (!isMeant) this.#elsewhere += 1;
    if (!isMeant || this.#services.size >= READ.services) return undefined;
    const made = new Service(base);
    this.#services.set(base, made);
    return made;
  }

  /** The results of everything that was read; `files` are the names. */
  results(files: readonly string[]): JudgedTraffic {
    const { strict, suite, baseUrl, baseUrlFrom = '--base-url' } = this.options;
    const services = [...this.#services.values()]
      .filter(({ isService }) => isService)
      .toSorted((a, b) => b.exchanges - a.exchanges);
    const sum = (countOf: (service: Service) => number): number =>
      services.reduce((all, service) => all + countOf(service), 0);
    const shown = services.flatMap(({ findings }) => findings.believed);
    const kinds = groupBy(shown, ({ id, finding }) => `${id} ${JSON.stringify(finding)}`);
    const found = [...kinds.values()]
      .map((equal) => equal.reduce(joinedFindings))
      .filter((breach): breach is Breach => breach.finding !== null);
    const counts = new Map<string, number>();
    for (const service of services) for (const [name, times] of service.counts) count(counts, name, times);
    for (const { id, count: times } of shown) count(counts, id, times);
    const cases = judgedCases(found, counts);
    const requirements = requirementResults(REQUIREMENTS, cases);
    const judged = sum(({ exchanges }) => exchanges);
    const traffic: TrafficFacts = {
      files,
      addresses: services.map(({ base }) => shownUrl(base)),
      read: this.#read,
      judged,
      others: this.#read - judged - this.#silent - this.#elsewhere,
      elsewhere: this.#elsewhere,
      ...(baseUrl === undefined ? {} : { filter: `${shownUrl(baseUrl)} (${baseUrlFrom})` }),
      silent: this.#silent,
      operations: exercisedBy(counts),
      unknown: [...this.#unknown].toSorted().map(([what, count]) => ({ what, count })),
      unsearched: this.#recorder.unsearched.size,
      unfollowed: sum(({ findings }) => findings.dropped),
      problems: this.problems,
    };
    const bases = services.map(({ base }) => base);
    const given = baseUrl === undefined ? bases.find((base) => !/^(?:\/|$)/.test(base)) : addressOf(baseUrl);
    const address = given ?? `http://address.not.recorded.invalid${bases[0] ?? ''}`;
    const examples = new Map(found.map(({ example }) => [example.seq, example]));
    return {
      results: {
        format: 'pcs-conformance/results@2',
        ...{ suite, target: shownUrl(address), profile: 'traffic', strict, traffic },
        ...{ without: [], only: [], seed: 0, explore: 0, settings: [], conditions: [], partial: false },
        ...wordOf(requirements, traffic, counts, this.options),
        counts: {
          requests: judged,
          calls: 0,
          unplannedCalls: 0,
          cases: countVerdicts(cases),
        },
        questions: { planned: 0, answered: 0, open: 0, notAsked: 0, lacking: { questions: 0, settings: [] } },
        ...{ requirements, sent: [], intermittent: [], possiblyOpen: [], changed: [], endedEarly: null },
      },
      exchanges: [...examples.values()]
        .toSorted((a, b) => a.seq - b.seq)
        .map((example) => this.#recorder.kept(example)),
      startedAt: this.#recorder.began,
    };
  }
}

/** How the operations were called. `counts` has the keys `listTrunks`, `listTrunks 200` and `createCall /to`. */
function exercisedBy(counts: ReadonlyMap<string, number>): TrafficFacts['operations'] {
  return OPERATIONS.map(({ id, body }) => {
    const statuses = [...counts].filter(([key]) => key.startsWith(`${id} `) && !key.includes('/'));
    return {
      operation: id,
      exchanges: counts.get(id) ?? 0,
      statuses: Object.fromEntries(statuses.map(([key, count]) => [key.slice(id.length + 1), count])),
      members: Object.fromEntries(documentedMembers(body).map((name) => [name, counts.get(`${id} /${name}`) ?? 0])),
    };
  });
}

/** A case that no exchange shows. */
const notShown = ({ traffic, seeks }: Requirement): Pick<CaseResult, 'verdict' | 'reason' | 'remedy'> => ({
  verdict: 'not-exercised',
  reason:
    traffic === undefined
      ? 'recordings cannot show this; use `run`'
      : `no ${seeks === undefined ? 'exchange shows it' : 'request holds such a secret, for which answers could be searched'}`,
  remedy: 'let the suite ask it: run --only with this case',
});

/** A recording has no generated stimuli: its findings are identified by their deviation. */
const RECORDED = 'a recorded request';

/** Every case of the suite with the verdict that follows from findings and counts. */
function judgedCases(found: readonly Breach[], counts: ReadonlyMap<string, number>): readonly CaseResult[] {
  const byCase = groupBy(found, ({ id }) => id);
  return REQUIREMENTS.flatMap((requirement: Requirement) =>
    requirement.operations.map((operation): CaseResult => {
      const id = caseId(requirement.id, operation);
      const findings = (byCase.get(id) ?? []).map(({ finding, count, example }) => {
        return { ...finding, stimulus: RECORDED, count, example: example.seq, exchanges: [example.seq] };
      });
      const times = counts.get(id) ?? 0;
      const base = { id, operation, questions: { planned: 0, answered: 0 }, judged: times, findings };
      const unfailed = times > 0 ? ({ verdict: 'pass' } as const) : notShown(requirement);
      return { ...base, ...(failureOf(requirement, findings) ?? unfailed) };
    }),
  );
}

/** What the results say about the traffic. */
function wordOf(
  requirements: readonly RequirementResult[],
  { files, judged, problems, silent, filter }: TrafficFacts,
  counts: ReadonlyMap<string, number>,
  { strict }: TrafficOptions,
): Told {
  const told = (verdict: RunVerdict, why: string): Told =>
    toldOf(verdict, why, { profile: 'traffic', without: [], only: [] });
  const cases = requirements.flatMap((requirement) => requirement.cases);
  const failing = cases.filter(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warning'));
  const called = OPERATION_IDS.filter((id) => counts.has(id)).length;
  const exercised = requirements.filter((requirement) =>
    requirement.cases.some((testCase) => testCase.judged > 0),
  ).length;
  const reach = `${called} of ${OPERATION_IDS.length} operations, ${exercised} of ${REQUIREMENTS.length} requirements exercised`;
  const extent = `in ${counted(judged, 'exchange')} (${reach})`;
  const unread = problems.length === 0 ? '' : `; not everything was read: ${problems.join('; ')}`;
  if (failing.length > 0) return told('breach', `${failSentence(failing)}; ${extent}${unread}`);
  const below = filter === undefined ? '' : ` below ${filter}`;
  const nothing =
    silent === 0
      ? `no exchange of ${files.join(', ')} belongs to the interface${below}`
      : `no request of ${files.join(', ')} to the interface${below} has a response of the service`;
  if (judged === 0) return told('incomplete', `${nothing}${unread}`);
  if (unread !== '') return told('incomplete', `no breach ${extent}${unread}`);
  return told('no breach', extent);
}
