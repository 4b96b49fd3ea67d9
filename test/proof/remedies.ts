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
  /** Whether only a whole run has the mistake: otherwise the case is asked alone. */
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

/** Every row; some services have more than one mistake that leads to them. */
export const ROWS: readonly Row[] = [
  {
    name: 'a search without the query that it needs',
    service: variant({ 'number-search': 'needs-query-unnamed' }),
    mistake: {},
    open: 'SUCCESS-STATUS/searchAvailableNumbers',
    says: /^set PCS_AVAILABLE_NUMBERS_QUERY to/,
    help: { queries: { searchAvailableNumbers: QUERY } },
  },
  {
    name: 'a search with a query that it rejects',
    service: variant({ 'number-search': 'needs-query-unnamed' }),
    mistake: { queries: { searchAvailableNumbers: 'colour=red' } },
    open: 'SUCCESS-STATUS/searchAvailableNumbers',
    says: /^check PCS_AVAILABLE_NUMBERS_QUERY/,
    help: { queries: { searchAvailableNumbers: QUERY } },
  },
  {
    name: 'a list that the credential may not read',
    service: variant({ scope: 'no-number-list' }),
    mistake: {},
    open: 'LIST-STATUS/listNumbers',
    says: /^allow PCS_ACCESS_TOKEN to use this operation, or set PCS_LIST_NUMBERS_QUERY to/,
    help: { allowed: plain },
  },
  {
    name: 'a trunk that the credential may read and not change',
    service: variant({ scope: 'no-trunk-update' }),
    mistake: {},
    open: 'SUCCESS-STATUS/updateTrunk',
    says: /^allow PCS_ACCESS_TOKEN .*, or check PCS_TRUNK_ID: .*, or give a body that the target accepts for updateTrunk/,
    help: { allowed: plain },
  },
  {
    name: 'a call that the credential may not place',
    service: variant({ scope: 'no-call-creation' }),
    mistake: NO_CALL_RINGS,
    open: 'ACTION-WITHOUT-BODY/hangUpCall',
    says: /^check PCS_CALL_FROM and PCS_CALL_TO, or allow PCS_ACCESS_TOKEN/,
    help: { allowed: plain },
  },
  {
    name: 'values of an update that no candidate has',
    service: variant(EXOTIC),
    mistake: {},
    open: 'SUCCESS-STATUS/setInboundAuth',
    says: /^give a body that the target accepts for setInboundAuth with --samples \(a secret in it gives the shape: the run draws its own\), or/,
    help: { samples: samplesOf(EXOTIC) as RunOptions['samples'] },
  },
  {
    name: 'a secret of twelve digits and no other',
    service: withSecretsOf(/^\d{12}$/),
    mistake: { inbound: {} },
    open: 'SUCCESS-STATUS/setInboundAuth',
    says: /^give a body that .* with --samples \(a secret in it gives the shape: the run draws its own\), or/,
    help: {
      samples: {
        setInboundAuth: { method: 'digest', username: 'carrier', realm: 'sip.invalid', secret: '000000000000' },
      },
    },
  },
  {
    name: 'a probe of such an update',
    service: variant(EXOTIC),
    mistake: {},
    open: 'CONTENT-TYPE-OTHER/setInboundAuth',
    says: /^give a body that the target accepts for setInboundAuth with --samples \(a secret in it gives the shape: the run draws its own\), or/,
    help: { samples: samplesOf(EXOTIC) as RunOptions['samples'] },
  },
  {
    name: 'a call that needs a header field',
    service: saying(400, 'Send Idempotency-Key with each call.', isCreate),
    mistake: {},
    open: 'CALL-CREATE-STATUS/createCall',
    says: /^give the header that it names with --header, or .*; the target says "Send Idempotency-Key with each call\."$/,
    help: { allowed: plain },
  },
  {
    name: 'a call that may not be private',
    service: rejecting(409, (request, body) => isCreate(request) && body.includes('"privacy":true')),
    mistake: {},
    open: 'CALL-CREATE-PRIVACY/createCall',
    says: /^give a body .* with --samples; with another privacy the same body is accepted; the target says "Nothing is here\."$/,
    help: { allowed: plain },
  },
  {
    name: 'a call that the credential may not answer',
    service: rejecting(403, ({ target }) => target.endsWith('/answer')),
    mistake: {},
    open: 'SUCCESS-STATUS/answerCall',
    says: /^allow PCS_ACCESS_TOKEN to use this operation, or check PCS_RINGING_CALL_ID/,
    help: { allowed: plain },
  },
  {
    name: 'a call that needs a trunk',
    service: rejecting(422, (request, body) => isCreate(request) && !body.includes('"trunk_id":"')),
    mistake: withoutResource('trunk'),
    open: 'CALL-CREATE-VARIABLES/createCall',
    says: /^set PCS_TRUNK_ID to .*, which calls may need, or give a body that the target accepts for createCall with --samples; the target says "Nothing is here\."$/,
    help: { resources: OWN.resources },
  },
  {
    name: 'a call without credit',
    service: rejecting(402, isCreate),
    mistake: {},
    open: 'CALL-CREATE-STATUS/createCall',
    says: /^give the organization credit/,
    help: { allowed: plain },
  },
  {
    name: 'a number that may not call',
    mistake: { ...NO_CALL_RINGS, numbers: { from: '+15005550999', to: settings.PCS_CALL_TO } },
    open: 'SUCCESS-STATUS/hangUpCall',
    says: /^check PCS_CALL_FROM and PCS_CALL_TO/,
    help: { numbers: OWN.numbers },
  },
  {
    name: 'no numbers',
    mistake: { numbers: null },
    open: 'CALL-CREATE-MINIMAL/createCall',
    says: /^set PCS_CALL_FROM to .* and PCS_CALL_TO to/,
    help: { numbers: OWN.numbers },
  },
  {
    name: 'no create call',
    mistake: { ...NO_CALL_RINGS, without: ['createCall'] },
    open: 'SUCCESS-STATUS/hangUpCall',
    says: /^do not leave createCall out with --without$/,
    help: { without: [] },
  },
  {
    name: 'the read-only profile at a target that rejects with 404',
    service: variant({ 'refusal-status': '404' }),
    mistake: { profile: 'read-only' },
    open: 'AUTH-CREDENTIAL-REQUIRED/updateTrunk',
    says: /^run with --profile full$/,
    help: { profile: 'full' },
  },
  {
    name: 'no ringing call',
    service: plain,
    mistake: NO_CALL_RINGS,
    open: 'SUCCESS-STATUS/answerCall',
    says: /^set PCS_RINGING_CALL_ID to an inbound call that is ringing$/,
    help: ringingCallId === undefined ? {} : { ringingCallId },
  },
  {
    name: 'a call that no longer rings',
    mistake: { ringingCallId: NO_ID },
    open: 'SUCCESS-STATUS/answerCall',
    says: /^check PCS_RINGING_CALL_ID: the call must still ring/,
    help: ringingCallId === undefined ? {} : { ringingCallId },
  },
  {
    name: 'no second organization',
    mistake: { credentials: { access: OWN.credentials.access } },
    open: 'ORG-ISOLATION/getTrunk',
    says: /^set PCS_OTHER_ORG_ACCESS_TOKEN to a valid credential of a second organization$/,
    help: { credentials: OWN.credentials },
  },
  ...(
    [
      ['trunk', 'SUCCESS-STATUS/getTrunk', 'PCS_TRUNK_ID'],
      ['trunk', 'CALL-CREATE-IDS/createCall', 'PCS_TRUNK_ID'],
      ['number', 'SUCCESS-STATUS/assignNumber', 'PCS_NUMBER_ID'],
      ['carrierConnection', 'SUCCESS-STATUS/assignNumber', 'PCS_CARRIER_CONNECTION_ID'],
      ['carrierConnection', 'SUCCESS-STATUS/setInboundAuth', 'PCS_CARRIER_CONNECTION_ID'],
      ['voiceApplication', 'CALL-CREATE-IDS/createCall', 'PCS_VOICE_APPLICATION_ID'],
      ['carrierProvider', 'SUCCESS-STATUS/getCarrierProvider', 'PCS_CARRIER_PROVIDER_ID'],
      ['conference', 'SUCCESS-STATUS/muteParticipant', 'PCS_CONFERENCE_ID'],
    ] as const
  ).flatMap(([kind, open, setting]): readonly Row[] => [
    {
      name: `no ${setting}, for ${open}`,
      mistake: withoutResource(kind),
      open,
      says: new RegExp(`^set ${setting} to`),
      help: { resources: OWN.resources },
    },
    {
      name: `a wrong ${setting}, for ${open}`,
      mistake: withResources({ [kind]: NO_ID }),
      open,
      says: new RegExp(`^check (?:\\w+ and )?${setting}\\b`),
      help: { resources: OWN.resources },
    },
  ]),
];
