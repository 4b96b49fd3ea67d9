/** For each `should` requirement services that break it, as little else as possible: of our own, or the planted faults. */

import { FAULTS } from '../../fixtures/faults/index.ts';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { REQUIREMENTS, requirementById } from '../../suites/catalogue.ts';

type Wrap = (service: Service, settings: ReferenceSettings) => Service;

type Members = Record<string, unknown>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}/;
const FIELDS_WITH_NULL = ['from', 'to', 'application_id', 'trunk_id'];

const asking =
  (change: (request: ServiceRequest, settings: ReferenceSettings) => ServiceRequest): Wrap =>
  (service, settings) =>
  (request) =>
    service(change(request, settings));

const answering =
  (change: (reply: ServiceReply, request: ServiceRequest, settings: ReferenceSettings) => ServiceReply): Wrap =>
  (service, settings) =>
  async (request) =>
    change(await service(request), request, settings);

function membersOf(request: ServiceRequest): Members | null {
  try {
    const value: unknown = JSON.parse(textOf(request));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
  } catch {
    return null;
  }
}

const textOf = ({ body }: ServiceRequest): string => new TextDecoder().decode(body);
const withText = (request: ServiceRequest, text: string): ServiceRequest => ({ ...request, body: Buffer.from(text) });
const labelled = (request: ServiceRequest, label: string): ServiceRequest => ({
  ...request,
  headers: { ...request.headers, 'content-type': label },
});
const isLabelled = ({ headers }: ServiceRequest, part: string): boolean =>
  headers['content-type']?.includes(part) === true;

/** The request with its members changed; one whose body is no object stays as it is. */
function edited(request: ServiceRequest, change: (members: Members) => Members): ServiceRequest {
  const members = membersOf(request);
  return members === null ? request : withText(request, JSON.stringify(change(members)));
}

const changing = (request: ServiceRequest, method: string, path: string): boolean =>
  request.method === method && request.target.startsWith(path);

const SUCCESS: ServiceReply = {
  status: 200,
  headers: [['Content-Type', 'application/json']],
  body: '{"success":true}',
};

function refusal(status: number): ServiceReply {
  const body = JSON.stringify({ success: false, error: { code: 'refused', message: 'The request is refused.' } });
  return { ...SUCCESS, status, body };
}

const isGood = ({ headers }: ServiceRequest, { PCS_ACCESS_TOKEN }: ReferenceSettings): boolean =>
  headers['authorization'] === `Bearer ${PCS_ACCESS_TOKEN}`;

/** Refuses a PUT of inbound authentication that says what the last accepted one said. */
const onceOnly: Wrap = (service) => {
  let last = '';
  return async (request) => {
    if (!changing(request, 'PUT', '/v1/carrier-connections/')) return service(request);
    const reply = await service(request);
    if (reply.status >= 300) return reply;
    if (textOf(request) === last) return refusal(409);
    last = textOf(request);
    return reply;
  };
};

type Row = readonly [requirement: string, defect: string, inject: Wrap];

