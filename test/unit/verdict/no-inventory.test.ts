/** A search without available numbers may answer 503 for the whole run and still conform. */

import { expect, test } from 'vitest';
import { ENVELOPE, json } from '../../../fixtures/null/replies.ts';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { narrowed } from '../../sampled.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { casesOf } from '../../selftest/judged.ts';

const SEARCHED = /^\/v1\/numbers\/available(\?|$)/;
const SEARCH = ['PATH-SERVED/searchAvailableNumbers', 'SUCCESS-STATUS/searchAvailableNumbers'];

const SEARCHING = narrowed('PATH-SERVED', 'SUCCESS-STATUS', 'LIST-STATUS');

/** A run against a service that answers 503 on these paths, unless it answers 401. */
function unavailableAt(paths: RegExp, asked: Partial<RunOptions> = SEARCHING) {
  const { service, settings } = createReference();
  const short: Service = async (request) => {
    const reply = await service(request);
    if (reply.status === 401 || !paths.test(request.target)) return reply;
    return json(503, ENVELOPE);
  };
  return judge(short, optionsFrom(settings, asked));
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
      remedy: 'run again once the target can serve this request; the target says "Nothing is here."',
    },
  ]);
});

test('excuses no other operation', async () => {
  const { results } = await unavailableAt(/^\/v1\/carrier-providers\//);
  expect(results.verdict).toBe('incomplete');
});

test('proves nothing where whatever is unknown is answered alike', async () => {
  const known = '(calls|voice-|carrier-|trunks|conferences|numbers/(?!available))';
  // Only a whole run asks for what is unknown.
  const { results } = await unavailableAt(new RegExp(`^/(?!v1/${known})`), {});
  expect(results.verdict).toBe('incomplete');
  expect(casesOf(results).filter(({ id, verdict }) => SEARCH.includes(id) && verdict === 'inconclusive')).toHaveLength(
    2,
  );
});
