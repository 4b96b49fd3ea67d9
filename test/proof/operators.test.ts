/** Mistakes of an operator are not the target's faults: the run is incomplete, and one sentence names the setting. */

import { describe, expect, test } from 'vitest';
import { ENVELOPE, json, PAGE, reply, text } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf, isMust } from '../selftest/judged.ts';
import { comesOutTheSame } from './again.ts';

const { settings } = createReference();
const OWN = optionsFrom(settings);

type Answer = (request: ServiceRequest) => ServiceReply;

const isRead = ({ method }: ServiceRequest): boolean => method === 'GET';
const foreign = (status: number, value: object = { detail: 'No.' }): ServiceReply => json(status, value);
const to = (location: string): ServiceReply => reply(301, [['Location', location]]);

const NO_SERVICE = /undocumented path .* check PCS_BASE_URL/;
const ANOTHER = /another service.*check PCS_BASE_URL .*--header/;
const lost = (fate: 'reset' | 'hang' | 'cut'): ServiceReply => ({ ...json(200, {}), fate });
const repeating = (value: string | undefined): object => ({ detail: `not a key: ${value}` });

const TWICE = 'http://service.invalid/v1';

/** Hosts that are not the service, or not reached as they have to be, and what the run says. */
const ELSEWHERE: readonly (readonly [string, Answer, RegExp, string?])[] = [
  ['one JSON document for every path', () => foreign(200), NO_SERVICE],
  ['nothing for every path', () => reply(204), NO_SERVICE],
  ['an echo, credential included', ({ method, target, headers }) => json(200, { method, target, headers }), NO_SERVICE],
  ['JSON for every GET alone', (request) => foreign(isRead(request) ? 200 : 404), NO_SERVICE],
  ['404 below a base that ends in /v1', () => foreign(404), /leave it out/, TWICE],
  // As the gateway of AWS answers where nothing is.
  ['403 below such a base', () => foreign(403), /allow the address.*leave it out/, TWICE],
  ['401 of the service below it', () => json(401, ENVELOPE), /TOKEN; .*leave it out/, TWICE],
  ['401 that repeats the credential', ({ headers }) => foreign(401, repeating(headers['authorization'])), ANOTHER],
  ['a redirect to another host', () => to('https://api.example.com/v1/trunks/'), /redirects to https:\/\/api\.ex/],
  ['a redirect to a login', () => to('/login'), /redirects every read: check the scheme, host and path/],
  ['a web site', () => text(200, 'text/html', PAGE), /is a web site, not this service; check PCS_BASE_URL/],
  ['a web site without the page', () => text(404, 'text/html', PAGE), /is a web site/],
  ['connections that just end', () => lost('reset'), /speaks TLS \(write https in PCS_BASE_URL\)/],
  ['the same with https', () => lost('reset'), /asks for a client certificate \(--cert\)/, 'https://service.invalid'],
  ['silence', () => lost('hang'), /does not answer: .*--timeout/],
  ['answers that break off', () => lost('cut'), /every read fails in the same way/],
];

/** Judges a service and notes each request that reaches it. */
async function seenBy(answer: Answer | Service, options: RunOptions) {
  const requests: ServiceRequest[] = [];
  const judged = await judge(async (request) => {
    requests.push(request);
    return answer(request);
  }, options);
  return { ...judged, requests };
}

const isHarmless = ({ method, target, body }: ServiceRequest): boolean =>
  method === 'GET' && body.length === 0 && target.startsWith('/v1/');

const WAYS = [{}, { strict: true }, { profile: 'read-only' }] as const;

