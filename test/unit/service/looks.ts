/** What shows each variation point of a lawful service: requests whose results differ between its choices. */

import type { Reference } from '../../../fixtures/service/reference.ts';
import { OPERATION_IDS, type OperationId } from '../../../src/contract/operations.ts';
import { type Answer, type Asking, ask, call, STRANGER, validBody } from './caller.ts';

/** Calls a service and returns the result in a comparable form. */
export type Look = (reference: Reference) => Promise<unknown>;

/** The status of an operation's request. */
function status(id: OperationId, asking: Asking = {}): Look {
  return async (reference) => (await call(reference, id, asking)).status;
}

/** The status of a create call with these members besides `from` and `to`. */
function creating(members: Readonly<Record<string, unknown>>): Look {
  return (reference) =>
    status('createCall', { body: { ...validBody(reference, 'createCall'), ...members } })(reference);
}

/** The results of several looks, one after the other. */
function each(...looks: readonly Look[]): Look {
  return async (reference) => {
    const seen: unknown[] = [];
    for (const look of looks) seen.push(await look(reference));
    return seen;
  };
}

/** The results of the same look, repeated. */
function times(count: number, look: Look): Look {
  return each(...Array.from({ length: count }, () => look));
}

/** Variation points of `credentials.ts`. */
const CREDENTIAL_LOOKS: Readonly<Record<string, Look>> = {
  'refusal-status': status('getTrunk', { token: 'pcs_org_x' }),
  challenge: async (reference) => 'www-authenticate' in (await call(reference, 'getTrunk', { token: null })).headers,
  'refusal-order': each(
    async (reference) => (await ask(reference, 'GET', '/v1/nothing', { token: null })).status,
    status('updateTrunk', { token: null }),
    status('updateTrunk', { token: null, ids: [STRANGER] }),
    status('updateTrunk', { token: null, body: [] }),
  ),
  'lock-out': each(times(20, status('getTrunk', { token: 'pcs_org_x' })), status('getTrunk')),
  scope: async (reference) => {
    const statuses = await Promise.all(OPERATION_IDS.map((id) => status(id)(reference)));
    return OPERATION_IDS.filter((_, at) => statuses[at] === 403);
  },
};

/** Variation points of `successes.ts`. */
const SUCCESS_LOOKS: Readonly<Record<string, Look>> = {
  'success-status': each(
    status('updateTrunk'),
    status('getTrunk'),
    status('muteParticipant'),
    status('hangUpCall'),
    status('listTrunks'),
    status('createCall'),
  ),
  'success-shape': each(
    async (reference) => outline(await call(reference, 'getTrunk')),
    async (reference) => outline(await call(reference, 'listTrunks')),
  ),
  'call-id': async (reference) => placeOf(await call(reference, 'createCall'), reference),
  lists: async (reference) => {
    const { text } = await call(reference, 'listTrunks');
    const size = text.length > 3_000_000 ? 'huge' : (text.match(/"id"/g) ?? []).length;
    return [size, text.includes(reference.settings.PCS_TRUNK_ID)];
  },
  'update-effect': each(
    status('updateTrunk', { body: { name: 'New' } }),
    ...[1, 2, 3].map((): Look => async (reference) => (await call(reference, 'getTrunk')).text.includes('"New"')),
  ),
  'unnamed-fields': async (reference) => {
    await call(reference, 'updateTrunk', { body: { name: 'New' } });
    return /"direction":(\w+|"\w+")/.exec((await call(reference, 'getTrunk')).text)?.[1];
  },
  'stored-text': async (reference) => {
    await call(reference, 'updateTrunk', { body: { name: ' New Name ' } });
    return reference.inspect().trunkNames[reference.settings.PCS_TRUNK_ID];
  },
};

const outsider =
  (method: string, target: string): Look =>
  async (reference) => {
    const answer = await ask(reference, method, target, { token: null });
    const location = answer.headers['location'];
    return `${answer.status} ${location ?? (answer.json === undefined ? answer.text : 'envelope')}`.trim();
  };

/** Variation points of `errors.ts`. */
const ERROR_LOOKS: Readonly<Record<string, Look>> = {
  envelope: async (reference) => outline(await call(reference, 'getTrunk', { ids: [STRANGER] })),
  'invalid-update-status': each(
    status('updateTrunk', { body: { name: 1 } }),
    status('assignNumber', { body: '{' }),
    status('createCall', { body: {} }),
  ),
  'malformed-id-status': status('getTrunk', { ids: ['word'] }),
  'unknown-id-status': status('getTrunk', { ids: [STRANGER] }),
  'unknown-routes': outsider('GET', '/v1/nothing'),
  'other-methods': outsider('DELETE', '/v1/trunks/'),
  'http-parser': each(
    outsider('GET', `/v1/trunks/${'x'.repeat(3_000)}`),
    outsider('GET', '/v1/trunks/%00'),
    async (reference) => (await ask(reference, 'GET', '/v1/trunks/', { headers: { odd: 'x'.repeat(9_000) } })).status,
    status('getTrunk'),
  ),
  'slash-form': each(
    outsider('GET', '/v1/trunks?a=b'),
    async (reference) => (await ask(reference, 'GET', '/v1/trunks')).status,
  ),
  'head-and-options': each(
    async (reference) => (await ask(reference, 'HEAD', '/v1/trunks/')).status,
    outsider('HEAD', '/v1/trunks/'),
    outsider('OPTIONS', '/v1/trunks/'),
  ),
};

