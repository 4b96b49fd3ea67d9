import { describe, expect, test } from 'vitest';
import { CALL, CONNECTION, FOUND, RANDOM, register, ruleOf, TRUNK } from './id-samples.ts';

describe('write guard, ids', () => {
  const MALFORMED = [
    'not-a-uuid',
    'x',
    '%00',
    '%22',
    "'",
    'a%3Fb',
    'z'.repeat(300),
    'a'.repeat(10_000),
    `${RANDOM.slice(0, -1)}g`,
    '%zz',
  ];
  test.each([TRUNK, TRUNK.toUpperCase(), RANDOM, RANDOM.replaceAll('-', ''), ...MALFORMED])(
    'the trunk %s is written to',
    (id) => {
      expect(ruleOf('PATCH', `/v1/trunks/${id}`)).toBeNull();
    },
  );

  const bare = FOUND.replaceAll('-', '');
  const SPELLINGS = [
    FOUND,
    FOUND.toUpperCase(),
    bare,
    `%7B${FOUND}%7D`,
    `{${bare}}`,
    `urn:uuid:${FOUND}`,
    `${FOUND}%00`,
  ];
  const WITHIN = [
    `x${FOUND}`,
    `f${bare}`,
    FOUND.replace('d', '%64'),
    FOUND.replace('d', '%2564'),
    `%20${FOUND}`,
    `${FOUND};a`,
  ];
  test.each([...SPELLINGS, ...WITHIN, 'TRUNK-seven', '42'])('the found trunk %s is not written to', (id) => {
    expect(ruleOf('PATCH', `/v1/trunks/${id}`)).toBe('foreign-id-in-path');
  });

  const UNSAFE = ['a%2Fb', 'a%252Fb', 'a%5Cb', 'a\\b', 'a%EF%BC%8Fb', 'a%c0%afb'];
  const NOT_RANDOM = [
    '00000000-0000-0000-0000-000000000000',
    RANDOM.replace('-4', '-1'),
    '1-2-3-4-5',
    CONNECTION,
    CALL,
  ];
  test.each([...UNSAFE, ...NOT_RANDOM])('the id %s is not written to', (id) => {
    expect(ruleOf('PATCH', `/v1/trunks/${id}`)).not.toBeNull();
  });

  test('calls of the run are controlled, found ones are not', () => {
    const rules = [CALL, FOUND, TRUNK].map((id) => ruleOf('POST', `/v1/calls/${id}/hangup`));
    expect(rules).toEqual([null, 'foreign-id-in-path', 'foreign-id-in-path']);
  });

  test('an id of the settings may hold an encoded slash', () => {
    expect(ruleOf('PUT', '/v1/numbers/number%2F7/carrier-connection')).toBeNull();
  });

  test('each id of a path counts', () => {
    const path = (conference: string, participant: string) =>
      `/v1/conferences/${conference}/participants/${participant}/mute`;
    const rules = [path(RANDOM, RANDOM), path(FOUND, RANDOM), path(RANDOM, FOUND)].map((each) => ruleOf('POST', each));
    expect(rules).toEqual([null, 'foreign-id-in-path', 'foreign-id-in-path']);
  });
});

describe('write guard, assignment body', () => {
  const assign = (body: string | null) => ruleOf('PUT', `/v1/numbers/${RANDOM}/carrier-connection`, body);
  const holding = (id: string) => `{"carrier_connection_id":"${id}"}`;

  test.each([CONNECTION, CONNECTION.toUpperCase(), RANDOM, 'not-a-uuid', `${RANDOM.slice(0, -1)}g`])(
    'the connection %s may be named',
    (id) => {
      expect(assign(holding(id))).toBeNull();
    },
  );

  test.each([FOUND, FOUND.replaceAll('-', ''), `{${FOUND}}`, FOUND.replace('d', '\\u0064'), TRUNK, '1-2-3-4-5'])(
    'the connection %s may not be named',
    (id) => {
      expect(assign(holding(id))).toBe('foreign-id-in-body');
    },
  );

  test.each([
    null,
    '',
    '{}',
    '[]',
    '{"carrier_connection_id":null}',
    '{"carrier_connection_id":',
    'not: json',
    "{'a'=1}",
  ])('the body %s is sent', (body) => {
    expect(assign(body)).toBeNull();
  });

  test('an id that is not ours is blocked in a body that cannot be parsed, and in a list', () => {
    const rules = [
      `#${FOUND}`,
      `{a=${FOUND.replaceAll('-', '_')}}`,
      `#${CALL}`,
      '#00000000-0000-1000-8000-000000000001',
      `["${FOUND}"]`,
    ].map(assign);
    expect(rules).toEqual(Array(5).fill('foreign-id-in-body'));
  });

  test('other operations write bodies as they are', () => {
    expect(ruleOf('PATCH', `/v1/trunks/${TRUNK}`, holding(FOUND))).toBeNull();
  });
});

describe('id register', () => {
  test('an id that is seen later is no longer made up', () => {
    const ids = register();
    expect(ids.allows('trunk', RANDOM)).toBe(true);
    ids.sawInAnswer(`{"a":"${RANDOM.replaceAll('-', '\\u002d')}"}`);
    expect(ids.allows('trunk', RANDOM)).toBe(false);
  });

  test('a connection of others may get the number, and is never written to itself', () => {
    const ids = register();
    ids.addConnectionOfOthers(RANDOM.toUpperCase());
    const rights = [ids.allowsAssignment(RANDOM), ids.allows('carrierConnection', RANDOM), ids.allows('trunk', RANDOM)];
    expect(rights).toEqual([true, false, false]);
  });

  test('once too many ids were seen, no random one is trusted', () => {
    const ids = register();
    const many = Array.from({ length: 500_000 }, (_item, at) => at.toString(16).padStart(32, '0'));
    ids.sawInAnswer(many.join(' '));
    expect([ids.allows('trunk', RANDOM), ids.allows('trunk', TRUNK)]).toEqual([false, true]);
  });

  test('names are those of the settings and the calls, whatever their letter case', () => {
    const ids = register();
    const named = [ids.names('trunk', TRUNK.toUpperCase()), ids.names('call', CALL), ids.names('number', 'number%2F7')];
    expect(named).toEqual([true, true, true]);
    const others = [
      ids.names('trunk', RANDOM),
      ids.names('call', TRUNK),
      ids.names('trunk', TRUNK.replaceAll('-', '')),
    ];
    expect(others).toEqual([false, false, false]);
  });
});
