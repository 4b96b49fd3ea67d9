import { describe, expect, test } from 'vitest';
import { readHeaders } from '../../../src/settings/kinds.ts';
import { proxyFor } from '../../../src/settings/proxy.ts';

const HTTP = { HTTP_PROXY: 'http://proxy.invalid:3128', HTTPS_PROXY: 'https://user:word@proxy.invalid' };

describe('the proxy of a target', () => {
  test.each([
    ['http://api.invalid', HTTP, 'http://proxy.invalid:3128/'],
    ['https://api.invalid', HTTP, 'https://user:word@proxy.invalid/'],
    ['http://api.invalid', { http_proxy: 'proxy.invalid:80', HTTP_PROXY: 'http://other' }, 'http://proxy.invalid/'],
    ['https://api.invalid', { HTTP_PROXY: 'http://proxy.invalid' }, undefined],
    ['http://api.invalid', { HTTP_PROXY: '' }, undefined],
    ['http://api.invalid', { HTTP_PROXY: 'http://ann:a%40b@proxy.invalid' }, 'http://ann:a%40b@proxy.invalid/'],
    ['http://api.invalid', { HTTP_PROXY: 'http://ann:12#3@4@proxy.invalid' }, 'http://ann:12%233%404@proxy.invalid/'],
    ['http://api.invalid', { HTTP_PROXY: 'ann:1/2?3:4@proxy.invalid:8' }, 'http://ann:1%2F2%3F3%3A4@proxy.invalid:8/'],
    ['http://api.invalid', { HTTP_PROXY: 'http://ann:50%@proxy.invalid' }, 'http://ann:50%25@proxy.invalid/'],
    ['http://api.invalid', { HTTP_PROXY: 'http://ann%zz@proxy.invalid' }, 'http://ann%25zz@proxy.invalid/'],
  ])('%s with %j is %s', (url, env, proxy) => {
    expect(proxyFor(url, env)).toBe(proxy);
  });

  test.each([
    ['http://api.invalid', '*'],
    ['http://api.invalid', 'other.invalid, API.invalid'],
    ['http://a.b.api.invalid', '.api.invalid'],
    ['http://a.b.api.invalid', '*.api.invalid'],
    ['http://api.invalid:8080', 'api.invalid:8080'],
    ['http://127.0.0.1:1', '127.0.0.1'],
    ['http://[::1]:1', '::1'],
    ['http://[::1]:1', '[::1]:1'],
    ['http://127.0.0.1:8080', '127.0.0.0/8'],
    ['http://10.1.2.3', 'localhost,10.0.0.0/8,.svc'],
    ['http://10.1.2.3', '10.1.2.3/32'],
    ['http://[fd00::1]', 'fd00::/8'],
    ['http://[::1]', '0:0:0:0:0:0:0:1'],
    ['http://192.168.7.9', '192.168.*'],
    ['http://api.invalid.', 'api.invalid'],
    ['http://api.invalid', '.invalid.'],
  ])('is not used for %s if NO_PROXY is %s', (url, list) => {
    expect(proxyFor(url, { ...HTTP, NO_PROXY: list })).toBeUndefined();
  });

  test.each([
    ['http://api.invalid', 'pi.invalid'],
    ['http://api.invalid:8080', 'api.invalid:80'],
    ['http://api.invalid', 'api.invalid.example'],
    ['http://api.invalid', ','],
    ['http://api.invalid', '.'],
    ['http://api.invalid', 'api.*'],
    ['http://10.1.2.3', '11.1.*'],
    ['http://10.1.2.3', '10.1.2.30'],
    ['http://11.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '10.0.0.0/33'],
    ['http://10.1.2.3', '::/0'],
    ['http://api.example', '0.0.0.0/0'],
  ])('is used for %s if NO_PROXY is %s', (url, list) => {
    expect(proxyFor(url, { ...HTTP, NO_PROXY: list })).toBe('http://proxy.invalid:3128/');
  });

  test.each([
    ...['socks5://user:word@proxy.invalid', 'http://user:word@proxy:port', 'http://', 'word@', 'http://a word'],
    // An env-file of Docker keeps quotes, and a desktop names a script.
    ...['"http://proxy.invalid:3128"', "'proxy.invalid'", 'http://proxy.invalid/word.pac', 'http://proxy.invalid?word'],
  ])('is rejected in one sentence, without its password, if it is not an address: %s', (text) => {
    expect(() => proxyFor('http://api.invalid', { HTTP_PROXY: text })).toThrow(
      /^HTTP_PROXY is not the address of an HTTP proxy: (?!.*word)[^\n]*$/,
    );
  });
});

describe('extra header fields', () => {
  test('are read line by line, with commas and colons in values', () => {
    expect(readHeaders('X-Key: a, b: c\n\nX-Other:d \nUser-Agent: QA/1')).toEqual({
      value: [
        ['X-Key', 'a, b: c'],
        ['X-Other', 'd'],
        ['User-Agent', 'QA/1'],
      ],
    });
  });

  test.each(['', 'X-Key', 'X-Key:', 'X Key: a', 'X-Key: é', 'Host: a', 'content-LENGTH: 1', 'X-Original-URL: /'])(
    'rejects %j',
    (text) => {
      expect(readHeaders(text)).toHaveProperty('wrong');
    },
  );
});
