/** A target that answers from a record: the request has to be the recorded one, in every part. */

import { expect, test } from 'vitest';
import type { Place, SuiteRequest } from '../../../src/client/request.ts';
import { Admission } from '../../../src/client/safety/guard.ts';
import { type Admitted, tagOf } from '../../../src/client/wire.ts';
import { AS_RECORDED, bodyFacts } from '../../../src/exchange/facts.ts';
import { RecordedWire } from '../../../src/run/rerun.ts';
import { register, TRUNK } from '../client/id-samples.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const REQUEST = {
  ...{ operation: 'updateTrunk', method: 'PATCH', path: `/v1/trunks/${TRUNK}`, credential: 'valid', role: 'probe' },
  ...{ body: Buffer.from('{"name":"a"}'), contentType: null, asks: [], control: false, about: 'x' },
} as const satisfies SuiteRequest;
const PLACE: Place = { sequence: 's', attempt: 1 };
const HEADERS = [['Accept', '*/*'] as const, ['Authorization', 'Bearer x'] as const];

interface Changes {
  readonly request?: Partial<SuiteRequest>;
  readonly place?: Partial<Place>;
  readonly headers?: readonly (readonly [string, string])[];
  readonly endedEarly?: string;
}

/** What a wire says that has one recorded exchange, to that request. */
async function answerTo({ request = {}, place = {}, headers = HEADERS, endedEarly }: Changes = {}) {
  const options = { admission: new Admission() };
  const tag = tagOf(REQUEST, PLACE, register());
  const body = bodyFacts(REQUEST.body, { ...AS_RECORDED, keepText: true });
  const { path, method, credential } = REQUEST;
  const recorded = exchangeOf({ tag, request: { path, method, credential, headers: HEADERS.slice(0, 1), body } }, 6);
  const seen: number[] = [];
  const wire = new RecordedWire(
    { exchanges: [recorded], endedEarly: endedEarly ?? null, startedAt: 0 },
    false,
    options,
    (one) => seen.push(one.seq),
  );
  const asked = { request: { ...REQUEST, ...request }, place: { ...PLACE, ...place } };
  const admitted = { ...asked, tag: tagOf(asked.request, asked.place, register()), wire: { headers } };
  const [outcome] = await wire.exchange([admitted as unknown as Admitted]);
  const said = outcome?.status === 'rejected' ? String(outcome.reason) : `answered ${outcome?.value.seq}`;
  return { said, seen, unused: wire.unused.length, stopped: options.admission.stopped };
}

test('the recorded request is answered, and the credential is not compared', async () => {
  expect(await answerTo()).toEqual({ said: 'answered 7', seen: [7], unused: 0, stopped: null });
  expect((await answerTo({ headers: HEADERS.slice(0, 1) })).said).toBe('answered 7');
});

test.each<readonly [string, Changes]>([
  ['the method of request 7', { request: { method: 'PUT' } }],
  ['the path of request 7', { request: { path: '/v1/trunks/b' } }],
  ['the credential of request 7', { request: { credential: 'none' } }],
  ['the header of request 7', { headers: [['Accept', 'text/html']] }],
  ['the body of request 7', { request: { body: Buffer.from('{"name":"b"}') } }],
  ['the body of request 7', { request: { body: null } }],
  ['the tag of request 7', { request: { about: 'y' } }],
  ['of the sequence "other" has no recorded answer', { place: { sequence: 'other' } }],
  ['of the sequence "s" has no recorded answer', { place: { attempt: 2 } }],
  ['of the sequence "s" has no recorded answer', { place: { resend: 1 } }],
  ['of the sequence "s" has no recorded answer', { place: { replaces: 3 } }],
])('%s differs, and is not answered: %j', async (words, changes) => {
  const { said, seen, unused } = await answerTo(changes);
  expect([said, seen, unused]).toEqual([expect.stringContaining(words), [], 1]);
});

test('where the recorded run ended early, so does the rerun, but for its clean-up', async () => {
  const [elsewhere, endedEarly] = [{ sequence: 'other' }, 'the run was interrupted'];
  expect(await answerTo({ place: elsewhere, endedEarly })).toMatchObject({ stopped: endedEarly });
  const cleanUp = await answerTo({ place: { ...elsewhere, cleanUp: true }, endedEarly });
  expect(cleanUp).toMatchObject({ stopped: null, said: expect.stringContaining('has no recorded answer') });
});
