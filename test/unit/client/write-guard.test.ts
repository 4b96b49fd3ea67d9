import { describe, expect, test } from 'vitest';
import { OPERATIONS, otherSlashForm, pathOf } from '../../../src/contract/operations.ts';
import { CALL, FOUND, RANDOM, ruleOf, TRUNK } from './id-samples.ts';

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
