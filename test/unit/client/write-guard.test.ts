import { describe, expect, test } from 'vitest';
import { IdRegister } from '../../../src/client/id-register.ts';
import { operationOf, writeGuard } from '../../../src/client/write-guard.ts';
import { OPERATIONS, otherSlashForm, pathOf, type ResourceKind } from '../../../src/contract/operations.ts';

const TRUNK = '11111111-2222-4333-8444-555555555555';
const CONNECTION = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const CALL = '99999999-8888-4777-8666-555555555555';
const FOUND = 'deadbeef-dead-4eef-8ead-beefdeadbeef';
const RANDOM = '0b5c1d2e-3f4a-4b6c-8d7e-9f0a1b2c3d4e';

function register(): IdRegister {
  const ids = new IdRegister(
    new Map<ResourceKind, readonly string[]>([
      ['trunk', [TRUNK]],
      ['carrierConnection', [CONNECTION]],
      ['number', ['number/7']],
    ]),
  );
  ids.addCall(CALL);
  ids.sawInAnswer(`{"items":[{"id":"${FOUND.toUpperCase()}"},{"trunk_id":"trunk-seven"},{"id":42}]}`);
  return ids;
}

function ruleOf(method: string, path: string, body: string | null = null): string | null {
  return (
    writeGuard({ method, path, body: body === null ? null : Buffer.from(body, 'latin1') }, register())?.rule ?? null
  );
}

describe('write guard, routes', () => {
  test.each(OPERATIONS)('$id leaves on both slash forms of its path', ({ method, path, resources }) => {
    const ids = resources.map(() => RANDOM);
    const full = pathOf({ ...OPERATIONS[0], path, resources } as never, ids);
    expect([ruleOf(method, full), ruleOf(method, otherSlashForm(full))]).toEqual([null, null]);
  });

  test.each([
    ['DELETE', `/v1/trunks/${TRUNK}`],
    ['PUT', `/v1/trunks/${TRUNK}`],
    ['patch', `/v1/trunks/${TRUNK}`],
    ['POST', '/v1/trunks/'],
    ['PATCH', '/v1/trunks//'],
    ['POST', '/V1/calls/'],
    ['POST', `/v1/calls/${CALL}/transfer`],
    ['POST', `/v1/calls/${CALL}/hangup/x`],
    ['TRACE', '/v1/trunks/'],
    ['get', '/v1/trunks/'],
  ])('%s %s stays', (method, path) => {
    expect(ruleOf(method, path)).toBe('undocumented-write');
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])('%s goes to unknown routes and found ids', (method) => {
    expect([ruleOf(method, '/v2/anything'), ruleOf(method, `/v1/trunks/${FOUND}?x=..`)]).toEqual([null, null]);
  });

  test('malformed ids with an encoded slash are only read', () => {
    expect([ruleOf('GET', '/v1/trunks/a%2Fb'), ruleOf('PATCH', '/v1/trunks/a%2Fb')]).toEqual([
      null,
      'foreign-id-in-path',
    ]);
  });

  test('a write carries no query', () => {
    expect(ruleOf('PATCH', `/v1/trunks/${TRUNK}?_method=DELETE`)).toBe('write-query');
  });

  test.each([
    'v1/trunks/',
    '',
    '//v1/trunks/',
    '/\\v1/trunks/',
    '/v1/a b',
    '/v1/é',
    '/v1/a#b',
    '/v1/a\n',
    'http://x/v1/trunks/',
  ])('GET of "%s" stays for its form', (path) => {
    expect(ruleOf('GET', path)).toBe('path-form');
  });

  test.each([
    ...['/v1/../x', '/..', '/v1/.', '/v1/%2e%2e/x', '/v1/%252e%252e/x', '/v1/.%2E/x', '/v1/a%2F..%2F..', '/v1/..%5Cx'],
    ...[
      '/v1/..;x/y',
      '/v1/..%00/x',
      '/v1/%u002e%u002e/x',
      '/v1/%c0%ae%c0%ae/x',
      '/v1/%EF%BC%8E%EF%BC%8E/x',
      '/v1/.%20./x',
    ],
  ])('GET of %s stays below the base', (path) => {
    expect(ruleOf('GET', path)).toBe('path-leaves-base');
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
  test.each([...SPELLINGS, ...WITHIN, 'TRUNK-seven', '42'])('the found trunk %s is not', (id) => {
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
  test.each([...UNSAFE, ...NOT_RANDOM])('the id %s is not', (id) => {
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
    'the connection %s is named',
    (id) => {
      expect(assign(holding(id))).toBeNull();
    },
  );

  test.each([FOUND, FOUND.replaceAll('-', ''), `{${FOUND}}`, FOUND.replace('d', '\\u0064'), TRUNK, '1-2-3-4-5'])(
    'the connection %s is not',
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
  ])('the body %s leaves', (body) => {
    expect(assign(body)).toBeNull();
  });

  test('a found id stays in a body that cannot be read, and in a list', () => {
    const rules = [`#${FOUND}`, `{a=${FOUND.replaceAll('-', '_')}}`, `#${CALL}`, `["${FOUND}"]`].map(assign);
    expect(rules).toEqual(Array(4).fill('foreign-id-in-body'));
  });

  test('other operations write bodies as they are', () => {
    expect(ruleOf('PATCH', `/v1/trunks/${TRUNK}`, holding(FOUND))).toBeNull();
  });
});

describe('operationOf', () => {
  test.each(OPERATIONS)('finds $id by its method and path', (operation) => {
    const ids = operation.resources.map((_kind, at) => `id-${at}`);
    const path = pathOf(operation, ids);
    expect(operationOf(operation.method, `${path}?a=/b`)).toEqual({ operation: operation.id, documented: true, ids });
    expect(operationOf(operation.method, otherSlashForm(path))).toEqual({
      operation: operation.id,
      documented: false,
      ids,
    });
  });

  test('finds nothing elsewhere', () => {
    const nowhere = [
      operationOf('HEAD', '/v1/trunks/'),
      operationOf('GET', '/v1/trunks//'),
      operationOf('GET', '/v1/trunks/a/b'),
    ];
    expect(nowhere).toEqual([null, null, null]);
  });
});

describe('id register', () => {
  test('an id that is seen later is no longer made up', () => {
    const ids = register();
    expect(ids.allows('trunk', RANDOM)).toBe(true);
    ids.sawInAnswer(`{"a":"${RANDOM.replaceAll('-', '\\u002d')}"}`);
    expect(ids.allows('trunk', RANDOM)).toBe(false);
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
