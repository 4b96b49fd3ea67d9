/** Lawful services with unusual habits, each put in front of the reference service. */

import type { Gateway, Surroundings } from '../../fixtures/gateways/gateways.ts';
import { ENVELOPE, json, PAGE, text } from '../../fixtures/null/replies.ts';
import { match } from '../../fixtures/service/routes.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { decoded } from '../../fixtures/variants/ids.ts';
import { isObject, parsedJson } from '../../src/exchange/json-text.ts';

type Reply = (reply: ServiceReply, request: ServiceRequest) => ServiceReply;

const isCreate = ({ method, target }: ServiceRequest): boolean => method === 'POST' && target === '/v1/calls/';
const isAccepted = ({ status }: ServiceReply): boolean => status < 300;
const jsonOf = ({ body }: ServiceReply) => JSON.parse(String(body));

/** Answers requests with a valid credential in its own way. */
const authorized =
  (answer: (request: ServiceRequest, service: Service) => Promise<ServiceReply> | ServiceReply): Gateway =>
  ({ isValid }) =>
  (service) =>
  async (request) =>
    isValid(request) ? answer(request, service) : service(request);

const replying = (reply: Reply) => authorized(async (request, service) => reply(await service(request), request));

/** Adds members to every object that is sent: they are not data of a record, even in a rejection. */
const withMore =
  (more: object): Gateway =>
  () =>
  (service) =>
  async (request) => {
    const reply = await service(request);
    const body = parsedJson(String(reply.body ?? ''));
    return isObject(body) ? { ...reply, body: JSON.stringify({ ...body, ...more }) } : reply;
  };

/** Ids of calls in a form of its own; `isInLocation`: only `Location` shows them, percent-encoded. */
function withCallIds(formOf: (id: string, count: number) => string | number, isInLocation = false): Gateway {
  return () => (service) => {
    const ids = new Map<string, string>();
    return async (request) => {
      const target = request.target.replace(/(?<=^\/v1\/calls\/)[^/]+/, (id) => ids.get(decoded(id)) ?? id);
      const reply = await service({ ...request, target });
      if (!isCreate(request) || !isAccepted(reply)) return reply;
      const { id } = jsonOf(reply).data.call;
      const form = formOf(id, ids.size + 1_041);
      ids.set(String(form), id);
      if (!isInLocation) return json(reply.status, { object: 'call', id: form, attempts: ids.size });
      const headers = [['Location', `/v1/calls/${encodeURIComponent(form)}`]] as const;
      return { status: reply.status, headers, body: null };
    };
  };
}

/** Reads the members of a PATCH in its own way; `null` rejects them. `isPartial`: the answer shows what was written, alone. */
const withMembers = (read: (members: Readonly<Record<string, unknown>>) => object | null, isPartial = false): Gateway =>
  authorized(async (request, service) => {
    const members: unknown = request.method === 'PATCH' ? parsedJson(Buffer.from(request.body).toString()) : undefined;
    if (!isObject(members)) return service(request);
    const taken = read(members);
    if (taken === null) return json(422, ENVELOPE);
    const reply = await service({ ...request, body: Buffer.from(JSON.stringify(taken)) });
    return isPartial && isAccepted(reply) && Object.keys(taken).length > 0 ? json(reply.status, taken) : reply;
  });

/** A route behind all others that answers whatever has no route with 200, whatever the method. */
const catchAll =
  (reply: ServiceReply): Gateway =>
  () =>
  (service) =>
  async (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    return match(method, request.target).kind === 'operation' ? service(request) : reply;
  };

/** The 16 bytes of a UUID behind three others, in base64: it begins with two slashes. */
const inBase64 = (id: string): string => Buffer.from(`fffbff${id.replaceAll('-', '')}`, 'hex').toString('base64');

const failure = (code: string) => ({ success: false, error: { code, message: code } });

