/** Judges recorded traffic as it is read: what it shows by itself, and never what would need a control. */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { withoutQuery } from '../client/request-path.ts';
import { firstOf } from '../contract/lists.ts';
import { OPERATIONS, otherSlashForm } from '../contract/operations.ts';
import { type Exchange, QUERY_NAMES } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { countVerdicts, explain, requirementResults } from '../verdict/evaluate.ts';
import { caseId } from '../verdict/record.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { type Entry, entryOf } from './entry.ts';
import { placeOf } from './place.ts';
import type { Piece } from './reader.ts';
import { exchangeOf, holdsBody, keptExchange } from './record.ts';
import { Secrets, tokenOf } from './secrets.ts';
import { type Known, type OperationTally, ServiceTally } from './service.ts';
import { CaseTally } from './tally.ts';

/** What is known beside the files. */
export interface TrafficOptions {
  /** The only address that is judged; any below which the interface answers if absent. */
  readonly baseUrl?: string;
  /** The files hold a part of the traffic, so that no two exchanges belong together. */
  readonly isSample: boolean;
  readonly strict: boolean;
  /** Credentials that tell whose a request is. */
  readonly access?: string;
  readonly otherOrganization?: string;
  readonly suite: Results['suite'];
}

/** The outcome: results, the exchanges that they name, and what of the interface was exercised. */
export interface JudgedTraffic {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  readonly operations: ReadonlyMap<string, OperationTally>;
  /** Milliseconds since the epoch; 0 where the recording has no times. */
  readonly startedAt: number;
}

/** More addresses are not told apart. */
const MOST_SERVICES = 32;
const NEEDS_CONTROL = 'recorded traffic cannot show it: it needs a control that somebody sends for it';
const ASK = 'let the suite ask it: coverage.html has the command';
const EXERCISE = 'exercise it in your own tests, or let the suite ask it: coverage.html has the command';
const LIKE_A_CREDENTIAL = /auth|cookie|cred|key|secret|session|sign|token/i;

/** Reads one file after the other, and adds up what they show. */
export class Traffic {
  /** Sentences: files that were not read whole. */
  readonly problems: string[] = [];
  readonly #options: TrafficOptions;
  readonly #secrets = new Secrets();
  readonly #services = new Map<string, ServiceTally>();
  #read = 0;
  #others = 0;
  #silent = 0;
  #where = '';
  /** When the first exchange began, in milliseconds since the epoch. */
  #began = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  /** Judges the pieces of a file. */
  async read(name: string, pieces: AsyncIterable<Iterable<Piece>>): Promise<void> {
    let [lost, first] = [0, ''];
    for await (const some of pieces) {
      for (const piece of some) {
        const entry = piece.kind === 'entry' ? entryOf(piece) : piece.problem;
        if (typeof entry !== 'string') this.#take(entry, `${name}, line ${piece.line}`);
        else {
          lost += 1;
          first ||= `${name}, line ${piece.line}: ${entry}`;
        }
      }
    }
    if (lost > 0) this.problems.push(lost === 1 ? first : `${first} (and ${lost - 1} more such places)`);
  }

