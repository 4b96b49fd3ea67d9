/** Effects of the variation points of responses: credentials, successes, errors. */

import { OPERATION_IDS } from '../../../../src/contract/operations.ts';
import { type Answer, ask, call, STRANGER } from '../caller.ts';
import { type Effect, each, type Look, status, times } from './effect.ts';

/** Variation points of `credentials.ts`. */
export const CREDENTIAL_EFFECTS: Readonly<Record<string, Effect>> = {
  'refusal-status': {
    look: status('getTrunk', { token: 'pcs_org_x' }),
    shows: { '401': 401, '400': 400, '403': 403, '404': 404 },
  },
  challenge: {
    look: async (reference) => 'www-authenticate' in (await call(reference, 'getTrunk', { token: null })).headers,
    shows: { sent: true, absent: false },
  },
  'refusal-order': {
    look: each(
      async (reference) => (await ask(reference, 'GET', '/v1/nothing', { token: null })).status,
      status('updateTrunk', { token: null }),
      status('updateTrunk', { token: null, ids: [STRANGER] }),
      status('updateTrunk', { token: null, body: [] }),
    ),
    shows: {
      'after-route': [404, 401, 401, 401],
      'before-route': [401, 401, 401, 401],
      'after-id': [404, 401, 404, 401],
      'after-body': [404, 401, 404, 400],
    },
  },
  'lock-out': {
    look: each(times(20, status('getTrunk', { token: 'pcs_org_x' })), status('getTrunk')),
    shows: {
      never: [Array(20).fill(401), 200],
      throttled: [[...Array(19).fill(401), 429], 429],
    },
  },
  scope: {
    look: async (reference) => {
      const statuses = await Promise.all(OPERATION_IDS.map((id) => status(id)(reference)));
      return OPERATION_IDS.filter((_, at) => statuses[at] === 403);
    },
    shows: {
      everything: [],
      'no-trunk-update': ['updateTrunk'],
      'no-call-creation': ['createCall'],
      'no-number-list': ['listNumbers'],
    },
  },
};

/** Variation points of `successes.ts`. */
export const SUCCESS_EFFECTS: Readonly<Record<string, Effect>> = {
  'success-status': {
    look: each(
      status('updateTrunk'),
      status('getTrunk'),
      status('muteParticipant'),
      status('hangUpCall'),
      status('listTrunks'),
      status('createCall'),
    ),
    shows: {
      '200': [200, 200, 200, 200, 200, 201],
      '202': [202, 202, 202, 202, 200, 201],
      '204': [204, 204, 204, 204, 200, 201],
      mixed: [200, 200, 204, 202, 200, 201],
    },
  },
  'success-shape': {
    look: each(
      async (reference) => outline(await call(reference, 'getTrunk')),
      async (reference) => outline(await call(reference, 'listTrunks')),
    ),
    shows: {
      'success-data': ['success,data', 'success,data'],
      bare: ['id,name,status,direction', 'list of 2'],
      items: ['items,next', 'items,next'],
      empty: ['nothing', 'nothing'],
    },
  },
  'call-id': {
    look: async (reference) => placeOf(await call(reference, 'createCall'), reference),
    shows: {
      'data.call.id': 'data.call.id',
      id: 'id',
      'data.id': 'data.id',
      'data.call.call_id': 'data.call.call_id',
      location: 'Location',
    },
  },
  lists: {
    look: async (reference) => {
      const { text } = await call(reference, 'listTrunks');
      const size = text.length > 3_000_000 ? 'huge' : (text.match(/"id"/g) ?? []).length;
      return [size, text.includes(reference.settings.PCS_TRUNK_ID)];
    },
    shows: { short: [2, true], empty: [0, false], 'first-page': [1, false], 'three-megabytes': ['huge', true] },
  },
  'update-effect': {
    look: each(
      status('updateTrunk', { body: { name: 'New' } }),
      ...[1, 2, 3].map((): Look => async (reference) => (await call(reference, 'getTrunk')).text.includes('"New"')),
    ),
    shows: { 'at-once': [200, true, true, true], later: [202, false, false, true] },
  },
  'unnamed-fields': {
    look: async (reference) => {
      await call(reference, 'updateTrunk', { body: { name: 'New' } });
      return /"direction":(\w+|"\w+")/.exec((await call(reference, 'getTrunk')).text)?.[1];
    },
    shows: { kept: '"bidirectional"', cleared: 'null' },
  },
  'stored-text': {
    look: async (reference) => {
      await call(reference, 'updateTrunk', { body: { name: ' New Name ' } });
      return reference.inspect().trunkNames[reference.settings.PCS_TRUNK_ID];
    },
    shows: { verbatim: ' New Name ', trimmed: 'New Name', 'trimmed-lower-case': 'new name' },
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
export const ERROR_EFFECTS: Readonly<Record<string, Effect>> = {
  envelope: {
    look: async (reference) => outline(await call(reference, 'getTrunk', { ids: [STRANGER] })),
    shows: { plain: 'success,error', 'more-members': 'request_id,success,data,error,documentation' },
  },
  'invalid-update-status': {
    look: each(
      status('updateTrunk', { body: { name: 1 } }),
      status('assignNumber', { body: '{' }),
      status('createCall', { body: {} }),
    ),
    shows: { '400': [400, 400, 400], '404': [404, 404, 400], '409': [409, 409, 400], '422': [422, 422, 400] },
  },
  'malformed-id-status': {
    look: status('getTrunk', { ids: ['word'] }),
    shows: { '404': 404, '400': 400, '422': 422 },
  },
  'unknown-id-status': {
    look: status('getTrunk', { ids: [STRANGER] }),
    shows: { '404': 404, '403': 403, '400': 400, '409': 409, '422': 422 },
  },
  'unknown-routes': {
    look: outsider('GET', '/v1/nothing'),
    shows: { envelope: '404 envelope', text: '404 404 page not found', empty: '404' },
  },
  'other-methods': {
    look: outsider('DELETE', '/v1/trunks/'),
    shows: { envelope: '405 envelope', text: '405 Method Not Allowed', 'not-found': '404 Not Found' },
  },
  'http-parser': {
    look: each(
      outsider('GET', `/v1/trunks/${'x'.repeat(3_000)}`),
      outsider('GET', '/v1/trunks/%00'),
      async (reference) => (await ask(reference, 'GET', '/v1/trunks/', { headers: { odd: 'x'.repeat(9_000) } })).status,
      status('getTrunk'),
    ),
    shows: {
      silent: ['401 envelope', '401 envelope', 200, 200],
      text: ['414 URI Too Long', '400 Bad Request', 431, 200],
    },
  },
  'slash-form': {
    look: each(
      outsider('GET', '/v1/trunks?a=b'),
      async (reference) => (await ask(reference, 'GET', '/v1/trunks')).status,
    ),
    shows: {
      refused: ['404 envelope', 404],
      served: ['401 envelope', 200],
      redirected: ['308 /v1/trunks/?a=b', 308],
      text: ['404 404 page not found', 404],
    },
  },
  'head-and-options': {
    look: each(
      async (reference) => (await ask(reference, 'HEAD', '/v1/trunks/')).status,
      outsider('HEAD', '/v1/trunks/'),
      outsider('OPTIONS', '/v1/trunks/'),
    ),
    shows: { refused: [405, '405', '405 envelope'], served: [200, '401', '204'] },
  },
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
