/** A search without available numbers may answer 503 for the whole run and still conform. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';

import { judge, optionsFrom } from '../../selftest/harness.ts';
import { casesOf } from '../../selftest/judged.ts';

const ENVELOPE = JSON.stringify({ success: false, error: { code: 'unavailable', message: 'Not now.' } });
const SEARCHED = /^\/v1\/numbers\/available(\?|$)/;
const SEARCH = ['PATH-SERVED/searchAvailableNumbers', 'SUCCESS-STATUS/searchAvailableNumbers'];

/** A service whose answers but 401 are of this status (of the nth of them) on these paths, and on these paths alone. */
function unavailableAt(paths: RegExp, statusOf: (nth: number) => number = () => 503) {
  const { service, settings } = createReference();
  let count = 0;
  const short: Service = async (request) => {
    const reply = await service(request);
    if (reply.status === 401 || !paths.test(request.target)) return reply;
    count += 1;
    return { status: statusOf(count), headers: [['Content-Type', 'application/json']], body: ENVELOPE };
  };
  return judge(short, optionsFrom(settings));
}

test('leaves its success not exercised and the target conformant', async () => {
  const { results } = await unavailableAt(SEARCHED);
  expect(results.verdict).toBe('conformant');
  expect(casesOf(results).filter(({ id }) => SEARCH.includes(id))).toMatchObject([
    { id: SEARCH[0], verdict: 'pass' },
    {
      id: SEARCH[1],
      verdict: 'not-exercised',
      reason: 'no numbers were available (status 503)',
      remedy: 'run again once the target can serve this request; the target says "Not now."',
    },
  ]);
});

test('excuses no other operation', async () => {
  const { results } = await unavailableAt(/^\/v1\/carrier-providers\//);
  expect(results.verdict).toBe('incomplete');
});

test('proves nothing where whatever is unknown is answered alike', async () => {
  const known = '(calls|voice-|carrier-|trunks|conferences|numbers/(?!available))';
  const { results } = await unavailableAt(new RegExp(`^/(?!v1/${known})`));
  expect(results.verdict).toBe('incomplete');
  expect(casesOf(results).filter(({ id, verdict }) => SEARCH.includes(id) && verdict === 'inconclusive')).toHaveLength(
    2,
  );
});