/** The name and the variables in the body of a request. */
function textsIn({ body }: ServiceRequest): readonly string[] {
  const members = parsedJson(Buffer.from(body).toString());
  if (!isObject(members)) return [];
  const { name, variables } = members;
  const pairs = isObject(variables) ? Object.entries(variables).flat() : [];
  return [name, ...pairs].filter((text) => typeof text === 'string');
}

/** Answers three reads of a trunk with the same credential from a cache before it looks again. */
export function caching(surroundings: Surroundings): (service: Service) => Service {
  const kept = new Map<string, { readonly reply: ServiceReply; reads: number }>();
  return authorized(async (request, service) => {
    if (request.method !== 'GET' || !/trunks\/./.test(request.target)) return service(request);
    const key = `${request.headers['authorization']} ${request.target}`;
    const cached = kept.get(key);
    if (cached !== undefined && cached.reads < 3) {
      cached.reads += 1;
      return cached.reply;
    }
    const reply = await service(request);
    kept.set(key, { reply, reads: 0 });
    return reply;
  })(surroundings);
}

/** A habit of a service, and its name. */
export type Habit = readonly [name: string, habit: Gateway];

const LOST_IN_ANY_ROW: readonly Habit[] = [
  ['a page for whatever has no route', catchAll(text(200, 'text/html', PAGE))],
  ['an object for whatever has no route', catchAll(json(200, { service: 'pcs' }))],
  ['ids of calls in base64, in Location alone', withCallIds(inBase64, true)],
  [
    'numbers as text, and the caller as an object',
    replying((reply) => {
      const written = String(reply.body ?? '').replace(/("ring_timeout_seconds":)(\d+)/g, '$1"$2 s"');
      const body = written.replace(/("caller_id":)("[^"]*")/g, '$1{"number":$2}');
      return reply.body === null || !isAccepted(reply) ? reply : { ...reply, body };
    }),
  ],
  [
    'updates of one field at a time, which the answer shows alone',
    withMembers((members) => (Object.keys(members).length > 1 ? null : members), true),
  ],
  ['ids of calls with an escape in them', withCallIds((id) => `${id.slice(0, 8)}%2F${id.slice(24)}`)],
];

/** Habits that a run once took for a defect, an open call or a value left behind: it is conformant, and nothing is left. */
export const ONCE_LOST: readonly Habit[] = [
  [
    '501 to HEAD',
    () => (service) => async (request) => (request.method === 'HEAD' ? json(501, ENVELOPE) : service(request)),
  ],
  ...LOST_IN_ANY_ROW,
  ['its region and manual in every answer', withMore({ meta: { region: 'eu', manual: 'https://docs.example' } })],
  ['its own name and state in every answer', withMore({ name: 'Programmable Communications Service', status: 'ok' })],
  [
    'names in capital letters, trimmed and cut',
    withMembers(({ name, ...members }) =>
      typeof name === 'string'
        ? { ...members, name: name.trim().toUpperCase().slice(0, 64).trim() }
        : { ...members, ...(name === undefined ? {} : { name }) },
    ),
  ],
];

/** Answers a credential that is not valid in its own way, or leaves it to the service. */
const unauthorized =
  (answer: (field: string) => ServiceReply | false): Gateway =>
  ({ isValid }) =>
  (service) =>
  async (request) =>
    (!isValid(request) && answer(request.headers['authorization'] ?? '')) || service(request);

const inRequest =
  (rejects: (request: ServiceRequest) => boolean, reply: ServiceReply): Gateway =>
  () =>
  (service) =>
  async (request) =>
    rejects(request) ? reply : service(request);

/** Rejections of what a run sends late, each right in its own way: not even a `should` is broken. */
export const RIGHT_REJECTIONS: readonly Habit[] = [
  ...([400, 431] as const).map((status): Habit => {
    const body = status === 431 ? text(status, 'text/html', PAGE) : json(status, failure('field_too_long'));
    return [`${status} to a field of 1,000 characters`, unauthorized((field) => field.length > 1_000 && body)];
  }),
  [
    '400 to a field that is not a scheme, a blank and a token',
    unauthorized(
      (field) =>
        field !== '' &&
        !/^(?!Basic pcs)\w+ [\w.~+/-]+=*$/i.test(field) &&
        json(400, failure('malformed_authorization')),
    ),
  ],
  [
    '401 in its own words to a token without its prefix',
    unauthorized((field) => {
      const words = json(401, failure('not_a_token'), [['WWW-Authenticate', 'Bearer error="invalid_token"']]);
      return /^Bearer (?!.*org_)/i.test(field) && words;
    }),
  ],
  [
    '401 with a link to a manual at the host that is the realm of the connection, too',
    unauthorized((field) => {
      const linked = json(401, failure('See https://alpha.sip.invalid/manual'), [['WWW-Authenticate', 'Bearer']]);
      return !field.startsWith('bearer ') && linked;
    }),
  ],
  [
    'a gateway that rejects encoded letters and digits of a path with a page',
    inRequest(({ target }) => /^[^?]*%[3-7]/.test(target), text(400, 'text/html', PAGE)),
  ],
  [
    '406 as a page to a malformed Accept, and to a query with a stray %',
    inRequest(
      ({ target, headers }) =>
        /\?.*%(?![0-9a-f]{2})/i.test(target) || !/^[\w*+.-]+\/[\w*]/.test(headers['accept'] ?? '*/*'),
      text(406, 'text/html', PAGE),
    ),
  ],
];

/** A web site in front of the service: what is not found there at an undocumented path gets its page, with 200. */
export const behindWebSite: Gateway = () => (service) => async (request) => {
  const reply = await service(request);
  const isUnknown = request.method === 'GET' && reply.status === 404;
  return isUnknown && match('GET', request.target).kind !== 'operation' ? text(200, 'text/html', PAGE) : reply;
};

/** Each with its name. */
export const HABITS: readonly Habit[] = [
  ...LOST_IN_ANY_ROW,
  ['ids of calls with a prefix', withCallIds((id) => `call_${id.replaceAll('-', '')}`)],
  ['numbers as ids of calls', withCallIds((_, count) => count)],
  ['reads from a cache', caching],
  ['a web site that gives its page for what it does not know', behindWebSite],
  [
    'lists without a body',
    replying((reply, { target }) => (/^\/v1\/(numbers|trunks)\/$/.test(target) ? { ...reply, body: null } : reply)),
  ],
  [
    'an HTTP parser that rejects long paths with an HTML page',
    () => (service) => async (request) =>
      request.target.length > 150 ? text(414, 'text/html', '<h1>URI too long</h1>') : service(request),
  ],
  [
    'white space and line breaks around the JSON',
    replying((reply) => (typeof reply.body === 'string' ? { ...reply, body: `\r\n ${reply.body}\n\n` } : reply)),
  ],
  [
    'a search that answers 404 in its own words where it finds no number',
    replying((reply, { target }) =>
      target.startsWith('/v1/numbers/available') ? json(404, failure('no_numbers_available')) : reply,
    ),
  ],
  [
    '415 to a charset that it does not know',
    authorized((request, service) =>
      /charset=(?!"?utf-?8)/i.test(request.headers['content-type'] ?? '')
        ? json(415, failure('unsupported_charset'))
        : service(request),
    ),
  ],
  [
    'names and variables of letters, digits, blanks and hyphens alone',
    authorized((request, service) =>
      textsIn(request).some((text) => !/^[\w .-]*$/.test(text)) ? json(400, failure('characters')) : service(request),
    ),
  ],
  [
    'actions that reject a label and a body',
    authorized((request, service) =>
      /(hangup|answer|mute)$/.test(request.target) && request.headers['content-type'] !== undefined
        ? json(415, failure('no_body_expected'))
        : service(request),
    ),
  ],
  [
    'updates that want If-Match',
    authorized((request, service) => (request.method === 'PATCH' ? json(428, ENVELOPE) : service(request))),
  ],
];
