/** The pairs of dimensions that a default run covers, read from its requests. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { PAIRINGS, type Pairing, type Sent } from '../../scripts/dimensions.ts';
import { RUN_DEFAULTS } from '../../src/contract/settings.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { FORMS } from '../../src/exchange/message.ts';
import { isAccepted, routeOf } from '../../src/verdict/answer.ts';
import { plannerFor, SUITE } from '../../suites/index.ts';
import { EVERY_OPERATION, RIGHTFUL } from '../../suites/operations.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const { service, settings } = createReference();
const options = optionsFrom(settings, { explore: 60, seed: RUN_DEFAULTS.seed });
const run = judge(service, options);

/** Every request of a run with what came before it on its path; of create calls, with the last accepted one. */
function sentIn(exchanges: readonly Exchange[]): readonly Sent[] {
  const stimuli = new Map(SUITE.sequences(plannerFor(options)).map(({ name, stimulus }) => [name, stimulus]));
  const last = new Map<string, Exchange>();
  return exchanges.map((exchange) => {
    const isCall = exchange.tag.operation === 'createCall';
    const key = isCall ? 'createCall' : routeOf(exchange);
    const before = last.get(key);
    if (!isCall || isAccepted(exchange)) last.set(key, exchange);
    return { exchange, before, stimulus: stimuli.get(exchange.tag.sequence) };
  });
}

/** Pairs of a pairing that no request shows. */
function missing({ rows, columns, shownBy, except }: Pairing, exchanges: readonly Exchange[]): readonly string[] {
  const shown = new Set(
    sentIn(exchanges).flatMap((sent) => {
      const met = shownBy(sent);
      return met.rows.flatMap((row) => met.columns.map((column) => `${row} × ${column}`));
    }),
  );
  const due = rows.values.flatMap((row) =>
    columns.values.filter((column) => !except?.isLeftOut(row, column)).map((column) => `${row} × ${column}`),
  );
  return due.filter((pair) => !shown.has(pair));
}

const named = PAIRINGS.map((pairing) => [`${pairing.rows.what} × ${pairing.columns.what}`, pairing] as const);

describe('a default run', () => {
  test.each(named)('covers every pair of %s', async (_, pairing) => {
    const { exchanges } = (await run).record;
    expect(missing(pairing, exchanges)).toEqual([]);
  });

  test('is accepted in another form on every operation that accepts more than one request', async () => {
    const { exchanges } = (await run).record;
    const forms = Object.values(FORMS);
    const inForm = exchanges.filter((one) => isAccepted(one) && one.tag.form !== undefined);
    const operations = new Set(inForm.map(({ tag }) => tag.operation));
    // A call is answered and hung up once, and an assignment between invalid credentials would repair what they did.
    const others = EVERY_OPERATION.filter((id) => !['answerCall', 'hangUpCall', 'assignNumber'].includes(id));
    expect(others.filter((id) => !operations.has(id))).toEqual([]);
    const calls = inForm.filter(({ tag }) => tag.operation === 'createCall');
    expect(forms.filter((form) => !calls.some(({ tag }) => tag.form === form))).toEqual([]);
  });

  test('meets every way to break a request with every form of one, where enough requests break it so', async () => {
    const sequences = SUITE.sequences(plannerFor(options));
    const counts = new Map<string, number>();
    for (const { stimulus } of sequences)
      if (stimulus !== undefined) counts.set(stimulus, (counts.get(stimulus) ?? 0) + 1);
    const common = [...counts].flatMap(([stimulus, count]) => (count >= 3 ? [stimulus] : []));
    const met = new Map(
      common.map((one) => [one, new Set(sequences.flatMap(({ stimulus, form }) => (stimulus === one ? [form] : [])))]),
    );
    expect(common.length).toBeGreaterThan(25);
    expect(
      [...met].filter(([, forms]) => !(['gzip', 'no-accept', 'lower-case'] as const).every((one) => forms.has(one))),
    ).toEqual([]);
  });

  test('asks the same with another seed', async () => {
    const askedWith = async (seed: number) => {
      const reference = createReference();
      const { record } = await judge(reference.service, optionsFrom(reference.settings, { seed }));
      return record.exchanges.map(({ request, tag }) => [tag.sequence, request.credential, tag.about, tag.asks]);
    };
    expect(await askedWith(10)).toEqual(await askedWith(1));
  });

  test('has the valid credential behind ten invalid ones at most', async () => {
    let [row, most] = [0, 0];
    for (const { request, tag } of (await run).record.exchanges) {
      row = tag.origin !== undefined || RIGHTFUL.includes(request.credential) ? 0 : row + 1;
      most = Math.max(most, row);
    }
    expect(most).toBe(10);
  });
});
