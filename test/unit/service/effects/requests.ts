/** Effects of the variation points of requests: calls, demands, tolerated deviations. */

import type { Reference } from '../../../../fixtures/service/reference.ts';
import { type Answer, call, STRANGER, validBody } from '../caller.ts';
import { creating, type Effect, each, type Look, status, times } from './effect.ts';

const onOutbound =
  (id: 'answerCall' | 'hangUpCall'): Look =>
  async (reference) => {
    const ids = [reference.inspect().calls.findLast(({ direction }) => direction === 'outbound')?.id ?? ''];
    return (await call(reference, id, { ids })).status;
  };

/** Variation points of `calls.ts`. */
export const CALL_EFFECTS: Readonly<Record<string, Effect>> = {
  'number-search': {
    look: each(
      status('searchAvailableNumbers'),
      status('searchAvailableNumbers', { query: '?country_code=US' }),
      async ({ settings }) => settings.PCS_AVAILABLE_NUMBERS_QUERY ?? null,
    ),
    shows: {
      free: [200, 200, null],
      'needs-query': [400, 200, 'country_code=US'],
      'needs-query-unnamed': [400, 200, null],
      'no-inventory': [503, 503, null],
    },
  },
  'list-query': {
    look: each(status('listNumbers'), status('listTrunks', { query: '?page=1' }), async ({ settings }) =>
      [settings.PCS_LIST_NUMBERS_QUERY, settings.PCS_LIST_TRUNKS_QUERY].join(),
    ),
    shows: { free: [200, 200, ','], needed: [400, 200, 'page=1,page=1'] },
  },
  'foreign-from': { look: creating({ from: '+15005550001' }), shows: { refused: 403, taken: 201 } },
  'unknown-reference': {
    look: creating({ trunk_id: STRANGER }),
    shows: { '404': 404, '409': 409, '400': 400, '422': 422 },
  },
  'call-references': {
    look: each(creating({ trunk_id: STRANGER }), creating({ application_id: STRANGER })),
    shows: { 'looked-up': [404, 404], 'any-trunk': [201, 404], any: [201, 201] },
  },
  'repeated-call': {
    look: each(creating({}), creating({}), onOutbound('hangUpCall'), creating({}), creating({})),
    shows: {
      taken: [201, 201, 200, 201, 201],
      refused: [201, 409, 200, 201, 409],
      'line-freed-late': [201, 409, 200, 409, 201],
    },
  },
  shortage: {
    look: each(times(4, creating({})), times(8, status('getTrunk'))),
    shows: {
      never: [Array(4).fill(201), Array(8).fill(200)],
      'every-third-call': [[201, 201, 503, 201], Array(8).fill(200)],
      'every-eleventh-request': [Array(4).fill(201), [200, 200, 200, 200, 200, 200, 503, 200]],
    },
  },
  'outbound-answer': {
    look: each(creating({}), onOutbound('answerCall'), onOutbound('answerCall')),
    shows: { refused: [201, 409, 409], taken: [201, 200, 409] },
  },
  'ended-hang-up': {
    look: each(status('hangUpCall'), status('hangUpCall'), status('answerCall')),
    shows: {
      '409': [200, 409, 409],
      '200': [200, 200, 409],
      '404': [200, 404, 409],
      forgotten: [200, 404, 404],
    },
  },
  callee: {
    look: times(3, each(creating({}), onOutbound('hangUpCall'))),
    shows: {
      free: Array(3).fill([201, 200]),
      'busy-at-times': [
        [201, 200],
        [201, 200],
        [201, 409],
      ],
    },
  },
  'resource-ids': {
    look: each(
      async ({ settings }) => [settings.PCS_NUMBER_ID, settings.PCS_RINGING_CALL_ID].map(formOf),
      status('assignNumber'),
      status('getCarrierProvider'),
      status('muteParticipant'),
      status('answerCall'),
      async (reference) => idIn(await call(reference, 'createCall')),
      async (reference) => idIn(await call(reference, 'listNumbers')),
      async (reference) => (await call(reference, 'hangUpCall', { ids: ['101'] })).status,
    ),
    shows: {
      uuids: [['uuid', 'uuid'], 200, 200, 200, 200, 'uuid', 'uuid', 404],
      'small-integers': [['1', '100'], 200, 200, 200, 200, '101', '1', 200],
      slugs: [['+15005550006', 'CA100'], 200, 200, 200, 200, 'CA101', '+15005550006', 404],
    },
  },
  'muted-again': { look: times(2, status('muteParticipant')), shows: { '200': [200, 200], '409': [200, 409] } },
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
export const DEMAND_EFFECTS: Readonly<Record<string, Effect>> = {
  'call-formats': {
    look: each(
      creating({}),
      creating({ to: 'somebody' }),
      creating({ to: '15005550010' }),
      creating({ dtmf_mode: 'loud' }),
      creating({ dtmf_mode: 'rfc2833' }),
      creating({ media_encryption: 'rot13' }),
      creating({ codecs: NINE_CODECS }),
      creating({ codecs: NINE_CODECS.slice(1) }),
    ),
    shows: { free: Array(8).fill(201), checked: [201, 400, 400, 400, 201, 400, 400, 201] },
  },
  'update-formats': {
    look: each(
      updating({ name: '' }),
      updating({ name: 'x' }),
      status('updateVoiceApplication', { body: { voice_url: 'somewhere' } }),
      status('updateVoiceApplication', { body: { ring_timeout_seconds: -1 } }),
    ),
    shows: { free: [200, 200, 200, 200], checked: [400, 200, 400, 400] },
  },
  enumerations: {
    look: each(
      updating({ direction: 'sideways' }),
      updating({ direction: 'inbound' }),
      updating({ direction: 'bidirectional', status: 'active' }),
      status('setInboundAuth'),
    ),
    shows: { free: [200, 200, 200, 200], common: [400, 200, 200, 200], exotic: [400, 400, 200, 400] },
  },
  'required-update-fields': {
    look: each(
      updating({}),
      updating({ name: 'x' }),
      updating({ name: 'x', status: 'active', direction: 'bidirectional' }),
      creating({}),
    ),
    shows: { none: [200, 200, 200, 201], first: [400, 200, 200, 201], all: [400, 400, 200, 201] },
  },
  'body-limit': { look: each(padded(8_000), padded(9_000)), shows: { '64-kib': [201, 201], '8-kib': [201, 413] } },
  nesting: {
    look: each(...[90, 400].map((depth) => updating(`{"name":"x","unheard":${nested(depth)}}`))),
    shows: { deep: [200, 200], 'at-most-100': [200, 400] },
  },
  'unknown-members': { look: creating({ unheard: 1 }), shows: { ignored: 201, refused: 400 } },
  'duplicate-members': {
    look: each(updating('{"name":"a","name":"b"}'), updating('{"name":"name","status":"name"}')),
    shows: { last: [200, 200], refused: [400, 200] },
  },
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
export const DEVIATION_EFFECTS: Readonly<Record<string, Effect>> = {
  'optional-nulls': {
    look: each(
      creating({ privacy: null, codecs: null, variables: null }),
      updating({ name: null }),
      creating({ to: null }),
      creating({ privacy: 1 }),
      status('assignNumber', { body: { carrier_connection_id: null } }),
    ),
    shows: { refused: [400, 400, 400, 400, 400], absent: [201, 200, 400, 400, 400] },
  },
  'inner-nulls': {
    look: each(
      creating({ variables: { a: null }, codecs: [null] }),
      creating({ codecs: [1] }),
      creating({ codecs: null }),
    ),
    shows: { refused: [400, 400, 400], 'empty-string': [201, 400, 400] },
  },
  'uuid-forms': {
    look: each(
      async (reference) => Promise.all(idForms(reference).map((form) => creating({ trunk_id: form })(reference))),
      creating({ trunk_id: '1-2-3-4-5' }),
      creating({ trunk_id: '1--3-4-5' }),
      creating({ trunk_id: 'trunk' }),
      creating({ trunk_id: '0000000g-0000-4000-8000-000000000000' }),
    ),
    shows: {
      canonical: [[400, 400, 400, 400], 400, 400, 400, 400],
      lenient: [[201, 201, 201, 201], 404, 400, 400, 400],
    },
  },
  'member-names': {
    look: async (reference) => status('createCall', { body: renamed(reference) })(reference),
    shows: { exact: 400, 'any-case': 201 },
  },
  'media-type': {
    look: status('updateTrunk', { headers: { 'content-type': 'text/plain' } }),
    shows: { json: 415, ignored: 200 },
  },
  'json-extensions': {
    look: each(
      ...['{"name":"a",}', "{'name':'it\\'s'}", '{name:"a"}', '{"name":"a"/* , */}', '{"name":"a","x":NaN}'].map(
        updating,
      ),
      updating('{"name":"/* kept */"'),
      updating('{"name":NaN}'),
    ),
    shows: { refused: Array(7).fill(400), accepted: [200, 200, 200, 200, 200, 400, 400] },
  },
  'trailing-bytes': {
    look: each(
      updating('{"name":"a\\"}"} rest'),
      updating('{"name":[{}]}x'),
      updating('{"name":"a"'),
      updating('3x'),
      updating(' '),
    ),
    shows: { refused: [400, 400, 400, 400, 400], ignored: [200, 400, 400, 400, 400] },
  },
  'invalid-utf8': {
    look: updating(Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xc3), Buffer.from('"}')])),
    shows: { refused: 400, replaced: 200 },
  },
  'absent-update-body': {
    look: each(
      updating(undefined),
      updating({ name: 1 }),
      status('assignNumber', { body: undefined }),
      status('createCall', { body: undefined }),
    ),
    shows: { refused: [400, 400, 400, 400], 'as-empty-object': [200, 400, 400, 400] },
  },
};
