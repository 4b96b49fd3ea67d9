/** Our credential reads the trunk of the other organization that the settings name: a hole, but where both may read it. */

import { expect, test } from 'vitest';
import { rewritten } from '../../fixtures/faults/replies.ts';
import { asOfTheOther } from '../../fixtures/faults/requests.ts';
import { authorized, on } from '../../fixtures/faults/visit.ts';
import { between } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';
import { allBut } from '../unit/certificate/certified.ts';

/** Our list of a service in which both organizations may read a trunk. */
interface Sharing {
  readonly list: (own: readonly object[], theirs: readonly object[]) => object;
  readonly broken: readonly string[];
}

const inCapitals = (all: readonly object[]): readonly object[] =>
  JSON.parse(JSON.stringify(all).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => id.toUpperCase()));

const SHARING: Readonly<Record<string, Sharing>> = {
  'our list shows it in capitals': { list: (own, theirs) => ({ data: inCapitals([...own, ...theirs]) }), broken: [] },
  'our list does not show it': { list: (own) => ({ data: own }), broken: ['ORG-ISOLATION'] },
};

test.each(Object.entries(SHARING))('where %s', async (_, { list, broken }) => {
  const sharing = between(async (visit, inner) => {
    const reply = await inner(visit.request);
    if (!on('listTrunks', 'getTrunk')(visit) || !authorized(visit)) return reply;
    const theirs = await inner(asOfTheOther(visit));
    if (on('listTrunks')(visit)) {
      const { data } = JSON.parse(String(theirs.body));
      return rewritten((own) => ({ ...own, ...list(Object(own['data']), data) }))(reply, visit);
    }
    if (reply.status !== 404) return reply;
    return theirs.status === 200 ? theirs : reply;
  });
  const { service, settings } = createReference();
  const options = optionsFrom(settings, { without: allBut('listTrunks', 'getTrunk') });
  const { results } = await judge(sharing(service, settings), options);
  expect(brokenIn(results).filter((id) => id === 'ORG-ISOLATION')).toEqual(broken);
});
