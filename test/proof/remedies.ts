/** Mistakes and services that leave a case open, what a run says would help, and that help. */

import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceRequest } from '../../fixtures/service/types.ts';
import { createVariant, samplesOf } from '../../fixtures/variants/variant.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { optionsFrom } from '../selftest/harness.ts';

const { settings } = createReference();
/** The settings of a complete run. */
export const OWN = optionsFrom(settings);
const NO_ID = '0d4a1f5c-7c1e-4f0a-9d3e-3f2a1b0c9d8e';

/** What differs from the settings of a complete run. */
export type Changes = Partial<RunOptions>;

/** A service and a mistake, the case that it leaves open, what is said to help, and that help. */
export interface Row {
  readonly name: string;
  readonly service?: () => Service;
  readonly mistake: Changes;
  readonly open: string;
  readonly says: RegExp;
  readonly help: Changes | { readonly allowed: () => Service };
}

/** The reference service. */
export const plain = (): Service => createReference().service;
const variant = (choices: Readonly<Record<string, string>>) => (): Service => createVariant(choices).service;
const withResources = (changes: RunOptions['resources']): Changes => ({ resources: { ...OWN.resources, ...changes } });
const withoutResource = (kind: keyof RunOptions['resources']): Changes => {
  const { [kind]: _, ...resources } = OWN.resources;
  return { resources };
};

/** The service, which rejects a request with that status where the condition holds. */
export const rejecting = (status: number, when: (request: ServiceRequest, body: string) => boolean) => (): Service => {
  const service = plain();
  return async (request) =>
    when(request, new TextDecoder().decode(request.body)) ? json(status, ENVELOPE) : service(request);
};

/** The same with a message of its own. */
const saying = (status: number, message: string, when: (request: ServiceRequest) => boolean) => (): Service => {
  const service = plain();
  return async (request) =>
    when(request) ? json(status, { success: false, error: { code: 'no', message } }) : service(request);
};

const isCreate = ({ method, target }: ServiceRequest): boolean => method === 'POST' && target === '/v1/calls/';

/** Accepts only inbound secrets of that shape. */
const withSecretsOf = (shape: RegExp): (() => Service) =>
  rejecting(422, ({ method, target }, body) => {
    if (method !== 'PUT' || !target.includes('/inbound-auth')) return false;
    const [, secret] = /"secret":"([^"]*)"/.exec(body) ?? [];
    return secret !== undefined && !shape.test(secret);
  });

const { ringingCallId } = OWN;
const NO_CALL_RINGS = { ringingCallId: undefined } as unknown as Changes;
const QUERY = createVariant({ 'number-search': 'needs-query' }).settings.PCS_AVAILABLE_NUMBERS_QUERY ?? '';
const EXOTIC = { enumerations: 'exotic' } as const;
const QUERIED: Changes = { queries: { searchAvailableNumbers: QUERY } };
const ALONE: Changes = { credentials: { access: OWN.credentials.access } };
const MAY_LIST = /^allow PCS_ACCESS_TOKEN to use this operation, or set PCS_LIST_NUMBERS_QUERY to/;
const MAY_ANSWER = /^allow PCS_ACCESS_TOKEN to use this operation, or check PCS_RINGING_CALL_ID/;
const RINGS = /^check PCS_RINGING_CALL_ID: the call must still ring/;
const isAnswer = ({ target }: ServiceRequest): boolean => target.endsWith('/answer');
const ofCreate = (status: number, shape: RegExp): (() => Service) =>
  rejecting(status, (request, body) => isCreate(request) && shape.test(body));

const NO_QUERY = variant({ 'number-search': 'needs-query-unnamed' });
const [SEARCH, CREATED] = ['SUCCESS-STATUS/searchAvailableNumbers', 'CALL-CREATE-STATUS/createCall'];
const SHAPE = /^give a body that .* with --samples \(a secret in it gives the shape: the run draws its own\), or/;
const MAY_UPDATE =
  /^allow PCS_ACCESS_TOKEN .*, or check PCS_TRUNK_ID: .*, or give a body that the target accepts for update/;