function outline({ json, text }: Answer): string {
  if (text === '') return 'nothing';
  return Array.isArray(json) ? `list of ${json.length}` : Object.keys(Object(json)).join();
}

/** Where the response contains the id of the call that was created last. */
function placeOf(answer: Answer, reference: Parameters<Look>[0]): string {
  const id = reference.inspect().calls.at(-1)?.id;
  if (answer.headers['location']?.endsWith(String(id)) && !answer.text.includes(String(id))) return 'Location';
  return pathTo(answer.json, id)?.join('.') ?? 'nowhere';
}

function pathTo(value: unknown, id: unknown): readonly string[] | undefined {
  if (value === id) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const rest = pathTo(member, id);
    if (rest !== undefined) return [name, ...rest];
  }
  return undefined;
}

const onOutbound =
  (id: 'answerCall' | 'hangUpCall'): Look =>
  async (reference) => {
    const ids = [reference.inspect().calls.findLast(({ direction }) => direction === 'outbound')?.id ?? ''];
    return (await call(reference, id, { ids })).status;
  };

/** Variation points of `calls.ts`. */
const CALL_LOOKS: Readonly<Record<string, Look>> = {
  'number-search': each(
    status('searchAvailableNumbers'),
    status('searchAvailableNumbers', { query: '?country_code=US' }),
    async ({ settings }) => settings.PCS_AVAILABLE_NUMBERS_QUERY ?? null,
  ),
  'list-query': each(status('listNumbers'), status('listTrunks', { query: '?page=1' }), async ({ settings }) =>
    [settings.PCS_LIST_NUMBERS_QUERY, settings.PCS_LIST_TRUNKS_QUERY].join(),
  ),
  'foreign-from': creating({ from: '+15005550001' }),
  'unknown-reference': creating({ trunk_id: STRANGER }),
  'call-references': each(creating({ trunk_id: STRANGER }), creating({ application_id: STRANGER })),
  'repeated-call': each(creating({}), creating({}), onOutbound('hangUpCall'), creating({}), creating({})),
  shortage: each(times(4, creating({})), times(8, status('getTrunk'))),
  'outbound-answer': each(creating({}), onOutbound('answerCall'), onOutbound('answerCall')),
  'ended-hang-up': each(status('hangUpCall'), status('hangUpCall'), status('answerCall')),
  callee: times(3, each(creating({}), onOutbound('hangUpCall'))),
  'resource-ids': each(
    async ({ settings }) => [settings.PCS_NUMBER_ID, settings.PCS_RINGING_CALL_ID].map(formOf),
    status('assignNumber'),
    status('getCarrierProvider'),
    status('muteParticipant'),
    status('answerCall'),
    async (reference) => idIn(await call(reference, 'createCall')),
    async (reference) => idIn(await call(reference, 'listNumbers')),
    async (reference) => (await call(reference, 'hangUpCall', { ids: ['101'] })).status,
  ),
  'muted-again': times(2, status('muteParticipant')),
};

const formOf = (id: string | undefined): string | undefined => (/^[0-9a-f-]{36}$/.test(String(id)) ? 'uuid' : id);

/** The first id of a response, without the quotes of a string. */
function idIn({ text }: Answer): string | undefined {
  const [, id] = /"id":"?([^",}]+)/.exec(text) ?? [];
  return formOf(id);
}

const NINE_CODECS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const padded = (bytes: number): Look => creating({ dtmf_mode: 'x'.repeat(bytes) });
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const updating = (body: unknown): Look => status('updateTrunk', { body });

/** Variation points of `bodies.ts`. */
const DEMAND_LOOKS: Readonly<Record<string, Look>> = {
  'call-formats': each(
    creating({}),
    creating({ to: 'somebody' }),
    creating({ to: '15005550010' }),
    creating({ dtmf_mode: 'loud' }),
    creating({ dtmf_mode: 'rfc2833' }),
    creating({ media_encryption: 'rot13' }),
    creating({ codecs: NINE_CODECS }),
    creating({ codecs: NINE_CODECS.slice(1) }),
  ),
  'update-formats': each(
    updating({ name: '' }),
    updating({ name: 'x' }),
    status('updateVoiceApplication', { body: { voice_url: 'somewhere' } }),
    status('updateVoiceApplication', { body: { ring_timeout_seconds: -1 } }),
  ),
  enumerations: each(
    updating({ direction: 'sideways' }),
    updating({ direction: 'inbound' }),
    updating({ direction: 'bidirectional', status: 'active' }),
    status('setInboundAuth'),
  ),
  'required-update-fields': each(
    updating({}),
    updating({ name: 'x' }),
    updating({ name: 'x', status: 'active', direction: 'bidirectional' }),
    creating({}),
  ),
  'body-limit': each(padded(8_000), padded(9_000)),
  nesting: each(...[90, 400].map((depth) => updating(`{"name":"x","unheard":${nested(depth)}}`))),
  'unknown-members': creating({ unheard: 1 }),
  'duplicate-members': each(updating('{"name":"a","name":"b"}'), updating('{"name":"name","status":"name"}')),
};