test.each(ELSEWHERE.map((row, at) => ({ row, changes: WAYS[at % WAYS.length] })))(
  'a host that is not the service: $row.0, with $changes',
  async ({ row: [, answer, says, baseUrl = OWN.baseUrl], changes }) => {
    const options = { ...OWN, ...narrowed('SUCCESS-STATUS'), baseUrl, ...changes };
    const { results, record, requests } = await seenBy(answer, options);
    expect([results.verdict, results.reason]).toEqual(['incomplete', expect.stringMatching(says)]);
    expect(requests.filter((request) => !isHarmless(request))).toEqual([]);
    expect(casesOf(results).filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
    await comesOutTheSame(record);
  },
);

/** The service with one more credential that is the same as the first. */
function alsoKnownAs(alias: string, isAllowed: (request: ServiceRequest) => boolean = () => true): Service {
  const { service } = createReference();
  return async (request) => {
    if (request.headers['authorization'] !== `Bearer ${alias}`) return service(request);
    if (!isAllowed(request)) return json(403, ENVELOPE);
    return service({ ...request, headers: { ...request.headers, authorization: `Bearer ${OWN.credentials.access}` } });
  };
}

const SECOND = 'pcs_org_Second0Second1Second2';
const withCredentials = (changes: Partial<RunOptions['credentials']>): Partial<RunOptions> => ({
  credentials: { ...OWN.credentials, ...changes },
});
const reference = (): Service => createReference().service;

/** The service, but for an assignment of the connection that the number has already. */
const unassigning = (): Service => {
  const { service } = createReference();
  return async (request) => {
    const isOurs = request.headers['authorization'] === `Bearer ${OWN.credentials.access}`;
    return isOurs && /carrier-connection$/.test(request.target) ? json(409, ENVELOPE) : service(request);
  };
};

const OTHER = /^check PCS_OTHER_ORG_ACCESS_TOKEN/;
const REVOKED = /^check PCS_REVOKED_ACCESS_TOKEN/;
const other = (otherOrganization: string | undefined) => withCredentials({ otherOrganization } as never);
const revoked = (token: string | undefined) => withCredentials({ revoked: token } as never);

/** Settings that are wrong, and what the run says would help. */
const WRONG: readonly (readonly [string, () => Service, Partial<RunOptions>, RegExp])[] = [
  ['a second key of the same organization', () => alsoKnownAs(SECOND), other(SECOND), OTHER],
  ['a second key that may only read', () => alsoKnownAs(SECOND, isRead), other(SECOND), OTHER],
  ['the same key twice', reference, other(OWN.credentials.access), OTHER],
  ['a key that is unknown', reference, other(SECOND), OTHER],
  ['a revoked credential that is alive', () => alsoKnownAs(SECOND), revoked(SECOND), REVOKED],
  ['a revoked credential that is the valid one', reference, revoked(OWN.credentials.access), REVOKED],
  ['a revoked credential that is the other one', reference, revoked(settings.PCS_OTHER_ORG_ACCESS_TOKEN), REVOKED],
  ['a number that has the connection', unassigning, {}, /^check PCS_NUMBER_ID .*, or assign the number to another/],
];

/** What rests on the settings. */
const ASKED = narrowed('SUCCESS-STATUS', 'ORG-ISOLATION', 'AUTH-APPLICATION-UNCHANGED', 'AUTH-REVOKED');
const WRONG_HERE = sampled(WRONG, 9, ([, , , remedy]) => remedy.source);

describe(`a wrong setting (${WRONG_HERE.words})`, () => {
  test.each(WRONG_HERE.items)('%s', async (_, service, changes, remedy) => {
    const { results } = await judge(service(), { ...OWN, ...ASKED, strict: true, ...changes });
    expect([results.verdict, results.reason]).toEqual(['incomplete', expect.stringContaining('could not be judged')]);
    const open = casesOf(results).filter((one) => isMust(one) && one.verdict === 'inconclusive');
    expect(
      open.map(({ id, remedy: said }) => `${id}: ${said}`).filter((line) => !remedy.test(line.replace(/^\S+ /, ''))),
    ).toEqual([]);
  });
});

// The list of numbers shows the id given for the application as a connection's: the 404 to it had been a finding.
test('the ids of an application and a connection are swapped', async () => {
  const { voiceApplication = '', carrierConnection = '' } = OWN.resources;
  const resources = { ...OWN.resources, voiceApplication: carrierConnection, carrierConnection: voiceApplication };
  const { results, record } = await judge(reference(), { ...OWN, explore: 0, resources });
  const ofUpdate = casesOf(results).find(({ id }) => id === 'PATH-SERVED/updateVoiceApplication');
  expect([results.verdict, ofUpdate?.verdict, ofUpdate?.remedy]).toEqual([
    'incomplete',
    'inconclusive',
    expect.stringMatching(/^check PCS_VOICE_APPLICATION_ID/),
  ]);
  await comesOutTheSame(record);
});
