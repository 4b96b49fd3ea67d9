/** Whatever a target answers, no call is open at the end that the run does not name: by the target's own count. */

import { describe, expect, test } from 'vitest';
import type { ServiceRequest } from '../../fixtures/service/types.ts';
import { type Behaviour, callsLeft, json, type PlacedCall, reset } from './calls-named.ts';
import { followed, located, proveNoCallIsLost } from './chaotic-answers.ts';

const NONE_OPEN = { open: [], possiblyOpen: [], mostOpen: 1, unnamed: 0 };

describe('a create call', () => {
  test('that is answered 303 with Location placed a call, which is hung up and counted', async () => {
    const left = await callsLeft({ created: located });
    expect(left).toMatchObject({ ...NONE_OPEN, reported: left.placed });
    expect(left.placed).toBeGreaterThan(0);
    expect(left.placed).toBeLessThanOrEqual(12);
  });

  test('whose error envelope is followed by the call placed it, whatever was sent', async () => {
    const left = await callsLeft({ created: followed, rejected: followed });
    expect(left).toMatchObject({ ...NONE_OPEN, reported: left.placed });
    expect(left.placed).toBe(12);
  });

  test.each<[string, NonNullable<Behaviour['created']>, RegExp]>([
    ['without an answer', reset, /no complete response/],
    ['with a page of a gateway', () => ({ status: 503, headers: [], body: 'Later' }), /status 503 and no call id/],
    ['with a 201 that shows no id', () => json(201, '{}'), /status 201 and no call id/],
  ])('%s is not sent again, and after two no more calls are placed', async (_, created, sentence) => {
    const left = await callsLeft({ created });
    expect(left).toMatchObject({ placed: 2, reported: 0, unnamed: 0, verdict: expect.stringMatching(/^(in|non-)/) });
    expect(left.open).toHaveLength(2);
    expect(left.possiblyOpen).toEqual([expect.stringMatching(sentence), expect.stringMatching(sentence)]);
  });

  test('that shows the id of an earlier call shows none', async () => {
    let first: string | undefined;
    const left = await callsLeft({
      created: (id) => {
        first ??= id;
        return json(201, JSON.stringify({ success: true, data: { call: { id: first } } }));
      },
    });
    expect(left).toMatchObject({
      placed: 3,
      reported: 1,
      unnamed: 0,
      verdict: expect.not.stringMatching(/^conformant/),
    });
  });
});

describe('a hang-up', () => {
  test('that is answered 404 for nine seconds is tried again at the end', async () => {
    const left = await callsLeft({ hungUp: ({ age }) => (age < 9_000 ? json(404) : undefined) });
    expect(left).toMatchObject({ open: [], possiblyOpen: [], verdict: 'conformant' });
    expect(left.milliseconds).toBeLessThan(90_000);
  });

  test.each([409, 410])(
    'that finds that the callee hung up first is answered %i, and leaves nothing open',
    async (status) => {
      let count = 0;
      const ended = new Set<string>();
      const hungUp = ({ id, isOpen, end }: PlacedCall) => {
        if (isOpen && !ended.has(id)) {
          count += 1;
          // The suite ends every third call itself.
          if (count % 3 === 0) return undefined;
        }
        end();
        ended.add(id);
        return json(status);
      };
      expect(await callsLeft({ hungUp })).toMatchObject({ ...NONE_OPEN, placed: expect.any(Number) });
    },
  );

  test('that is answered 409 both while the call is set up and after it ended leaves nothing open', async () => {
    const left = await callsLeft({ hungUp: ({ age }) => (age < 20_000 ? json(409) : undefined) });
    expect(left).toMatchObject({ open: [], possiblyOpen: [], unnamed: 0, placed: 12 });
  });

  test.each([400, 411, 415])('without a body is answered %i, and is sent with one', async (status) => {
    const hungUp = (_: PlacedCall, { body }: ServiceRequest) => (body.length === 0 ? json(status) : undefined);
    expect(await callsLeft({ hungUp })).toMatchObject({ ...NONE_OPEN, placed: 12, verdict: 'non-conformant' });
  });

  test('is redirected to the other slash form, and is sent there', async () => {
    const hungUp = ({ end }: PlacedCall, { target }: ServiceRequest) => {
      if (!target.endsWith('/')) return { ...json(308, ''), headers: [['Location', `${target}/`]] as const };
      end();
      return json(200, '{}');
    };
    expect(await callsLeft({ hungUp })).toMatchObject({ ...NONE_OPEN, placed: 12, verdict: 'non-conformant' });
  });

  test('that the target forgot after the callee hung up leaves nothing open', async () => {
    let count = 0;
    const hungUp = ({ end }: PlacedCall) => {
      count += 1;
      if (count % 7 === 1) return undefined;
      end();
      return json(404);
    };
    expect(await callsLeft({ hungUp })).toMatchObject({ ...NONE_OPEN, verdict: 'conformant' });
  });

  test('that is answered 404 for ever, since the id is wrong, names the calls, and no more are placed', async () => {
    const left = await callsLeft({ hungUp: () => json(404) });
    expect(left).toMatchObject({ placed: 2, unnamed: 0, verdict: 'incomplete' });
    expect(left.open).toHaveLength(2);
  });

  test.each<[string, NonNullable<Behaviour['hungUp']>]>([
    ['a 500', () => json(500)],
    ['a 401', () => json(401)],
    ['no answer', reset],
  ])('that gets %s names the call, which is the last', async (_, hungUp) => {
    const left = await callsLeft({ hungUp });
    expect(left).toMatchObject({ placed: 1, unnamed: 0 });
    expect(left.possiblyOpen).toEqual([expect.stringContaining(left.open[0] ?? '?')]);
  });

  test('whose answer is lost is tried again, and what is learned of ended calls closes it', async () => {
    const lost = new Set<string>();
    const hungUp = ({ id, end }: PlacedCall) => {
      if (lost.has(id)) return undefined;
      lost.add(id);
      end();
      return reset();
    };
    expect(await callsLeft({ hungUp })).toMatchObject(NONE_OPEN);
  });
});

proveNoCallIsLost(Array.from({ length: 4 }, (_, seed) => seed));