  #take(entry: Entry, where: string): void {
    this.#read += 1;
    const place = placeOf(entry.method, entry.url);
    const service = place === null ? undefined : this.#serviceAt(place.base);
    if (place === null || service === undefined) {
      this.#others += 1;
      this.#disturb(entry);
      return;
    }
    this.#secrets.note(entry, place);
    if (entry.isSilent) {
      this.#silent += 1;
      return;
    }
    const known = this.#knownOf(entry);
    const credential = entry.own?.credential ?? (known.owner === 'others' ? 'other-organization' : 'valid');
    this.#where = where;
    this.#began ||= entry.at;
    const timed = { ...entry, at: Math.max(0, entry.at - this.#began) };
    service.take(exchangeOf(timed, place, this.#read, credential, this.#secrets), known);
  }

  /** A service may carry out a change at the other slash form, too. It is not judged, and what came before it says nothing. */
  #disturb({ method, url }: Entry): void {
    const alias = method === 'GET' ? null : placeOf(method, otherSlashForm(withoutQuery(url)));
    if (alias !== null) this.#services.get(alias.base)?.disturb(alias.path);
  }

  #serviceAt(base: string): ServiceTally | undefined {
    const { baseUrl, isSample } = this.#options;
    const isMeant =
      baseUrl === undefined || base === baseUrl || (base.startsWith('/') ? baseUrl.endsWith(base) : base === '');
    const known = this.#services.get(base);
    if (known !== undefined || !isMeant || this.#services.size >= MOST_SERVICES) return known;
    const keep = (exchange: Exchange): Exchange => keptExchange(exchange, this.#secrets, this.#where);
    const made = new ServiceTally(base, keep, !isSample);
    this.#services.set(base, made);
    return made;
  }

  #knownOf(entry: Entry): Known {
    const { access, otherOrganization } = this.#options;
    const { own, requestHeaders, url } = entry;
    const held = { header: entry.headers !== null, body: entry.status === null || holdsBody(entry) };
    if (own !== undefined) {
      const owner = own.credential === 'valid' ? 'ours' : own.credential === 'other-organization' ? 'others' : null;
      const isNone = own.credential === 'none' || own.credential === 'empty-bearer';
      return { ...held, credential: isNone ? 'none' : owner === 'ours' ? 'some' : 'unknown', owner };
    }
    const authorization = headerValue(requestHeaders, 'authorization');
    const token = authorization === undefined ? '' : tokenOf(authorization);
    const owner =
      token !== '' && token === access ? 'ours' : token !== '' && token === otherOrganization ? 'others' : null;
    if (authorization !== undefined) return { ...held, credential: 'some', owner };
    const isElsewhere =
      requestHeaders.some(([name]) => LIKE_A_CREDENTIAL.test(name)) ||
      QUERY_NAMES.some((name) => url.includes(`${name}=`));
    return { ...held, credential: requestHeaders.length > 0 && !isElsewhere ? 'none' : 'unknown', owner };
  }

  /** The results of everything that was read; `names` are the files. */
  results(names: readonly string[]): JudgedTraffic {
    const { baseUrl, strict, suite } = this.#options;
    const services = [...this.#services.values()]
      .filter(({ isService }) => isService)
      .toSorted((a, b) => b.exchanges - a.exchanges);
    const exchanges = new Map<number, Exchange>();
    const tallies = merged(services);
    const judged = REQUIREMENTS.flatMap((requirement) =>
      requirement.operations.map((operation) => {
        const id = caseId(requirement.id, operation);
        const tally = tallies.get(id);
        for (const { example } of tally?.found ?? []) exchanges.set(example.seq, example);
        const planned = { id, requirement: requirement.id, operation, questions: [] };
        return { planned, requirement, result: caseResult(id, operation, requirement, tally) };
      }),
    );
    const cases = explain(judged).map((one) => one.result);
    const requirements = requirementResults(REQUIREMENTS, explain(judged));
    const operations = mergedOperations(services);
    const total = services.reduce((sum, one) => sum + one.exchanges, 0);
    const exercised = requirements.filter((one) => one.cases.some(({ judged: count }) => count > 0)).length;
    const reach = `${operations.size} of ${OPERATIONS.length} operations, ${exercised} of ${REQUIREMENTS.length} requirements exercised`;
    const extent = `in ${grouped(total)} exchange${total === 1 ? '' : 's'} (${reach})`;
    const failing = cases
      .filter(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warning'))
      .map(({ id }) => id);
    const below =
      baseUrl === undefined ? '' : ` below ${shownUrl(baseUrl)} (--base-url, or PCS_BASE_URL, which .env may set)`;
    const nothing = `no exchange of ${names.join(', ')} belongs to the interface${below}`;
    const unread = this.problems.length === 0 ? '' : `; not everything was read: ${this.problems.join('; ')}`;
    const said = failing.length === 1 ? '1 case fails' : `${failing.length} cases fail`;
    const [verdict, summary] =
      failing.length > 0
        ? (['breach', `${said}: ${firstOf(failing, 3)}; ${extent}${unread}`] as const)
        : total === 0
          ? (['incomplete', `${nothing}${unread}`] as const)
          : unread !== ''
            ? (['incomplete', `no breach ${extent}${unread}`] as const)
            : (['no breach', extent] as const);
    const target =
      services.map(({ base }) => base).find((base) => base !== '') ?? baseUrl ?? 'http://address.not.recorded.invalid';
    return {
      operations,
      startedAt: this.#began,
      exchanges: [...exchanges.values()].toSorted((a, b) => a.seq - b.seq),
      results: {
        format: 'pcs-conformance/results@1',
        ...{
          suite,
          target: shownUrl(target),
          profile: 'traffic',
          without: [],
          only: [],
          strict,
          seed: 0,
          explore: 0,
          settings: [],
        },
        ...{ verdict, summary, partial: false },
        counts: { requests: total, calls: 0, unplannedCalls: 0, cases: countVerdicts(cases) },
        questions: { planned: 0, answered: 0, open: 0, notAsked: 0, lacking: { questions: 0, settings: [] } },
        ...{ requirements, intermittent: [], possiblyOpen: [], changed: [], endedEarly: null },
        traffic: {
          files: names,
          addresses: services.map(({ base }) => shownUrl(base)),
          read: this.#read,
          judged: total,
          others: this.#read - total - this.#silent,
          silent: this.#silent,
          unsearched: this.#secrets.unsearched.size,
          unfollowed: services.reduce((sum, { symptoms }) => sum + symptoms.dropped, 0),
          problems: this.problems,
        },
      },
    };
  }
}

const grouped = (count: number): string => new Intl.NumberFormat('en-US').format(count);

function merged(services: readonly ServiceTally[]): ReadonlyMap<string, CaseTally> {
  const all = new Map<string, CaseTally>();
  for (const [id, tally] of services.flatMap((service) => [...service.cases()])) {
    const into = all.get(id) ?? new CaseTally();
    all.set(id, into);
    into.judged += tally.judged;
    into.passes += tally.passes;
    for (const { finding, weight, example, count } of tally.found) into.add(finding, weight, () => example, count);
  }
  return all;
}

function mergedOperations(services: readonly ServiceTally[]): ReadonlyMap<string, OperationTally> {
  const all = new Map<string, OperationTally>();
  for (const [id, own] of services.flatMap(({ operations }) => [...operations])) {
    const into = all.get(id) ?? { exchanges: 0, statuses: new Map(), members: new Map() };
    all.set(id, into);
    into.exchanges += own.exchanges;
    for (const [status, count] of own.statuses) into.statuses.set(status, count + (into.statuses.get(status) ?? 0));
    for (const [name, count] of own.members) into.members.set(name, count + (into.members.get(name) ?? 0));
  }
  return all;
}

function caseResult(
  id: string,
  operation: string,
  { traffic, level }: (typeof REQUIREMENTS)[number],
  tally: CaseTally | undefined,
): CaseResult {
  const base = { id, operation, questions: { planned: 0, answered: 0 }, judged: tally?.judged ?? 0 };
  const findings = (tally?.found ?? []).map(({ finding, count, example }) => {
    return { ...finding, count, example: example.seq, about: example.tag.about };
  });
  const [first] = findings;
  if (first !== undefined) {
    const reason = `expected ${first.expected}, got ${first.actual} in ${first.where} (${first.about})`;
    return { ...base, verdict: level === 'must' ? 'fail' : 'warning', reason, findings };
  }
  if ((tally?.passes ?? 0) > 0) return { ...base, verdict: 'pass', findings };
  const why = traffic === undefined ? NEEDS_CONTROL : 'no exchange of the traffic shows it';
  return { ...base, verdict: 'not-exercised', reason: why, remedy: traffic === undefined ? ASK : EXERCISE, findings };
}
