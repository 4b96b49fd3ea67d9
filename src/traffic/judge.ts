/** Judges recorded traffic as it is read: what it shows by itself, and never what would need a control. */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { withoutQuery } from '../client/request-path.ts';
import { OPERATION_IDS, otherSlashForm } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import type { Requirement } from '../run/requirement.ts';
import { failureOf } from '../verdict/case.ts';
import { countVerdicts, explain, failSentence, type Judged, requirementResults } from '../verdict/evaluate.ts';
import { caseId } from '../verdict/record.ts';
import type { RequirementResult, Results, TrafficFacts } from '../verdict/results.ts';
import type { Entry } from './entry.ts';
import type { Piece } from './reader.ts';
import { type Credentials, exchangeOf, keptExchange, Secrets, senderOf } from './record.ts';
import { Service, Tally } from './tally.ts';

/** What is known beside the files. */
export interface TrafficOptions extends Credentials {
  /** The only address that is judged; any below which the interface answers if absent. */
  readonly baseUrl?: string;
  /** The files hold a part of the traffic, so that no two exchanges belong together. */
  readonly isSample: boolean;
  readonly strict: boolean;
  readonly suite: Results['suite'];
}

/** The outcome: results, the exchanges that they name, and what of the interface was exercised. */
export interface JudgedTraffic {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** Exchanges by operation, by operation and status, and by operation and member of the request body. */
  readonly counts: ReadonlyMap<string, number>;
  /** Milliseconds since the epoch; 0 where the recording has no times. */
  readonly startedAt: number;
}

/** More addresses are not told apart. */
const MOST_SERVICES = 32;
const PASSED = { verdict: 'pass' } as const;
const NEEDS_CONTROL = {
  verdict: 'not-exercised',
  reason: 'recorded traffic cannot show it: it needs a control that somebody sends for it',
  remedy: 'let the suite ask it: coverage.html has the command',
} as const;
const NOT_SHOWN = {
  verdict: 'not-exercised',
  reason: 'no exchange of the traffic shows it',
  remedy: 'exercise it in your own tests, or let the suite ask it: coverage.html has the command',
} as const;

/** Reads one file after the other, and adds up what they show. */
export class Traffic {
  /** Sentences: files that were not read whole. */
  readonly problems: string[] = [];
  readonly #options: TrafficOptions;
  readonly #secrets = new Secrets();
  readonly #services = new Map<string, Service>();
  #read = 0;
  #silent = 0;
  /** When the first exchange began, in milliseconds since the epoch. */
  #began = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  /** Judges the pieces of a file. */
  async read(name: string, pieces: AsyncIterable<Piece>): Promise<void> {
    let [lost, first] = [0, ''];
    for await (const { line, entry } of pieces) {
      const where = `${name}, line ${line}`;
      if (typeof entry !== 'string') {
        this.#read += 1;
        if (entry !== null) this.#take(entry, where);
      } else if (++lost === 1) first = `${where}: ${entry}`;
    }
    if (lost > 0) this.problems.push(lost === 1 ? first : `${first} (and ${lost - 1} more such places)`);
  }

