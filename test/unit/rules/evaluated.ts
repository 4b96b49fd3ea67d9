/** A run of one requirement, made of what is said of its answers, with the verdicts that follow. */

import type { Skip } from '../../../src/contract/skipped.ts';
import type { ExchangeTag } from '../../../src/exchange/exchange.ts';
import { DEFAULTS, inputsOf } from '../../../src/run/options.ts';
import { answered, BOUNDARY } from '../../../src/verdict/boundary.ts';
import { evaluate } from '../../../src/verdict/evaluate.ts';
import {
  found,
  foundLeak,
  inconclusive,
  lawfullyNone,
  none,
  type Opinion,
  PASS,
} from '../../../src/verdict/opinion.ts';
import { type Judge, Judgements, type RunRecord } from '../../../src/verdict/record.ts';
import type { JudgedRequirement } from '../../../src/verdict/requirement.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { uncompared } from '../../../src/verdict/sibling.ts';
import { demand, exchangeOf, type Said } from './exchanges.ts';

const OPINIONS: Readonly<Record<string, Opinion>> = {
  pass: PASS,
  finding: found('the body', 'this', 'that'),
  status: { kind: 'finding', basis: 'status', finding: { where: 'the status', expected: 'this', actual: 'that' } },
  leak: foundLeak('the body', 'no secret', 'a secret'),
  none: none('nothing'),
  remedy: none('nothing', 'do this'),
  excused: lawfullyNone('nothing', 'nothing helps'),
  doubt: inconclusive('a doubt'),
};

/** What is known of a case; without more, a `must` with one question that one exchange passes. */
export interface Given {
  readonly requirement?: Partial<JudgedRequirement>;
  readonly operation?: 'getTrunk' | 'updateTrunk' | 'createCall';
  readonly questions?: readonly string[];
  /** What each exchange asks, and the opinion on it: `a pass`. Without a question: ` pass`. */
  readonly answers?: readonly string[];
  readonly tag?: Partial<ExchangeTag>;
  /** Whether the second exchange is the first one, sent again. */
  readonly isSentAgain?: true;
  readonly status?: number | null;
  /** Questions that were not asked, and why: of the requirement, or of a boundary value. */
  readonly skipped?: Readonly<Record<string, Partial<Skip>>>;
  readonly record?: Partial<RunRecord>;
  readonly header?: Partial<RunRecord['header']>;
}

const OF = { id: 'X', level: 'must', section: '1', statement: 'It is so.' } as const;

/** Evaluates such a run. */
export function evaluated(given: Given): Results {
  const { requirement, operation = 'updateTrunk', questions = ['a'], answers = ['a pass'], tag, status = 200 } = given;
  const judged: JudgedRequirement = {
    ...OF,
    operations: [operation],
    expect: (exchange) => OPINIONS[exchange.tag.about] ?? PASS,
    ...requirement,
  };
  const exchanges = answers.map((answer, at) => {
    const [question = '', about = ''] = answer.split(' ');
    const asked = questions.includes(`${BOUNDARY}: ${question}`) ? BOUNDARY : 'X';
    const asks = question === '' ? [] : [{ id: asked, variation: question }];
    const again = given.isSentAgain && at === 1 ? { replaces: 1 } : {};
    const said: Said = { status, tag: { operation, asks, about, sequence: `${at}`, control: false, ...again, ...tag } };
    return exchangeOf(said, at);
  });
  const judgements = new Judgements();
  // As a session does: of its last sending alone.
  for (const exchange of given.isSentAgain ? exchanges.slice(1) : exchanges)
    for (const ask of exchange.tag.asks) {
      const judge: Judge = (evidence) =>
        ask.id === BOUNDARY
          ? answered(exchange, ask, evidence)
          : (judged.expect?.(exchange, evidence, uncompared(exchange)) ?? PASS);
      judgements.note({ ...ask, seq: exchange.seq, judge });
    }
  const notes = Object.entries(given.skipped ?? {}).map(([variation, note]) => {
    const asks = [{ id: questions.includes(`${BOUNDARY}: ${variation}`) ? BOUNDARY : 'X', variation }];
    return { sequence: 's', operation, asks, why: 'limit', reason: 'a reason', ...note } as const;
  });
  const header = {
    suite: { name: 's', version: '1' },
    ...{ target: 't', profile: 'full', without: [], only: [], strict: false, seed: 1, explore: 0, settings: [] },
    ...given.header,
  } as RunRecord['header'];
  const plan = [{ id: `X/${operation}`, requirement: 'X', operation, questions }];
  const record: RunRecord = {
    inputs: inputsOf({ ...DEFAULTS, baseUrl: 'http://t.invalid', credentials: { access: 'a_org_b' } }, (text) => text),
    ...{ header, plan, exchanges, skipped: notes as RunRecord['skipped'], errors: [], endedEarly: null },
    ...{ possiblyOpen: [], changed: [], calls: 0, judgements },
    ...given.record,
  };
  return evaluate(record, { requirements: [judged], remedyOf: () => undefined });
}

/** The verdict of its case, and that of the run. */
export const verdictOf = (given: Given): string => evaluated(given).requirements[0]?.cases[0]?.verdict ?? 'no verdict';
export const runOf = (given: Given): string => evaluated(given).verdict;

/** A rule: what follows of what is given, and of the same with one thing changed. */
export const ruleOf =
  (follows: (given: Given) => string) =>
  (
    title: string,
    base: Given,
    says: string,
    but: readonly (readonly [title: string, change: Given, says: string])[],
    still: readonly (readonly [title: string, change: Given])[] = [],
  ): void => {
    demand<Given>(title, (change) => follows({ ...base, ...change }), says, but, still);
  };
/** Why a question was not asked that needs an optional setting. */
export const OPTIONAL = { why: 'setting', needs: ['PCS_REVOKED_ACCESS_TOKEN'] } as const;
/** A planned case of another requirement. */
export const PLANNED = { id: 'Y/getTrunk', requirement: 'Y', operation: 'getTrunk', questions: [] } as const;
/** An error of the suite itself. */
export const broken = (asks: Exclude<ExchangeTag['asks'], undefined>) => ({
  errors: [{ sequence: 's', operation: 'updateTrunk', asks, message: 'm' } as const],
});
