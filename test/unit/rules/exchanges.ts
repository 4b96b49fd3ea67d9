/**
 * Rules as tables: a row of recorded exchanges with what must follow, and beside it the same row with one thing changed, where
 * something else must follow. Each exchange is a valid control but for what the row says of it.
 */

import { expect, test } from 'vitest';
import type {
  CredentialForm,
  Exchange,
  ExchangeTag,
  Learned,
  RecordedBody,
  RecordedRequest,
  SettledFacts,
} from '../../../src/exchange/exchange.ts';
import { AS_RECORDED, bodyFacts } from '../../../src/exchange/facts.ts';
import { parsedJson } from '../../../src/exchange/json-text.ts';
import { Evidence } from '../../../src/verdict/evidence.ts';
import type { Opinion } from '../../../src/verdict/opinion.ts';
import { type Compared, elementsBetween } from '../../../src/verdict/sibling.ts';
import { requirementById } from '../../../suites/catalogue.ts';
import type { RequirementId } from '../../../suites/report-order.ts';

/** What a row says of one exchange; everything else is an accepted control of updateTrunk. */
export interface Said {
  readonly status?: number | null;
  readonly tag?: Partial<ExchangeTag>;
  readonly request?: Partial<RecordedRequest>;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: RecordedBody | null;
  readonly learned?: Learned;
  readonly took?: number;
  /** The JSON text of the valid body from which its body differs in one element. */
  readonly sibling?: string;
}

/** A valid JSON body whose scalars have their own JSON text for a digest. */
export const bodyOf = (value: Readonly<Record<string, unknown>>): RecordedBody =>
  bodyFacts(Buffer.from(JSON.stringify(value)), { ...AS_RECORDED, digest: String });

/** A body that is not JSON. */
export const NO_JSON: RecordedBody = { ...bodyOf({}), json: 'invalid' };

/** Asks a requirement, in one variation or as a whole. */
export const asks = (id: RequirementId, variation = '') => [{ id, variation }];

/** The label of a JSON body. */
export const JSON_LABEL = [['Content-Type', 'application/json']] as const;

/** The same exchange with another credential, so that it is not a control. */
export const as = (credential: CredentialForm, said: Said, status = 401): Said => ({
  ...said,
  status,
  tag: { ...said.tag, control: false },
  request: { ...said.request, credential },
});

/** An exchange that got that status. */
export const at = (status: number | null): Said => ({ status });

type Statuses = readonly (number | null)[];

/** The judged exchange with each of these statuses, where the same follows as without the change. */
export const stillFor = (statuses: Statuses) =>
  statuses.map((status) => [`it got ${status}`, { judged: { status } }] as const);

/** The same where something else follows. */
export const forStatuses = (statuses: Statuses, says: string) =>
  stillFor(statuses).map((row) => [...row, says] as const);

/** The error envelope. */
const ENVELOPE: RecordedBody = bodyOf({ success: false, error: { code: 'refused', message: 'Refused.' } });

/** An exchange at that place of a run. */
export function exchangeOf(said: Said, at: number): Exchange {
  const { status = 200, tag, request, headers = [], body, learned, took = 1 } = said;
  const isError = status !== null && status >= 400;
  return {
    seq: at + 1,
    tag: {
      operation: 'updateTrunk',
      documented: true,
      ids: 'named',
      sequence: `sequence ${at}`,
      attempt: 0,
      role: 'control',
      resend: 0,
      asks: [],
      control: tag?.asks === undefined,
      about: '',
      ...tag,
    },
    request: { method: 'PATCH', path: '/v1/trunks/1', credential: 'valid', headers: [], body: null, ...request },
    response:
      status === null
        ? null
        : {
            status,
            headers,
            body: body === undefined ? (isError ? ENVELOPE : null) : body,
            leaks: [],
            ...(learned && { learned }),
          },
    failure: status === null ? { kind: 'timeout', detail: 'no answer in time' } : null,
    at: 10 * at,
    took,
  };
}

/** An accepted read of the trunks. */
export const READ = exchangeOf(
  { tag: { operation: 'listTrunks' }, request: { method: 'GET', path: '/v1/trunks/' } },
  0,
);

/** The exchanges of a row by name, in the order of sending; `null` keeps a place for what a changed row adds. */
type Row<Name extends string> = Readonly<Record<Name, Said | null>>;

/** What a changed row says of some exchanges; `null` leaves one out. */
type Change<Name extends string> = Readonly<Partial<Record<Name, Said | null>>>;

/** A row with what must follow, and the same row with one thing changed, where something else must follow. */
interface Rule<Name extends string> {
  readonly row: Row<Name>;
  readonly says: string;
  readonly but: readonly (readonly [title: string, change: Change<NoInfer<Name>>, says: string])[];
  /** Changes after which the same must follow. */
  readonly still?: readonly (readonly [title: string, change: Change<NoInfer<Name>>])[];
}

function changedBy(said: Said | null, change: Said | null | undefined): Said | null {
  if (change === undefined || change === null || said === null) return change === undefined ? said : change;
  return { ...said, ...change, tag: { ...said.tag, ...change.tag }, request: { ...said.request, ...change.request } };
}

/** What follows of the exchanges of a row in a word; `at` is the place of the one that is named `judged`, `names` are those of all. */
type Follows = (said: readonly Said[], at: number, names: readonly string[]) => string;