/** Services that break the requirement in whose row they stand, each in another way than the planted faults. */
const OWN: readonly Row[] = [
  [
    'AUTH-STATUS-401',
    'refuses credentials with 403',
    answering((reply) => (reply.status === 401 ? refusal(403) : reply)),
  ],
  [
    'AUTH-CHALLENGE',
    'sends no challenge',
    answering((reply) => ({ ...reply, headers: reply.headers.filter(([name]) => name !== 'WWW-Authenticate') })),
  ],
  [
    'AUTH-SCHEME-CASE',
    'knows the scheme in one spelling only',
    asking((request) =>
      request.headers['authorization']?.startsWith('bearer ') === true
        ? { ...request, headers: { ...request.headers, authorization: '' } }
        : request,
    ),
  ],
  [
    'UNKNOWN-ID-REFUSED',
    'succeeds for ids that name nothing',
    answering((reply, request, settings) => {
      const isPlain = UUID.test(request.target) && !/\/xyz|\/$/.test(request.target);
      return isPlain && reply.status === 404 && isGood(request, settings) ? SUCCESS : reply;
    }),
  ],
  [
    'MALFORMED-ID-REFUSED',
    'succeeds for malformed ids',
    answering((reply, request) => (request.target.includes('/xyz') && reply.status === 404 ? SUCCESS : reply)),
  ],
  [
    'MALFORMED-ID-REFUSED',
    'refuses malformed ids without the envelope',
    answering((reply, request) => (request.target.includes('/xyz') ? { status: 404, headers: [], body: null } : reply)),
  ],
  [
    'JSON-EXTENSIONS-REJECTED',
    'accepts a comma after the last member',
    asking((request) =>
      textOf(request).endsWith(',}') ? withText(request, `${textOf(request).slice(0, -2)}}`) : request,
    ),
  ],
  [
    'NULL-REFUSED',
    'takes null for absent',
    asking((request) =>
      edited(request, (members) =>
        Object.fromEntries(
          Object.entries(members).filter(([name, value]) => value !== null || FIELDS_WITH_NULL.includes(name)),
        ),
      ),
    ),
  ],
  [
    'NULL-REFUSED',
    'takes null for an empty string within lists',
    asking((request) =>
      edited(request, ({ codecs, ...rest }) =>
        Array.isArray(codecs)
          ? { ...rest, codecs: codecs.map((one) => one ?? '') }
          : { ...rest, ...(codecs !== undefined && { codecs }) },
      ),
    ),
  ],
  [
    'UPDATE-FIELD-TYPES',
    'reads numbers from strings',
    asking((request) =>
      edited(request, (members) =>
        typeof members['ring_timeout_seconds'] === 'string'
          ? { ...members, ring_timeout_seconds: Number(members['ring_timeout_seconds']) }
          : members,
      ),
    ),
  ],
  [
    'UPDATE-BODY-OBJECT',
    'takes an empty array for an empty object',
    asking((request) => (textOf(request) === '[]' && request.method === 'PATCH' ? withText(request, '{}') : request)),
  ],
  [
    'UPDATE-FIELD-ALONE',
    'answers 415 to a direction alone',
    (service) => async (request) =>
      changing(request, 'PATCH', '/v1/trunks/') && Object.keys(membersOf(request) ?? {}).join() === 'direction'
        ? refusal(415)
        : service(request),
  ],
  [
    'UPDATE-VISIBLE',
    'forgets the name of a trunk',
    asking((request) =>
      changing(request, 'PATCH', '/v1/trunks/')
        ? edited(request, ({ name, ...rest }) => (typeof name === 'string' ? rest : { name, ...rest }))
        : request,
    ),
  ],
  [
    'UPDATE-REJECTED-NO-EFFECT',
    'stores the name of a trunk before it looks at the direction',
    (service) => async (request) => {
      const reply = await service(request);
      const members = membersOf(request);
      if (!changing(request, 'PATCH', '/v1/trunks/') || reply.status !== 400 || members === null) return reply;
      const { name } = members;
      if (typeof name === 'string') await service(withText(request, JSON.stringify({ name })));
      return reply;
    },
  ],
  [
    'TRUNK-SHOWS-STATE',
    'calls the direction of a trunk its flow',
    answering((reply, request) =>
      changing(request, 'GET', '/v1/trunks/')
        ? { ...reply, body: String(reply.body).replaceAll('"direction"', '"flow"') }
        : reply,
    ),
  ],
  [
    'UPDATE-UNNAMED-KEPT',
    'sets the direction of a trunk to its default in every update without one',
    asking((request) =>
      changing(request, 'PATCH', '/v1/trunks/')
        ? edited(request, (members) => ({ direction: 'outbound', ...members }))
        : request,
    ),
  ],
  ['PUT-REPEATED', 'refuses a PUT that changes nothing', onceOnly],
  [
    'CONTENT-TYPE-CHARSET',
    'knows the label without parameters only',
    asking((request) => (isLabelled(request, 'charset') ? labelled(request, 'text/plain') : request)),
  ],
  [
    'CONTENT-TYPE-OTHER',
    'does not look at the label',
    asking((request) => (isLabelled(request, 'text/plain') ? labelled(request, 'application/json') : request)),
  ],
  [
    'TRAILING-BYTES-REFUSED',
    'stops reading at the end of the value',
    asking((request) =>
      textOf(request).endsWith('} plain') ? withText(request, textOf(request).slice(0, -6)) : request,
    ),
  ],
];

/** The requirement, the service, and everything that a whole run warns of. */
type Broken = readonly [...Row, breaks: readonly string[]];

/** The planted faults that break this requirement alone; if there are none, those that entail other warnings. */
function plantedFor(id: string): readonly Broken[] {
  const own = FAULTS.filter(({ breaks }) => breaks[0] === id);
  const alone = own.filter(({ breaks }) => breaks.length === 1);
  const advised = own.filter(({ breaks }) => breaks.every((one) => requirementById(one)?.level === 'should'));
  return (alone.length > 0 ? alone : advised).map(({ defect, inject, breaks }) => [id, defect, inject, breaks]);
}

/** A requirement without a service of our own has its planted faults, so a new one needs no row here. */
export const SHOULD_FAULTS: readonly Broken[] = REQUIREMENTS.filter(({ level }) => level === 'should').flatMap(
  ({ id }) => {
    const own = OWN.filter(([requirement]) => requirement === id);
    return own.length > 0 ? own.map((row) => [...row, [id]] as const) : plantedFor(id);
  },
);