const NEEDED =
  /^set PCS_TRUNK_ID to .*, which calls may need, or give a body .* for createCall .*says "Nothing is here\."$/;
const HEADER =
  /^give the header that it names with --header \(.*\), or .*; the target says "Send Idempotency-Key with each call\."$/;
const IF_MATCH = /^give the precondition with --header, such as "If-Match: \*"/;
const PRIVATE = /^give a body .* with --samples; without privacy the same body is accepted; .*"Nothing is here\."$/;
const DIGEST = { method: 'digest', username: 'carrier', realm: 'sip.invalid', secret: '000000000000' };
const exotic: Changes = { samples: samplesOf(EXOTIC) as RunOptions['samples'] };
const ringing: Changes = ringingCallId === undefined ? {} : { ringingCallId };

const NUMBERS = /^set PCS_CALL_FROM to .* and PCS_CALL_TO to/;

/** The name of a row, the case that is open, what is said to help, the mistake or the service, and the help. */
type Told = readonly [string, string, RegExp, Changes | (() => Service), Changes?];

/** Without help, what was forbidden is allowed. */
const TOLD: readonly Told[] = [
  ['a search without its query', SEARCH, /^set PCS_AVAILABLE_NUMBERS_QUERY to/, NO_QUERY, QUERIED],
  ['a list that may not be read', 'LIST-STATUS/listNumbers', MAY_LIST, variant({ scope: 'no-number-list' })],
  ['a trunk that may not be changed', 'SUCCESS-STATUS/updateTrunk', MAY_UPDATE, variant({ scope: 'no-trunk-update' })],
  ['exotic values of an update', 'SUCCESS-STATUS/setInboundAuth', SHAPE, variant(EXOTIC), exotic],
  ['a probe of such an update', 'CONTENT-TYPE-OTHER/setInboundAuth', SHAPE, variant(EXOTIC), exotic],
  ['a call that needs a header field', CREATED, HEADER, saying(400, 'Send Idempotency-Key with each call.', isCreate)],
  ['a call that may not be private', 'CALL-CREATE-PRIVACY/createCall', PRIVATE, ofCreate(409, /"privacy":true/)],
  ['a call that may not be answered', 'SUCCESS-STATUS/answerCall', MAY_ANSWER, rejecting(403, isAnswer)],
  ['a call without credit', CREATED, /^give the organization credit/, rejecting(402, isCreate)],
  ['no numbers', 'CALL-CREATE-MINIMAL/createCall', NUMBERS, { numbers: null }],
  ['no numbers, for a case about ids', 'CALL-CREATE-IDS/createCall', NUMBERS, { numbers: null }],
  ['no ringing call', 'SUCCESS-STATUS/answerCall', /^set PCS_RINGING_CALL_ID to an inbound/, NO_CALL_RINGS, ringing],
  ['a call that rings no more', 'SUCCESS-STATUS/answerCall', RINGS, { ringingCallId: NO_ID }, ringing],
  ['no second organization', 'ORG-ISOLATION/getTrunk', /^set PCS_OTHER_ORG_ACCESS_TOKEN to a valid/, ALONE],
];

/** Settings that are missing, or wrong, and what they leave open. */
const RESOURCES = [
  ['trunk', 'SUCCESS-STATUS/getTrunk', 'PCS_TRUNK_ID'],
  ['trunk', 'CALL-CREATE-IDS/createCall', 'PCS_TRUNK_ID'],
  ['number', 'SUCCESS-STATUS/assignNumber', 'PCS_NUMBER_ID'],
  ['carrierConnection', 'SUCCESS-STATUS/assignNumber', 'PCS_CARRIER_CONNECTION_ID'],
  ['carrierConnection', 'SUCCESS-STATUS/setInboundAuth', 'PCS_CARRIER_CONNECTION_ID'],
  ['voiceApplication', 'CALL-CREATE-IDS/createCall', 'PCS_VOICE_APPLICATION_ID'],
  ['carrierProvider', 'SUCCESS-STATUS/getCarrierProvider', 'PCS_CARRIER_PROVIDER_ID'],
  ['conference', 'SUCCESS-STATUS/muteParticipant', 'PCS_CONFERENCE_ID'],
] as const;