/** A test of a rule: all rows that do not come out as they say are shown at once, and no change may say the same. */
export function demand<Changed>(
  title: string,
  outcomeOf: (change: Changed) => string,
  says: string,
  but: readonly (readonly [title: string, change: Changed, says: string])[],
  still: readonly (readonly [title: string, change: Changed])[],
): void {
  const rows = [['as it is', {} as Changed, says] as const, ...but, ...still.map((row) => [...row, says] as const)];
  test(title, () => {
    const came = rows.map(([name, change]) => `${name}: ${outcomeOf(change)}`);
    expect(came).toEqual(rows.map(([name, , follow]) => `${name}: ${follow}`));
    expect(but.filter(([, , follow]) => follow === says)).toEqual([]);
  });
}

const ruleBy =
  (follows: Follows) =>
  <Name extends string>(title: string, { row, says, but, still = [] }: Rule<Name>): void => {
    const outcomeOf = (change: Change<Name>): string => {
      const all = (Object.keys(row) as Name[]).map((name) => [name, changedBy(row[name], change[name])] as const);
      const sent = all.filter(([, said]) => said !== null);
      const judged = sent.findIndex(([name]) => name === 'judged');
      return follows(
        sent.map(([, said]) => said ?? {}),
        judged,
        sent.map(([name]) => name),
      );
    };
    demand<Change<Name>>(title, outcomeOf, says, but, still);
  };

/** What a run knows besides its exchanges. */
type Facts = Partial<ConstructorParameters<typeof Evidence>[0]>;

/** The kind of an opinion; `excused` for one that says nothing because a lawful target may be unable to show more. */
const kindOf = (opinion: Opinion | null): string =>
  opinion?.kind === 'none' && opinion.isLawful === true ? 'excused' : (opinion?.kind ?? 'no concern');

/** A rule about the kind of the opinion that a requirement has on the exchange named `judged`, which asks it. */
export const opinionRule = (id: RequirementId, facts: Facts = {}) =>
  ruleBy((said, at) => kindOf(opinionOn(id, said, at, facts)));

/** A rule about the reason of such an opinion, or its kind where it has none. */
export const reasonRule = (id: RequirementId) =>
  ruleBy((said, at) => {
    const opinion = opinionOn(id, said, at);
    return opinion !== null && 'reason' in opinion ? opinion.reason : kindOf(opinion);
  });

/** The exchanges of a row by their names; a name is missing where the row has none. */
export type Named = Readonly<Record<string, Exchange | undefined>>;

/** The exchanges of a row with these names, as far as it has them. */
export const those = (row: Named, ...names: readonly string[]): readonly Exchange[] =>
  names.flatMap((name) => row[name] ?? []);

/** The exchange of a row with that name, which it has. */
export const that = (row: Named, name: string): Exchange => row[name] as Exchange;

/** A rule about the kind of what a judge says of the exchanges of a row. */
export const judgeRule = (
  judge: (row: Named, evidence: Evidence, compared: Compared) => Opinion,
  facts: Facts = {},
  settled: SettledFacts = {},
) =>
  ruleBy((said, at, names) => {
    const exchanges = said.map((one, place) =>
      exchangeOf(place === at ? { ...one, tag: { control: false, ...one.tag } } : one, place),
    );
    const row = Object.fromEntries(names.map((name, place) => [name, exchanges[place]]));
    const evidence = new Evidence({ profile: 'full', settings: [], ...facts }, exchanges, settled);
    return kindOf(judge(row, evidence, comparedAt(said, exchanges, at)));
  });

/** What the exchange at that place is compared with, as a run collects it. */
function comparedAt(said: readonly Said[], exchanges: readonly Exchange[], at: number): Compared {
  const exchange = exchanges[at] as Exchange;
  const sibling = said[at]?.sibling ?? '';
  const { tag, request } = exchange;
  const isBeside = (sent: Exchange): boolean => sent.tag.sequence === tag.sequence && sent.tag.attempt === tag.attempt;
  const isOfCase = (place: number): boolean =>
    exchanges[place]?.tag.asks.some(({ id }) => tag.asks.some((ask) => ask.id === id)) === true;
  return {
    exchange,
    elements: elementsBetween(parsedJson(sibling), parsedJson(request.body?.text ?? '')),
    siblings: () => exchanges.filter((sent) => sent.tag.control && sent.request.body?.text === sibling),
    around: () => exchanges.filter(isBeside),
    get ofCase() {
      return exchanges.flatMap((_, place) => (isOfCase(place) ? [comparedAt(said, exchanges, place)] : []));
    },
  };
}

/** The opinion of a requirement on the exchange at that place of a run; `null` where it does not concern it. */
export function opinionOn(id: RequirementId, said: readonly Said[], at: number, facts: Facts = {}): Opinion | null {
  const exchanges = said.map((one, place) => {
    const tag = { control: false, asks: asks(id), ...one.tag };
    return exchangeOf(place === at ? { ...one, tag } : one, place);
  });
  const [judged, exchange] = [requirementById(id), exchanges[at]];
  if (judged === undefined || exchange === undefined) throw new RangeError(`nothing to judge for ${id}`);
  const isAsked = judged.invariant !== true && exchange.tag.asks.some((ask) => ask.id === id);
  if (!isAsked && judged.concerns?.(exchange) === false) return null;
  const evidence = new Evidence({ profile: 'full', settings: [], ...facts }, exchanges);
  return judged.expect?.(exchange, evidence, comparedAt(said, exchanges, at)) ?? null;
}
