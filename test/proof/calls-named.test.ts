/** Whatever a target answers, no call is open at the end that the run does not name: by the target's own count. */

import { describe, expect, test } from 'vitest';
import type { ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { RUN_DEFAULTS } from '../../src/contract/settings.ts';
import { sampled } from '../sampled.ts';
import { type Behaviour, callsLeft, json, type PlacedCall, reset } from './calls-named.ts';
import { followed, located, proveNoCallIsLost } from './chaotic-answers.ts';

const timed = (status: number, seconds: number) => ({
  ...json(status),
  headers: [['Content-Type', 'application/json'] as const, ['Retry-After', String(seconds)] as const],
});
const showing = (more: object) => JSON.stringify({ success: false, error: { code: 'no', message: 'No.' }, ...more });

const NONE_OPEN = { open: [], possiblyOpen: [], mostOpen: 1, unnamed: 0 };

describe('a create call', () => {
  test('that is answered 303 with Location placed a call, which is hung up and counted', async () => {
    const left = await callsLeft({ created: located });
    expect(left).toMatchObject({ ...NONE_OPEN, reported: left.placed });
    expect(left.placed).toBeGreaterThan(0);
    expect(left.placed).toBeLessThanOrEqual(RUN_DEFAULTS.maxCalls);
  });

  test('whose error envelope is followed by the call placed it, whatever was sent', async () => {
    const left = await callsLeft({ created: followed, rejected: followed });
    expect(left).toMatchObject({ ...NONE_OPEN, reported: left.placed });
    expect(left.placed).toBe(RUN_DEFAULTS.maxCalls);
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

describe('a rejected create call', () => {
  const shown = sampled([409, 503], 2);

  test.each(shown.items)(`that shows a call with %i placed it, and it is hung up (${shown.words})`, async (status) => {
    const created = (id: string) => json(status, showing({ call_id: id }));
    const left = await callsLeft({ created });
    expect(left).toMatchObject({ ...NONE_OPEN, reported: left.placed });
    expect(left.placed).toBeGreaterThan(0);
    expect(left.placed).toBeLessThanOrEqual(RUN_DEFAULTS.maxCalls);
  });

  test('that shows a UUID in each error costs two hang-ups, and nothing stays open', async () => {
    let nth = 0;
    const errors = (_: string, reply: ServiceReply): ServiceReply => {
      nth += 1;
      const node = `6ba7b811-9dad-41d1-80b4-00c04fd4${String(nth).padStart(4, '0')}`;
      return { ...reply, body: showing({ node }) };
    };
    const left = await callsLeft({ refused: errors });
    expect(left).toMatchObject({ ...NONE_OPEN, verdict: 'conformant', placed: 12, reported: 12 });
    expect(nth).toBeGreaterThan(50);
    const honest = await callsLeft({});
    // The four calls of the other organization are hung up with its credential, and with ours.
    expect(left.hangUps).toBeLessThanOrEqual(honest.hangUps + 2 * (nth + 4));
  });

  test('that dials and is answered 503 places six calls at most, and each is named', async () => {
    const left = await callsLeft({ created: () => json(503) });
    expect(left).toMatchObject({ placed: 6, reported: 0, unnamed: 0, verdict: 'incomplete' });
    expect(left.possiblyOpen).toHaveLength(6);
  });

  test('that dials and is redirected to the other slash form places two calls at most', async () => {
    const created = () => ({ ...json(307, ''), headers: [['Location', '/v1/calls']] as const });
    expect(await callsLeft({ created })).toMatchObject({ placed: 2, unnamed: 0 });
  });

  test('is waited for where a 403 says when the line is free', async () => {
    let freeAt = 0;
    let early = 0;
    const left = await callsLeft({
      line: (now) => {
        if (now < freeAt) early += 1;
        return now < freeAt ? timed(403, 20) : undefined;
      },
      created: (_, reply, now) => {
        freeAt = now + 20_000;
        return reply;
      },
    });
    expect(left).toMatchObject({ ...NONE_OPEN, placed: 12, verdict: 'conformant' });
    // Each call meets a busy line once.
    expect(early).toBeLessThan(100);
  });
});

describe('a service that gives the same call again for the same request', () => {
  test('places one, which is hung up again, and nothing is unknown', async () => {
    const given = new Map<string, { readonly reply: ServiceReply; readonly at: number }>();
    const left = await callsLeft({
      replayed: (body, now) => {
        const known = given.get(body);
        return known !== undefined && now - known.at < 60_000 ? known.reply : undefined;
      },
      created: (_, reply, now, body) => {
        given.set(body, { reply, at: now });
        return reply;
      },
    });
    expect(left).toMatchObject({ ...NONE_OPEN, verdict: 'conformant' });
    expect(left.reported).toBeGreaterThan(left.placed);
  });
});

describe('an id', () => {
  const FORMS: readonly (readonly [string, (id: string) => string])[] = [
    ['with signs', (id) => `call@edge;n=${id.slice(0, 8)}/1`],
    ['of 210 characters', (id) => id.padEnd(210, '0')],
  ];
  const forms = sampled(FORMS, 2);

  test.each(forms.items)(`%s is hung up under response.payload (${forms.words})`, async (_, form) => {
    const created = (id: string) => json(201, JSON.stringify({ response: { payload: { id: form(id) } } }));
    expect(await callsLeft({ created, idOf: form })).toMatchObject({ ...NONE_OPEN, placed: 12 });
  });
});

describe('a hang-up', () => {
  const limited = sampled([409, 403, 423], 3);

  test.each(limited.items)(
    `that is answered %i with Retry-After is sent again then, and no call is placed (${limited.words})`,
    async (status) => {
      const hungUp = ({ age }: PlacedCall) => (age < 10_000 ? timed(status, 10) : undefined);
      const left = await callsLeft({ hungUp });
      expect(left).toMatchObject({ ...NONE_OPEN, placed: 12, reported: 12 });
      expect(left.hangUps).toBeLessThan(60);
    },
  );

  test('that is answered 404 for nine seconds is tried again at the end', async () => {
    const left = await callsLeft({ hungUp: ({ age }) => (age < 9_000 ? json(404) : undefined) });
    expect(left).toMatchObject({ open: [], possiblyOpen: [], verdict: 'conformant' });
    expect(left.milliseconds).toBeLessThan(120_000);
  });

  const first = sampled([409, 410], 2);

  test.each(first.items)(
    `that finds that the callee hung up first is answered %i, and leaves nothing open (${first.words})`,
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
    expect(left).toMatchObject({ open: [], possiblyOpen: [], unnamed: 0, placed: 13 });
  });

  const bare = sampled([411, 400, 415], 3);

  test.each(bare.items)(`without a body is answered %i, and is sent with one (${bare.words})`, async (status) => {
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