/** Every row; some services have more than one mistake that leads to them. */
export const ROWS: readonly Row[] = [
  ...TOLD.map(([name, open, says, wrong, right]): Row => {
    const isService = typeof wrong === 'function';
    const help = right ?? (isService ? { allowed: plain } : { numbers: OWN.numbers, credentials: OWN.credentials });
    return { name, open, says, help, ...(isService ? { service: wrong, mistake: {} } : { mistake: wrong }) };
  }),
  {
    name: 'a search with a query that it rejects',
    service: NO_QUERY,
    mistake: { queries: { searchAvailableNumbers: 'colour=red' } },
    ...{ open: SEARCH, says: /^check PCS_AVAILABLE_NUMBERS_QUERY/, help: QUERIED },
  },
  {
    name: 'a call that the credential may not place',
    service: variant({ scope: 'no-call-creation' }),
    ...{ mistake: NO_CALL_RINGS, open: 'ACTION-WITHOUT-BODY/hangUpCall' },
    says: /^check PCS_CALL_FROM and PCS_CALL_TO, or allow PCS_ACCESS_TOKEN/,
    help: { allowed: plain },
  },
  {
    name: 'a secret of twelve digits and no other',
    service: withSecretsOf(/^\d{12}$/),
    ...{ mistake: { inbound: {} }, open: 'SUCCESS-STATUS/setInboundAuth', says: SHAPE },
    help: { samples: { setInboundAuth: DIGEST } },
  },
  {
    name: 'a call that needs a trunk',
    service: rejecting(422, (request, body) => isCreate(request) && !body.includes('"trunk_id":"')),
    ...{ mistake: withoutResource('trunk'), open: 'CALL-CREATE-VARIABLES/createCall', says: NEEDED },
    help: { resources: OWN.resources },
  },
  {
    name: 'a number that may not call',
    mistake: { ...NO_CALL_RINGS, numbers: { from: '+15005550999', to: settings.PCS_CALL_TO } },
    ...{ open: 'SUCCESS-STATUS/hangUpCall', says: /^check PCS_CALL_FROM and PCS_CALL_TO/ },
    help: { numbers: OWN.numbers },
  },
  {
    name: 'no create call',
    mistake: { ...NO_CALL_RINGS, without: ['createCall'] },
    ...{ open: 'SUCCESS-STATUS/hangUpCall', says: /^set PCS_RINGING_CALL_ID to an inbound/ },
    help: ringing,
  },
  {
    name: 'the read-only profile at a target that rejects with 404',
    service: variant({ 'refusal-status': '404' }),
    ...{ mistake: { profile: 'read-only' }, open: 'AUTH-CREDENTIAL-REQUIRED/updateTrunk' },
    ...{ says: /^run with --profile full$/, help: { profile: 'full' } },
  },
  ...RESOURCES.flatMap(([kind, open, setting]): readonly Row[] => {
    const help = { resources: OWN.resources };
    const [missing, wrong] = [withoutResource(kind), withResources({ [kind]: NO_ID })];
    const check = new RegExp(`^check (?:\\w+ and )?${setting}\\b`);
    return [
      { name: `no ${setting}, for ${open}`, mistake: missing, open, says: new RegExp(`^set ${setting} to`), help },
      { name: `a wrong ${setting}, for ${open}`, mistake: wrong, open, says: check, help },
    ];
  }),
  {
    name: 'an update without If-Match',
    service: rejecting(428, ({ method }) => method === 'PATCH'),
    ...{ mistake: {}, open: 'PATH-SERVED/updateTrunk', says: IF_MATCH, help: { allowed: plain } },
  },
];
