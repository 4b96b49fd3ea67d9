/** Answers that were longer than is read: the results count them, and no remedy is given that could not help. */

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { rerun } from '../../../src/run/rerun.ts';
import type { RunRecord } from '../../../src/verdict/record.ts';
import { resultsOf, SUITE } from '../../../suites/index.ts';
import { casesOf, judged } from '../../selftest/judged.ts';

/** The exchange as it is recorded where the answer went on and on. */
function cutShort(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === null || response.body === null) return exchange;
  const facts = { json: 'invalid', reason: 'it is too long', members: [], mentions: [], cut: true } as const;
  return { ...exchange, response: { ...response, body: { ...response.body, ...facts } } };
}

const isNumberList = ({ tag, response }: Exchange): boolean =>
  tag.operation === 'listNumbers' && response?.status === 200;

const changedBy = (record: RunRecord, isCut: (exchange: Exchange) => boolean): RunRecord => ({
  ...record,
  exchanges: record.exchanges.map((one) => (isCut(one) ? cutShort(one) : one)),
});

describe('a run with answers that were cut', async () => {
  const { record, results } = await judged({});
  const isolation = (changed: RunRecord) =>
    casesOf(resultsOf(changed)).find(({ id }) => id === 'ORG-ISOLATION/listNumbers');

  test('counts them and names their operations; one without has nothing to say', () => {
    expect(results).not.toHaveProperty('cut');
    const cut = changedBy(record, (one) => isNumberList(one) || one.seq === 1);
    const answers = cut.exchanges.filter(({ response }) => response?.body?.cut === true).length;
    expect(answers).toBeGreaterThan(2);
    expect(resultsOf(cut).cut).toEqual({ answers, operations: ['listTrunks', 'listNumbers'] });
  });

  test('names requests to no operation too', () => {
    const cut = changedBy(record, ({ tag }) => tag.operation === null);
    expect(resultsOf(cut).cut?.operations).toEqual(['undocumented']);
  });

  test('does not blame the credential for what an own list shows only beyond the limit', () => {
    expect(isolation(record)?.verdict).toBe('pass');
    const found = isolation(changedBy(record, isNumberList));
    expect(found).toMatchObject({ verdict: 'not-exercised' });
    expect(found?.reason).toMatch(/own list exceeded the size limit/);
    expect(found).not.toHaveProperty('remedy');
  });

  test('passes no list of another organization whose end it did not see', async () => {
    const isForeign = ({ request }: Exchange): boolean => request.credential === 'other-organization';
    const cut = changedBy(record, (one) => isNumberList(one) && isForeign(one));
    const found = isolation(await rerun(cut, SUITE));
    expect(found?.verdict).toBe('not-exercised');
    expect(found?.reason).toMatch(/the list exceeded the size limit/);
  });
});
