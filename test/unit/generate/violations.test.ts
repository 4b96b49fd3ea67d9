import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';
import { coveringSet } from '../../../src/generate/covering.ts';
import { type Violation, violations } from '../../../src/generate/violations.ts';
import { dueKinds } from './due.ts';
import { misnamed, oracle, serialized } from './oracle.ts';
import { CALL_OPTIONS, SUBJECTS } from './subjects.ts';

const of = (list: readonly Violation[], pointer: string) => list.filter((violation) => violation.pointer === pointer);
const BASE = { from: '+15550100', to: '+15550101' };

describe.each(SUBJECTS)('violations of $name', ({ schema, options, base }) => {
  const rejectionsOf = oracle(schema);
  const list = violations(schema, options);
  const bases = [base, ...coveringSet(schema, options).map(({ value }) => value)];

  test('each makes every base invalid in the named place alone', () => {
    for (const violation of list) {
      for (const valid of bases) {
        const invalid = violation.apply(valid);
        for (const form of [invalid, serialized(invalid)]) {
          expect(misnamed(rejectionsOf(form), violation), violation.label).toEqual([]);
        }
      }
    }
  });

  test('each leaves the base unchanged and has its own label', () => {
    const before = JSON.stringify(bases);
    for (const { apply } of list) bases.map(apply);
    expect(JSON.stringify(bases)).toBe(before);
    expect(new Set(list.map(({ label }) => label)).size).toBe(list.length);
  });

  test('every place has every violation that its schema implies', () => {
    const given = list.map(({ pointer, kind }) => `${pointer} ${kind}`).sort();
    const lawful = dueKinds(schema).filter((due) => !/^\/(from|to) (string|fraction)$/.test(due));
    expect(given).toEqual(lawful.sort());
  });
});

describe('violations of create call', () => {
  const schema = BODY_SCHEMAS['call-create'];
  const list = violations(schema, CALL_OPTIONS);

  test('use only forms of a number itself', () => {
    expect(of(list, '/to').map(({ kind, apply }) => [kind, apply(BASE)])).toEqual([
      ['missing', { from: '+15550100' }],
      ['null', { ...BASE, to: null }],
      ['integer', { ...BASE, to: 15550101 }],
      ['boolean', { ...BASE, to: true }],
      ['array', { ...BASE, to: ['+15550101'] }],
      ['object', { ...BASE, to: {} }],
    ]);
  });

  test('leave out digits that a number cannot hold exactly', () => {
    for (const number of ['0123', '+999999999999999999999', 'anonymous']) {
      const kinds = of(violations(schema, { fixed: { '/to': number, '/from': '+1' } }), '/to').map(({ kind }) => kind);
      expect(kinds).toEqual(['missing', 'null', 'boolean', 'array', 'object']);
    }
  });

  test('mark null as tolerated where the place may also be absent, and nowhere else', () => {
    const tolerated = list.filter(({ tolerated }) => tolerated === 'null').map(({ pointer }) => pointer);
    expect(tolerated).toEqual([
      '/variables',
      '/variables/*',
      '/privacy',
      '/dtmf_mode',
      '/codecs',
      '/codecs/-',
      '/media_encryption',
    ]);
  });

  test('replace the middle one of the items or pairs already there', () => {
    const body = { ...BASE, codecs: ['PCMU', 'PCMA', 'G722'], variables: { key: 'a', more: 'b' } };
    const invalid = (pointer: string) =>
      of(list, pointer)
        .find(({ kind }) => kind === 'integer')
        ?.apply(body);
    expect(invalid('/codecs/-')).toEqual({ ...body, codecs: ['PCMU', 1_730_518_264, 'G722'] });
    expect(invalid('/variables/*')).toEqual({ ...body, variables: { key: 'a', more: 1_730_518_264 } });
    expect(of(list, '/codecs/-')[0]?.apply(BASE)).toEqual({ ...BASE, codecs: [null] });
  });

  test('write a letter past f into an id of the pool and keep its length', () => {
    const pastF = of(list, '/application_id').find(({ kind }) => kind === 'past-f');
    const id = CALL_OPTIONS.pool['/application_id'][0] ?? '';
    expect(pastF?.apply(BASE)).toEqual({ ...BASE, application_id: `${id.slice(0, -1)}g` });
  });

  test("take the caller's wrong values, several or none", () => {
    const wrong = { '/privacy': { string: ['yes', 'no', ''], null: [] } };
    expect(of(violations(schema, { ...CALL_OPTIONS, wrong }), '/privacy').map(({ label }) => label)).toEqual([
      '/privacy is a string',
      '/privacy is a string (2)',
      '/privacy is an empty string',
      '/privacy is a number',
      '/privacy is an array',
      '/privacy is an object',
    ]);
  });

  test('leave out excluded members with everything below them', () => {
    const rest = violations(schema, { ...CALL_OPTIONS, exclude: ['/variables'] });
    expect(rest.filter(({ pointer }) => pointer.startsWith('/variables'))).toEqual([]);
    expect(rest).toHaveLength(list.length - 10);
  });
});
