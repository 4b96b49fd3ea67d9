import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';
import { type Breach, breaches } from '../../../src/generate/breach.ts';
import { coveringSet } from '../../../src/generate/covering.ts';
import { dueKinds } from './due.ts';
import { misnamed, oracle, serialized } from './oracle.ts';
import { CALL_OPTIONS, SUBJECTS } from './subjects.ts';

const of = (list: readonly Breach[], pointer: string) => list.filter((breach) => breach.pointer === pointer);
const BASE = { from: '+15550100', to: '+15550101' };

describe.each(SUBJECTS)('breaches of $name', ({ schema, options, base }) => {
  const refusalsOf = oracle(schema);
  const list = breaches(schema, options);
  const bases = [base, ...coveringSet(schema, options).map(({ value }) => value)];

  test('each breaks every base in the named place alone', () => {
    for (const breach of list) {
      for (const valid of bases) {
        const broken = breach.apply(valid);
        if (broken === undefined) continue;
        for (const form of [broken, serialized(broken)]) {
          expect(misnamed(refusalsOf(form), breach.pointer, breach.keyword), breach.label).toEqual([]);
        }
      }
    }
  });

  test('each applies to some base, leaves the base alone and has a label of its own', () => {
    const before = JSON.stringify(bases);
    expect(list.filter((breach) => bases.every((valid) => breach.apply(valid) === undefined))).toEqual([]);
    expect(JSON.stringify(bases)).toBe(before);
    expect(new Set(list.map(({ label }) => label)).size).toBe(list.length);
  });

  test('every place is broken in every way that is due', () => {
    const given = list.map(({ pointer, kind }) => `${pointer} ${kind}`).sort();
    const lawful = dueKinds(schema).filter((due) => !/^\/(from|to) (string|fraction)$/.test(due));
    expect(given).toEqual(lawful.sort());
  });
});

describe('breaches of create call', () => {
  const schema = BODY_SCHEMAS['call-create'];
  const list = breaches(schema, CALL_OPTIONS);

  test('break a number in its own forms only', () => {
    expect(of(list, '/to').map(({ kind, apply }) => [kind, apply(BASE)])).toEqual([
      ['missing', { from: '+15550100' }],
      ['null', { ...BASE, to: null }],
      ['integer', { ...BASE, to: 15550101 }],
      ['boolean', { ...BASE, to: true }],
      ['array', { ...BASE, to: ['+15550101'] }],
      ['object', { ...BASE, to: {} }],
    ]);
  });

  test('leave out digits that a number cannot hold as they are', () => {
    for (const number of ['0123', '+999999999999999999999', 'anonymous']) {
      const kinds = of(breaches(schema, { fixed: { '/to': number, '/from': '+1' } }), '/to').map(({ kind }) => kind);
      expect(kinds).toEqual(['missing', 'null', 'boolean', 'array', 'object']);
    }
  });

  test('mark null as a leniency where the member may also be absent, and nowhere else', () => {
    const lenient = list.filter(({ leniency }) => leniency === 'null').map(({ pointer }) => pointer);
    expect(lenient).toEqual([
      '/variables',
      '/variables/*',
      '/privacy',
      '/dtmf_mode',
      '/codecs',
      '/codecs/-',
      '/media_encryption',
    ]);
  });

  test('put a wrong item or pair behind those already there', () => {
    const body = { ...BASE, codecs: ['PCMU'], variables: { extra: 'a' } };
    const broken = (pointer: string) =>
      of(list, pointer)
        .find(({ kind }) => kind === 'integer')
        ?.apply(body);
    expect(broken('/codecs/-')).toEqual({ ...body, codecs: ['PCMU', 15] });
    expect(broken('/variables/*')).toEqual({ ...body, variables: { extra: 'a', extra2: 15 } });
  });

  test('write a letter past f into an id of the pool, the length kept', () => {
    const pastF = of(list, '/application_id').find(({ kind }) => kind === 'past-f');
    const id = CALL_OPTIONS.pool['/application_id'][0] ?? '';
    expect(pastF?.apply(BASE)).toEqual({ ...BASE, application_id: `${id.slice(0, -1)}g` });
  });

  test("take the caller's wrong values, several or none, and refuse those that are not wrong", () => {
    const wrong = (values: object) => breaches(schema, { ...CALL_OPTIONS, wrong: { '/privacy': values } });
    expect(of(wrong({ string: ['yes', 'no'], null: [] }), '/privacy').map(({ label }) => label)).toEqual([
      '/privacy is a string',
      '/privacy is a string (2)',
      '/privacy is a number',
      '/privacy is an array',
      '/privacy is an object',
    ]);
    expect(() => wrong({ string: [true] })).toThrow('/privacy takes no true as a wrong value of kind string');
  });

  test('leave out what is kept out, with all below it', () => {
    const rest = breaches(schema, { ...CALL_OPTIONS, exclude: ['/variables'] });
    expect(rest.filter(({ pointer }) => pointer.startsWith('/variables'))).toEqual([]);
    expect(rest).toHaveLength(list.length - 10);
  });
});
