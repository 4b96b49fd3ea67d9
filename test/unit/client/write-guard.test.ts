import { describe, expect, test } from 'vitest';
import type { KnownIds } from '../../../src/client/safety/create-outcome.ts';
import { OPERATIONS, otherSlashForm, pathOf } from '../../../src/contract/operations.ts';
import { CALL, CONNECTION, FOUND, RANDOM, register, ruleOf, TRUNK } from './id-samples.ts';

describe('write guard, routes', () => {
  test.each(OPERATIONS)('$id is sent to both slash forms of its path', (operation) => {
    const { method } = operation;
    const full = pathOf(
      operation,
      operation.resources.map(() => RANDOM),
    );
    expect([ruleOf(method, full), ruleOf(method, otherSlashForm(full))]).toEqual([null, null]);
  });

  test.each([
    ['PUT', `/v1/trunks/${TRUNK}`],
    ['POST', '/v1/trunks/'],
    ['PATCH', '/v1/trunks//'],
    ['POST', '/V1/calls/'],
    ['POST', `/v1/calls/${CALL}/transfer`],
    ['POST', `/v1/calls/${CALL}/hangup/x`],
  ])('%s %s is blocked', (method, path) => {
    expect(ruleOf(method, path)).toBe('undocumented-write');
  });

  test('no documented operation has another method, which would be sent', () => {
    expect([...new Set(OPERATIONS.map(({ method }) => method))].sort()).toEqual(['GET', 'PATCH', 'POST', 'PUT']);
  });

  test.each(['DELETE', 'TRACE', 'CONNECT', 'LINK', 'PROPPATCH', 'patch', 'get', ''])('%s is never sent', (method) => {
    const paths = [`/v1/trunks/${TRUNK}`, '/v1/trunks/', `/v1/calls/${CALL}/hangup`, '/v2/anything'];
    expect(paths.map((path) => ruleOf(method, path))).toEqual(paths.map(() => 'undocumented-write'));
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])('%s is sent to unknown routes and found ids', (method) => {
    expect([ruleOf(method, '/v2/anything'), ruleOf(method, `/v1/trunks/${FOUND}?x=..`)]).toEqual([null, null]);
  });

  test('a malformed id with an encoded slash is only read', () => {
    expect([ruleOf('GET', '/v1/trunks/a%2Fb'), ruleOf('PATCH', '/v1/trunks/a%2Fb')]).toEqual([
      null,
      'foreign-id-in-path',
    ]);
  });

  test('a write with a query is blocked', () => {
    expect(ruleOf('PATCH', `/v1/trunks/${TRUNK}?_method=DELETE`)).toBe('write-query');
  });

  test('two slashes in front are only read', () => {
    expect([ruleOf('GET', '//v1/trunks/'), ruleOf('PATCH', `//v1/trunks/${TRUNK}`)]).toEqual([null, 'path-form']);
  });

  test.each([
    ...['v1/trunks/', '', '//host/v1/trunks/', '/\\v1/trunks/', '/v1/a b', '/v1/é', '/v1/a#b', '/v1/a\n'],
    ...['http://x/v1/trunks/'],
  ])('a request for "%s" is blocked for its form', (path) => {
    expect([ruleOf('GET', path), ruleOf('PATCH', path)]).toEqual(['path-form', 'path-form']);
  });

  test.each([
    ...['/v1/../x', '/..', '/v1/.', '/v1/%2e%2e/x', '/v1/%252e%252e/x', '/v1/.%2E/x', '/v1/a%2F..%2F..', '/v1/..%5Cx'],
    ...['/v1/..;x/y', '/v1/..%00/x', '/v1/%u002e%u002e/x', '/v1/%c0%ae%c0%ae/x', '/v1/%EF%BC%8E%EF%BC%8E/x'],
    ...['/v1/.%20./x'],
  ])('a request for %s is blocked, as it leaves the base path', (path) => {
    expect([ruleOf('GET', path), ruleOf('PATCH', path)]).toEqual(['path-leaves-base', 'path-leaves-base']);
  });
});

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
  test.each([TRUNK, TRUNK.toUpperCase(), `0${TRUNK}`, RANDOM, RANDOM.replaceAll('-', ''), ...MALFORMED])(
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

  test.each([
    ['PATCH', `/v1/trunks//${TRUNK}`],
    ['PATCH', `/v1/trunks//${TRUNK.toUpperCase()}`],
    ['PUT', `/v1/carrier-connections//${CONNECTION}//inbound-auth`],
    ['POST', `/v1/calls//${CALL}//hangup`],
  ])('%s %s names ours between two slashes', (method, path) => {
    expect(ruleOf(method, path)).toBeNull();
  });

  test.each([
    ['PATCH', `/v1/trunks//${FOUND}`],
    ['PATCH', `/v1/trunks//${RANDOM}`],
    ['PATCH', `/v1/trunks//${CONNECTION}`],
    ['PATCH', '/v1/trunks//not-a-uuid'],
    ['PATCH', `/v1//trunks/${TRUNK}`],
    ['PATCH', `/v1/trunks///${TRUNK}`],
    ['PATCH', `/v1/trunks//${TRUNK}/x`],
    ['POST', '/v1//calls/'],
    ['POST', '/v1/calls//'],
  ])('%s %s is no spelling of the path of ours', (method, path) => {
    expect(ruleOf(method, path)).toBe('undocumented-write');
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
    `#${RANDOM}`,
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
    ids.sawInAnswer('{"trunk_id":" eight "}');
    expect(ids.allows('trunk', 'eight')).toBe(false);
  });

  test('a connection of others may get the number, and is never written to itself', () => {
    const ids = register();
    ids.addConnectionOfOthers(RANDOM.toUpperCase());
    const rights = [ids.allowsAssignment(RANDOM), ids.allows('carrierConnection', RANDOM), ids.allows('trunk', RANDOM)];
    expect(rights).toEqual([true, false, false]);
  });

  const OTHER_RANDOM = RANDOM.replace(/^.{8}/, '0f0f0f0f');

  test('the latest 200,000 ids are remembered, and the connection of others beyond', () => {
    const ids = register();
    ids.addConnectionOfOthers(OTHER_RANDOM);
    ids.sawInAnswer(RANDOM);
    const show = (from: number, to: number): void => {
      const shown = Array.from({ length: to - from }, (_item, at) => (from + at).toString(16).padStart(32, '0'));
      ids.sawInAnswer(shown.join(' '));
    };
    const allowed = (): readonly boolean[] => [RANDOM, OTHER_RANDOM, TRUNK].map((id) => ids.allows('trunk', id));
    show(0, 199_998);
    expect(allowed()).toEqual([false, false, true]);
    show(199_998, 450_000);
    expect(allowed()).toEqual([true, false, true]);
    ids.sawInAnswer(RANDOM);
    expect(allowed()).toEqual([false, false, true]);
    show(450_000, 649_000);
    expect(allowed()).toEqual([false, false, true]);
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

  test('a segment that decoders read differently is neither named nor allowed', () => {
    const ids = register();
    expect([ids.names('number', 'a%c0%afb'), ids.allows('number', 'a%c0%afb')]).toEqual([false, false]);
  });

  test('an id of the settings is allowed however often it is encoded', () => {
    const segments = ['number%2F7', 'number%252F7', 'number%25252F7'];
    expect(segments.map((segment) => register().allows('number', segment))).toEqual([true, true, true]);
  });

  test('an empty id is not that of a call, and a blank one that an answer shows does not claim it', () => {
    const ids = register();
    ids.addCall('');
    ids.sawInAnswer('{"blank_id":" "}');
    expect([ids.allows('call', ''), ids.allowsAssignment('')]).toEqual([false, true]);
  });

  test('the number may go back to the first hundred connections that a list showed for it', () => {
    const ids = register();
    expect(ids.allowsAssignment(FOUND)).toBe(false);
    ids.learn({ assignment: FOUND });
    const others = Array.from({ length: 100 }, (_item, at) => `${FOUND.slice(0, -3)}${at + 100}`);
    for (const assignment of others) {
      ids.sawInAnswer(assignment);
      ids.learn({ assignment });
    }
    ids.learn({ assignment: null });
    const allowed = [FOUND, ...others.slice(-2)].map((id) => ids.allowsAssignment(id));
    expect(allowed).toEqual([true, true, false]);
  });

  test('calls that an answer taught are those of the run', () => {
    const ids = register();
    ids.learn({ callIds: ['call-9'] });
    expect([ids.names('call', 'CALL-9'), ids.allows('call', 'call-9')]).toEqual([true, true]);
  });

  test('an id is known before a call is placed if the request holds it, an answer showed it, or a call has it', () => {
    const body = Buffer.from('{"application_id":"in-the-body"}');
    const known: KnownIds = (id) => register().knownBefore(id, { headers: [['X-Id', 'in-a-header']], body });
    const ids = ['in-the-body', 'in-a-header', FOUND, CALL, 'in-the', RANDOM, 'trunk-seven'];
    expect(ids.map((id) => known(id) !== 'new')).toEqual([true, true, true, true, false, false, false]);
    expect([CALL.toUpperCase(), FOUND].map((id) => known(id) === 'again')).toEqual([true, false]);
    const without: KnownIds = (id) => register().knownBefore(id, { headers: [], body: null });
    expect([FOUND, RANDOM].map((id) => without(id) !== 'new')).toEqual([true, false]);
  });

  test('an id of two letters and 32 digits that is ours, and shown, does not forbid itself between two letters', () => {
    const [ours, another] = ['CA', 'AC'].map((prefix) => `${prefix}${'0'.repeat(29)}101`);
    const ids = register();
    ids.addCall(ours ?? '');
    ids.sawInAnswer(`{"id":"${ours}","account_id":"${another}"}`);
    const rights = [ours, `z${ours}z`, another, `z${another}z`].map((id) => ids.allows('call', id ?? ''));
    expect(rights).toEqual([true, true, false, false]);
  });

  test('as if no answer had shown an id, made-up ones and those of calls are free, and those of the settings are not', () => {
    const ids = register();
    ids.sawInAnswer(RANDOM);
    const rights = (from: typeof ids) => [
      from.allows('trunk', RANDOM),
      from.allows('trunk', CALL),
      from.allows('trunk', CONNECTION),
      from.allows('trunk', TRUNK),
      from.allows('call', CALL),
    ];
    expect(rights(ids)).toEqual([false, false, false, true, true]);
    expect(rights(ids.withoutSeen())).toEqual([true, true, false, true, true]);
  });
});
