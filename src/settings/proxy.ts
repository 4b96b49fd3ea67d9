/** Finds the proxy for a target in HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either letter case. */

import { BlockList, isIP } from 'node:net';
import type { RepeatedFlag } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { Variables } from './environment.ts';

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** An address without path or query, and without quotation marks around the host, which a URL may have. */
const PROXY = /^https?:\/\/(?:[^/@]*@)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?\/$/;

/** The variable in either letter case, the older lower case first; an empty variable counts as unset. */
function either(env: Variables, name: string): { readonly name: string; readonly text: string } | undefined {
  return [name.toLowerCase(), name]
    .map((spelled) => ({ name: spelled, text: env[spelled] ?? '' }))
    .find(({ text }) => text !== '');
}

const variableFor = ({ protocol }: URL, env: Variables) =>
  either(env, protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');

/** The flag of curl for a proxy: curl reads no upper-case HTTP_PROXY. One with a password stays in its variable. */
export function curlProxy(baseUrl: string, proxy: string, env: Variables): RepeatedFlag {
  const { username, password } = new URL(proxy);
  const { name: variable = '' } = variableFor(new URL(baseUrl), env) ?? {};
  return { flag: 'proxy', in: ['curl'], ...(username === '' && password === '' ? { value: proxy } : { variable }) };
}

/**
 * Address of the proxy for a target, or `undefined` for none. It may hold a user name and a password. Throws
 * `UsageError` if the variable is not an address.
 */
export function proxyFor(baseUrl: string, env: Variables): string | undefined {
  const url = new URL(baseUrl);
  const given = variableFor(url, env);
  if (given === undefined || isExempt(url, either(env, 'NO_PROXY')?.text ?? '')) return undefined;
  const [, scheme = 'http://', user, rest = ''] =
    /^\s*([a-z][a-z\d+.-]*:\/\/)?(?:(.*)@)?([^@]*)$/is.exec(given.text) ?? [];
  const text = scheme + (user === undefined ? '' : `${escapedUser(user)}@`) + rest;
  const proxy = URL.canParse(text) ? new URL(text).href : '';
  if (!PROXY.test(proxy)) {
    throw new UsageError(
      `${given.name} is not the address of an HTTP proxy`,
      'write it as in http://proxy.example:3128',
    );
  }
  return proxy;
}

/** User name and password, escaped for an address: `a#b@c%d` is often pasted unescaped, and `%40` is `@`. */
function escapedUser(user: string): string {
  const [name = '', ...password] = user.split(':');
  const escaped = (text: string): string => {
    try {
      return encodeURIComponent(decodeURIComponent(text));
    } catch {
      return encodeURIComponent(text);
    }
  };
  return password.length === 0 ? escaped(name) : `${escaped(name)}:${escaped(password.join(':'))}`;
}

/**
 * Entries of NO_PROXY: `*`, a host and its subdomains (a leading dot or `*.` and a final dot are optional), an address
 * in any spelling or ending in `*`, each with or without a port, or a range of addresses: clusters set 10.0.0.0/8.
 */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const port = url.port === '' ? DEFAULT_PORT[url.protocol] : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*' || isInRange(host, entry)) return true;
      const [, name = '', entryPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [undefined, entry];
      const bare = name.replace(/^\*?\./, '').replace(/\.$/, '');
      const isBelow = bare.endsWith('.*') && isIP(host) === 4 && host.startsWith(bare.slice(0, -1));
      const sameHost = host === bare || host.endsWith(`.${bare}`) || isBelow;
      return sameHost && (entryPort === undefined || entryPort === port);
    });
}

function isInRange(host: string, entry: string): boolean {
  const [, address = '', bits] = /^\[?([\da-f.:]+)\]?(?:\/(\d+))?$/.exec(entry) ?? [];
  const ip = host.replace(/^\[|\]$/g, '');
  const [family, most] = isIP(ip) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  if (isIP(ip) === 0 || isIP(address) !== isIP(ip) || Number(bits ?? most) > most) return false;
  const range = new BlockList();
  range.addSubnet(address, Number(bits ?? most), family);
  return range.check(ip, family);
}