  #take(entry: Entry, about: string): void {
    const { place, request, outcome } = entry;
    if (!place.documented) {
      // A service may carry out a change at the other slash form, too: what came before it says nothing.
      const alias = otherSlashForm(withoutQuery(place.path));
      if (request.method !== 'GET') this.#services.get(place.base)?.pairs.disturb(alias);
      return;
    }
    const service = this.#serviceAt(place.base);
    if (service === undefined) return;
    this.#secrets.note(entry);
    if (outcome === null) {
      this.#silent += 1;
      return;
    }
    this.#began ||= entry.at;
    const sender = senderOf(entry, this.#options);
    const context = {
      seq: this.#read,
      at: Math.max(0, entry.at - this.#began),
      about,
      sender,
      secrets: this.#secrets,
    };
    service.take(exchangeOf(entry, outcome, context), entry.lacks, sender);
  }

  #serviceAt(base: string): Service | undefined {
    const { baseUrl, isSample } = this.#options;
    const isMeant =
      baseUrl === undefined || base === baseUrl || (base.startsWith('/') ? baseUrl.endsWith(base) : base === '');
    const known = this.#services.get(base);
    if (known !== undefined || !isMeant || this.#services.size >= MOST_SERVICES) return known;
    const made = new Service(base, !isSample);
    this.#services.set(base, made);
    return made;
  }

  /** The results of everything that was read; `files` are the names. */
  results(files: readonly string[]): JudgedTraffic {
    const { strict, suite, baseUrl } = this.#options;
    const services = [...this.#services.values()]
      .filter(({ isService }) => isService)
      .toSorted((a, b) => b.exchanges - a.exchanges);
    const tally = new Tally();
    for (const service of services) tally.add(service.end());
    const cases = judgedCases(tally);
    const requirements = requirementResults(REQUIREMENTS, cases);
    const judged = services.reduce((sum, { exchanges }) => sum + exchanges, 0);
    const traffic: TrafficFacts = {
      files,
      addresses: services.map(({ base }) => shownUrl(base)),
      read: this.#read,
      judged,
      others: this.#read - judged - this.#silent,
      silent: this.#silent,
      unsearched: this.#secrets.unsearched.size,
      unfollowed: services.reduce((sum, { held }) => sum + held.dropped, 0),
      problems: this.problems,
    };
    const address = services.find(({ base }) => base !== '')?.base ?? baseUrl;
    const run = {
      suite,
      target: shownUrl(address ?? 'http://address.not.recorded.invalid'),
      profile: 'traffic',
    } as const;
    const found = cases.flatMap(({ planned }) => tally.foundIn(planned.id));
    const examples = new Map(found.map(({ example }) => [example.seq, example]));
    return {
      results: {
        format: 'pcs-conformance/results@1',
        ...{ ...run, without: [], only: [], strict, seed: 0, explore: 0, settings: [] },
        ...wordOf(requirements, traffic, tally, this.#options),
        partial: false,
        counts: { requests: judged, calls: 0, unplannedCalls: 0, cases: countVerdicts(cases.map((one) => one.result)) },
        questions: { planned: 0, answered: 0, open: 0, notAsked: 0, lacking: { questions: 0, settings: [] } },
        ...{ requirements, intermittent: [], possiblyOpen: [], changed: [], endedEarly: null, traffic },
      },
      exchanges: [...examples.values()]
        .toSorted((a, b) => a.seq - b.seq)
        .map((one) => keptExchange(one, this.#secrets)),
      counts: tally.counts,
      startedAt: this.#began,
    };
  }
}

/** Every case of the suite, as what was added up shows it. */
function judgedCases(tally: Tally): readonly Judged[] {
  const judged = REQUIREMENTS.flatMap((requirement: Requirement) =>
    requirement.operations.map((operation): Judged => {
      const id = caseId(requirement.id, operation);
      const findings = tally.foundIn(id).map(({ finding, count, example }) => {
        return { ...finding, count, example: example.seq, about: example.tag.about };
      });
      const times = tally.counts.get(id) ?? 0;
      const unfailed = times > 0 ? PASSED : requirement.traffic === undefined ? NEEDS_CONTROL : NOT_SHOWN;
      const base = { id, operation, questions: { planned: 0, answered: 0 }, judged: times };
      return {
        planned: { id, requirement: requirement.id, operation, questions: [] },
        requirement,
        result: { ...base, ...(failureOf(requirement, findings) ?? unfailed), findings },
      };
    }),
  );
  return explain(judged);
}

const grouped = (count: number): string => new Intl.NumberFormat('en-US').format(count);

/** The word, and the sentence behind it. */
function wordOf(
  requirements: readonly RequirementResult[],
  { files, judged, problems }: TrafficFacts,
  { counts }: Tally,
  { strict, baseUrl }: TrafficOptions,
): Pick<Results, 'verdict' | 'summary'> {
  const cases = requirements.flatMap((one) => one.cases);
  const failing = cases.filter(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warning'));
  const called = OPERATION_IDS.filter((id) => counts.has(id)).length;
  const exercised = requirements.filter((one) => one.cases.some((own) => own.judged > 0)).length;
  const reach = `${called} of ${OPERATION_IDS.length} operations, ${exercised} of ${REQUIREMENTS.length} requirements exercised`;
  const extent = `in ${grouped(judged)} exchange${judged === 1 ? '' : 's'} (${reach})`;
  const unread = problems.length === 0 ? '' : `; not everything was read: ${problems.join('; ')}`;
  if (failing.length > 0) return { verdict: 'breach', summary: `${failSentence(failing)}; ${extent}${unread}` };
  if (judged === 0) {
    const below =
      baseUrl === undefined ? '' : ` below ${shownUrl(baseUrl)} (--base-url, or PCS_BASE_URL, which .env may set)`;
    const nothing = `no exchange of ${files.join(', ')} belongs to the interface${below}`;
    return { verdict: 'incomplete', summary: `${nothing}${unread}` };
  }
  if (unread !== '') return { verdict: 'incomplete', summary: `no breach ${extent}${unread}` };
  return { verdict: 'no breach', summary: extent };
}
