/** A read-only run without a trunk in its settings reads the first one that the list shows (model, section 0, rule 16). */

import { expect, test } from 'vitest';
import { rejected } from '../../fixtures/faults/replies.ts';
import { on } from '../../fixtures/faults/visit.ts';
import { instead } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { comesOutTheSame } from './again.ts';

const { settings } = createReference();
const TRUNK = settings.PCS_TRUNK_ID ?? '';
const OPTIONS: RunOptions = optionsFrom(settings, { profile: 'read-only', resources: {} });

async function judged(change: (service: Service) => Service = (service) => service, options = OPTIONS) {
  const { record, results } = await judge(change(createReference().service), options);
  await comesOutTheSame(record);
  const verdicts = Object.fromEntries(casesOf(results).map(({ id, verdict }) => [id, verdict]));
  const onTrunk = record.exchanges.filter(({ request }) => request.path.includes(TRUNK));
  return { record, results, verdicts, onTrunk };
}

test('its own list is read first, in the record, and no setting is said to be set', async () => {
  const { record, results, verdicts, onTrunk } = await judged();
  const [first] = onTrunk;
  const list = record.exchanges.find(({ response }) => response?.learned?.trunk === TRUNK);
  expect([list?.tag.operation, first?.tag.operation]).toEqual(['listTrunks', 'getTrunk']);
  expect((list?.seq ?? 0) < (first?.seq ?? 0)).toBe(true);
  const looks = record.exchanges.filter(({ tag }) => tag.role === 'preflight').map(({ tag }) => tag.operation);
  expect(looks).toEqual(['listTrunks', null]);
  expect(results.settings).not.toContain('PCS_TRUNK_ID');
  expect(onTrunk.filter(({ request }) => !['GET', 'HEAD'].includes(request.method))).toEqual([]);
  const read = ['PATH-SERVED', 'TRUNK-SHOWS-STATE', 'AUTH-CREDENTIAL-REQUIRED', 'UNKNOWN-ID-REFUSED', 'ORG-ISOLATION'];
  expect(read.map((id) => verdicts[`${id}/getTrunk`])).toEqual(read.map(() => 'pass'));
});

test('a list that fails is a finding, and the questions about a trunk are open', async () => {
  const { results, verdicts, onTrunk } = await judged((service) =>
    instead(on('listTrunks'), () => rejected(500))(service, settings),
  );
  expect([results.verdict, verdicts['NO-SERVER-ERROR/listTrunks'], onTrunk.length]).toEqual([
    'non-conformant',
    'fail',
    0,
  ]);
  expect(verdicts['PATH-SERVED/getTrunk']).toBe('not-exercised');
});