const idForms = ({ settings }: Reference): readonly string[] => {
  const undashed = settings.PCS_TRUNK_ID.replaceAll('-', '');
  return [undashed, `{${settings.PCS_TRUNK_ID}}`, `urn:uuid:${settings.PCS_TRUNK_ID}`, ''];
};
const renamed = (reference: Reference): unknown => {
  const { from, to } = validBody(reference, 'createCall') ?? {};
  return { From: from, TO: to };
};

/** Variation points of `tolerated-deviations.ts`: what is accepted, and similar bodies that are still rejected. */
const DEVIATION_LOOKS: Readonly<Record<string, Look>> = {
  'optional-nulls': each(
    creating({ privacy: null, codecs: null, variables: null }),
    updating({ name: null }),
    creating({ to: null }),
    creating({ privacy: 1 }),
    status('assignNumber', { body: { carrier_connection_id: null } }),
  ),
  'inner-nulls': each(
    creating({ variables: { a: null }, codecs: [null] }),
    creating({ codecs: [1] }),
    creating({ codecs: null }),
  ),
  'uuid-forms': each(
    async (reference) => Promise.all(idForms(reference).map((form) => creating({ trunk_id: form })(reference))),
    creating({ trunk_id: '1-2-3-4-5' }),
    creating({ trunk_id: '1--3-4-5' }),
    creating({ trunk_id: 'trunk' }),
    creating({ trunk_id: '0000000g-0000-4000-8000-000000000000' }),
  ),
  'member-names': async (reference) => status('createCall', { body: renamed(reference) })(reference),
  'media-type': status('updateTrunk', { headers: { 'content-type': 'text/plain' } }),
  'json-extensions': each(
    ...['{"name":"a",}', "{'name':'it\\'s'}", '{name:"a"}', '{"name":"a"/* , */}', '{"name":"a","x":NaN}'].map(
      updating,
    ),
    updating('{"name":"/* kept */"'),
    updating('{"name":NaN}'),
  ),
  'trailing-bytes': each(
    updating('{"name":"a\\"}"} rest'),
    updating('{"name":[{}]}x'),
    updating('{"name":"a"'),
    updating('3x'),
    updating(' '),
  ),
  'invalid-utf8': updating(Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xc3), Buffer.from('"}')])),
  'absent-update-body': each(
    updating(undefined),
    updating({ name: 1 }),
    status('assignNumber', { body: undefined }),
    status('createCall', { body: undefined }),
  ),
};

const field =
  (name: string): Look =>
  async (reference) =>
    (await call(reference, 'getTrunk')).headers[name] ?? null;

const coding =
  (headers: Readonly<Record<string, string>>): Look =>
  async (reference) => {
    const { text, headers: answered } = await call(reference, 'getTrunk', { headers });
    return [answered['content-encoding'] ?? null, text.startsWith('{"success":true')];
  };

const limits = ({ status, headers }: Answer): string =>
  [status, headers['x-ratelimit-remaining'], headers['x-ratelimit-reset'], headers['retry-after']].join(' ').trim();

/** Variation points of `transport.ts`. */
const TRANSPORT_LOOKS: Readonly<Record<string, Look>> = {
  'content-type': field('content-type'),
  coding: each(coding({}), coding({ 'accept-encoding': 'br, gzip' })),
  framing: field('transfer-encoding'),
  connection: field('connection'),
  'interim-responses': async (reference) => (await call(reference, 'getTrunk')).reply.interim ?? false,
  'header-case': async (reference) => (await call(reference, 'getTrunk')).reply.headers[0]?.[0],
  'rate-limit': async (reference) => {
    const seen: string[] = [];
    for (let count = 1; count <= 43; count += 1) seen.push(limits(await call(reference, 'getTrunk')));
    return [seen[0], ...seen.slice(39)];
  },
};

/** By the name of a variation point. */
export const LOOKS: Readonly<Record<string, Look>> = {
  ...CREDENTIAL_LOOKS,
  ...SUCCESS_LOOKS,
  ...ERROR_LOOKS,
  ...CALL_LOOKS,
  ...DEMAND_LOOKS,
  ...DEVIATION_LOOKS,
  ...TRANSPORT_LOOKS,
};
