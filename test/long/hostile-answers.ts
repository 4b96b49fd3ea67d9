/** Services that answer as the reference does, and add to each JSON body what costs its reader most. */

import type { Service, ServiceReply } from '../../fixtures/service/types.ts';

/** What a target adds to its responses; `env`: settings that it takes advantage of. */
export interface HostileAnswers {
  readonly name: string;
  readonly wrap: (service: Service, credential: string) => Service;
  readonly env?: Readonly<Record<string, string>>;
}

const MEBIBYTE = 1024 * 1024;

/** A text of some length that repeats what it is given. */
const repeated = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length));

/** The body with one more member at the end; a body that is no object becomes one. */
function withMember(body: ServiceReply['body'], value: string): string {
  const text = String(body ?? '{}').trim();
  const inner = text.startsWith('{') ? text.slice(1, -1) : `"data":${text}`;
  return `{${inner}${inner.trim() === '' ? '' : ','}"x":${value}}`;
}

/** Which responses a value is added to: to success bodies where a list was asked for, without end. */
const KINDS = {
  errors: (reply: ServiceReply) => reply.status >= 400,
  lists: (reply: ServiceReply, target: string) => reply.status === 200 && /^\/v1\/(?:trunks|numbers)\/$/.test(target),
  everything: () => true,
} as const;

/** Adds a JSON value to every response of one kind. */
function adding(
  name: string,
  to: keyof typeof KINDS,
  writeValue: (credential: string) => string | (() => string),
  env?: Readonly<Record<string, string>>,
): HostileAnswers {
  return {
    name: `${name} in ${to}`,
    ...(env === undefined ? {} : { env }),
    wrap: (service, credential) => {
      const value = writeValue(credential);
      return async (request) => {
        const reply = await service(request);
        if (request.method === 'HEAD' || reply.body === null || !KINDS[to](reply, request.target)) return reply;
        return { ...reply, body: withMember(reply.body, typeof value === 'string' ? value : value()) };
      };
    },
  };
}

/** Objects in objects, and in the innermost so many members, each under a long name. */
function nestedNames(length: number, count: number): string {
  const name = (at: number): string => `"${at}${'n'.repeat(length)}"`;
  const members = Array.from({ length: count }, (_, at) => `${name(at)}:0`).join();
  return `${`{${name(0)}:`.repeat(28)}{${members}}${'}'.repeat(28)}`;
}

let uuids = 0;
const freshUuids = (count: number): string => {
  const fresh = Array.from({ length: count }, () => {
    uuids += 1;
    return `"${uuids.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000"`;
  });
  return `[${fresh.join()}]`;
};

/** Eight characters from each place of the secret part, each apart from the next. */
function fragmentsOf(credential: string, length: number): string {
  const secret = credential.replace(/^.*?org_/, '');
  const parts = Array.from({ length: secret.length - 8 }, (_, at) => secret.slice(at, at + 8));
  return repeated(`${parts.join(' ')} `, length);
}

const NUMBER = '47114711471147114711';
/** A run ends after a few bodies of more than one MiB where no list was asked for. */
const MOST = 1_000_000;
/** Less than the limit of 4 MiB, with what stands around it. */
const MOST_OF_LISTS = 3.9 * MEBIBYTE;

const listOf = (item: (at: number) => string, length: number): string => {
  const items: string[] = [];
  for (let [at, size] = [0, 0]; size < length; at += 1) {
    items.push(item(at));
    size += (items[at]?.length ?? 0) + 1;
  }
  return items.join();
};

/** What is costly at any length: the names say what a value consists of. */
const WITHOUT_END: readonly (readonly [name: string, writeValue: (length: number, credential: string) => string])[] = [
  ['fragments of secrets', (length, credential) => `"${fragmentsOf(credential, length)}"`],
  ['a list of fragments', (length, credential) => `["${fragmentsOf(credential, length).replaceAll(' ', '","')}"]`],
  ['small objects', (length) => `[${listOf(() => '{}', length)}]`],
  ['objects with an id', (length) => `[${listOf((at) => `{"id":${at}}`, length)}]`],
  ['objects of many shapes', (length) => `[${listOf((at) => `{"n${at}":0}`, length)}]`],
  ['numbers', (length) => `[${listOf(String, length)}]`],
  ['strings', (length) => `[${listOf(() => '"xy"', length)}]`],
  ['names', (length) => `{${listOf((at) => `"n${at}":0`, length)}}`],
  ['JSON escapes', (length) => `"${repeated('\\u0061', length)}"`],
  ['percent escapes of percent escapes', (length) => `"${repeated('%2541', length)}"`],
  ['HTML escapes', (length) => `"${repeated('&amp;', length)}"`],
  ['escaped quotes', (length) => `"${repeated('\\"', length)}"`],
  ['marks of other runs', (length) => `"${repeated('pcs-conformance 0123abcd ', length)}"`],
  ['lists in lists', (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`],
  ['placeholders', (length) => `"${repeated('⟦', length / 3)}"`],
];

const withErrors = (name: string, body: ServiceReply['body'], type: string): HostileAnswers => ({
  name,
  wrap: (service) => async (request) => {
    const reply = await service(request);
    return reply.status < 400 ? reply : { ...reply, headers: [['Content-Type', type]], body };
  },
});

/** Each of these took more memory or time than a run may take, or could. */
export const HOSTILE_ANSWERS: readonly HostileAnswers[] = [
  adding('nested names of 2 kB', 'errors', () => nestedNames(2_000, 170)),
  adding('nested names of 60 characters', 'errors', () => nestedNames(60, 170)),
  adding('messages of 60,000 characters', 'errors', () => `"${'x'.repeat(60_000)}"`),
  adding('messages of 15,000 bytes', 'errors', () => `"${'\u2028'.repeat(5_000)}"`),
  adding('60 kB of fragments of secrets', 'errors', (credential) => `"${fragmentsOf(credential, 60_000)}"`),
  adding(
    'a list with 15 kB of fragments',
    'errors',
    (credential) => `["${fragmentsOf(credential, 15_000).replaceAll(' ', '","')}"]`,
  ),
  withErrors('errors of 60,000 bytes that are not UTF-8', Buffer.alloc(60_000, 0xff), 'application/json'),
  withErrors('errors in 900 kB of text', 'no such thing: '.repeat(60_000), 'text/plain'),
  adding('20,000 fresh UUIDs', 'everything', () => () => freshUuids(20_000)),
  adding('fresh UUIDs', 'lists', () => () => freshUuids(170_000)),
  adding('a secret as a number and 10^6 colons', 'everything', () => `[${NUMBER},"${':'.repeat(MOST)}"]`, {
    PCS_INBOUND_SECRET: NUMBER,
  }),
  ...WITHOUT_END.flatMap(([name, writeValue]) => [
    adding(name, 'everything', (credential) => writeValue(MOST, credential)),
    adding(name, 'lists', (credential) => writeValue(MOST_OF_LISTS, credential)),
  ]),
];
