import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { createVariant, inconclusiveOf } from '../../../fixtures/variants/variant.ts';
import { VARIATION_POINTS } from '../../../fixtures/variants/variation-points.ts';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { type Answer, call, validBody } from './caller.ts';
import { type Look, LOOKS as OF_POINTS } from './looks.ts';

const waits: number[] = [];
const wait = async (milliseconds: number): Promise<void> => {
  waits.push(milliseconds);
};
const options = { now: () => 1_700_000_000_000, wait };

const LOOKS: Readonly<Record<string, Look>> = {
  ...OF_POINTS,
  dialling: async (reference) => {
    waits.length = 0;
    return [(await call(reference, 'createCall')).status, ...waits];
  },
};

describe('the variation points of a lawful service', () => {
  test('are each looked at', () => {
    expect(Object.keys(LOOKS).toSorted()).toEqual(VARIATION_POINTS.map(({ name }) => name).toSorted());
  });

  test.each(VARIATION_POINTS)(
    'the choices of $name show, and the first is the reference',
    async ({ name, choices }) => {
      const look = LOOKS[name] ?? (async () => undefined);
      const shown = new Set<string>();
      for (const choice of choices)
        shown.add(JSON.stringify(await look(createVariant({ [name]: choice.name }, options))));
      expect([...shown]).toHaveLength(choices.length);
      expect(Object.keys(choices[0] ?? {})).toEqual(['name']);
      expect(JSON.stringify(await look(createReference(options)))).toBe([...shown][0]);
    },
  );

  test.each(VARIATION_POINTS)('$name keeps the envelope, and the types of a create call', async ({ name, choices }) => {
    const wrong = [{ from: 1 }, { to: null }, { privacy: 'yes' }, { codecs: ['a', 1] }, { variables: { a: 1 } }];
    for (const choice of choices) {
      for (const id of OPERATION_IDS) {
        const reference = createVariant({ [name]: choice.name });
        const answer = await call(reference, id, { token: 'pcs_org_WrongWrongWrongWrong1234' });
        expect([answer.status >= 400, isEnvelope(answer)], `${choice.name} ${id}`).toEqual([true, true]);
      }
      const expected = choice.name === 'no-call-creation' ? 403 : 400;
      for (const members of [...wrong, { trunk_id: 'word' }, { application_id: 3 }]) {
        const reference = createVariant({ [name]: choice.name });
        const body = { ...validBody(reference, 'createCall'), ...members };
        const { status } = await call(reference, 'createCall', { body });
        expect([choice.name, members, status]).toEqual([choice.name, members, expected]);
        expect(reference.inspect().callsAccepted).toBe(0);
      }
    }
  });
});

function isEnvelope({ json }: Answer): boolean {
  const { success, error } = Object(json) as { readonly success?: unknown; readonly error?: unknown };
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  return success === false && typeof code === 'string' && typeof message === 'string';
}

describe('a variant', () => {
  test('makes many choices at once', async () => {
    const choices = { 'refusal-status': '403', envelope: 'more-members', coding: 'gzip-always', framing: 'chunked' };
    const reference = createVariant(choices);
    const answer = await call(reference, 'getTrunk', { token: null });
    expect([answer.status, answer.headers['content-encoding'], answer.headers['transfer-encoding']]).toEqual([
      403,
      'gzip',
      'chunked',
    ]);
  });

  test('that answers 202 applies a later update on top of an earlier one', async () => {
    const reference = createVariant({ 'update-effect': 'later' });
    await call(reference, 'updateTrunk', { body: { name: 'Later' } });
    await call(reference, 'updateTrunk', { body: { direction: 'inbound' } });
    for (let count = 0; count < 3; count += 1) await call(reference, 'listNumbers');
    const expected = { name: 'Later', direction: 'inbound', status: 'active' };
    expect((await call(reference, 'getTrunk')).json).toMatchObject({ data: { trunk: expected } });
  });

  test('without choices is the reference service', async () => {
    const [variant, reference] = [createVariant({}), createReference()];
    expect(variant.settings).toEqual(reference.settings);
    expect((await call(variant, 'listTrunks')).text).toBe((await call(reference, 'listTrunks')).text);
  });

  const mixtures = Array.from({ length: 20 }, (_, turn) =>
    VARIATION_POINTS.map(
      ({ name, choices }, at) => [name, choices[(turn * (at + 1) + at) % choices.length]?.name ?? ''] as const,
    ),
  ).map((mixture, turn) => [turn, Object.fromEntries(mixture)] as const);

  test.each(mixtures)('of mixture %i answers each operation with a 2xx or the envelope', async (_, mixture) => {
    const reference = createVariant(mixture);
    for (const id of OPERATION_IDS) {
      const answer = await call(reference, id);
      expect(answer.status < 300 || isEnvelope(answer), `${id} ${answer.status}`).toBe(true);
      const rejected = await call(reference, id, { token: null });
      expect([rejected.status >= 400, isEnvelope(rejected)], `${id} ${rejected.status}`).toEqual([true, true]);
    }
  });

  test('throws a RangeError for an unknown variation point or choice', () => {
    expect(() => createVariant({ colour: 'red' })).toThrow(new RangeError('unknown variation point colour'));
    expect(() => createVariant({ coding: 'red' })).toThrow(
      new RangeError('the variation point coding has no choice red'),
    );
    expect(() => inconclusiveOf({ coding: 'red' })).toThrow(RangeError);
  });

  test('declares which cases its choices make impossible to judge, and no others', () => {
    const declared = VARIATION_POINTS.flatMap(({ name, choices }) =>
      choices.map((choice) => [{ [name]: choice.name }, choice.inconclusive ?? []] as const),
    );
    for (const [choices, cases] of declared) expect(inconclusiveOf(choices)).toEqual(cases);
  });
});
