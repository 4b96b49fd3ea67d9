/** What a call of another organization through our trunk says (conformance model, section 2, Isolation). */

import type { Exchange } from '../../../src/exchange/exchange.ts';
import { throughOurs } from '../../../suites/calls-of-others.ts';
import { ofAnotherOrganization } from '../../../suites/expect/configured-credentials.ts';
import { asks, at, bodyOf, forStatuses, judgeRule, type Said } from './exchanges.ts';

const ofCall = judgeRule(({ judged, own }, evidence) =>
  ofAnotherOrganization((all) => throughOurs(judged as Exchange, 'trunk_id', own, all))(evidence),
);

const TRUNK: Said = { tag: { operation: 'getTrunk' }, request: { method: 'GET', path: '/v1/trunks/1' } };
/** The other organization does not see it. */
const HIDDEN: Said = {
  status: 404,
  tag: { operation: 'getTrunk', control: false },
  request: { method: 'GET', path: '/v1/trunks/1', credential: 'other-organization' },
};

const body = (members: Readonly<Record<string, unknown>>): Said => ({ body: bodyOf(members) });
const BODY = { from: '1', to: '2', trunk_id: 'ours' };
const having = (members: object): Said => ({ request: { body: bodyOf({ ...BODY, ...members }) } });
const call = (credential: 'valid' | 'other-organization', body: object, status = 201, tag: Said['tag'] = {}): Said => ({
  status,
  tag: { operation: 'createCall', control: credential === 'valid', asks: asks('ORG-CALL', 'trunk_id'), ...tag },
  request: { method: 'POST', path: '/v1/calls/', credential, body: bodyOf(body as Readonly<Record<string, unknown>>) },
});
const OF_ITS_OWN = call('other-organization', { ...BODY, trunk_id: 'theirs' }, 201, { role: 'candidate' });

ofCall('their call through our trunk is rejected where one through theirs is accepted', {
  row: {
    ours: call('valid', BODY),
    own: OF_ITS_OWN,
    judged: call('other-organization', BODY, 403),
    another: HIDDEN,
    trunk: TRUNK,
  },
  says: 'pass',
  but: [
    ['theirs was rejected', { own: at(402) }, 'none'],
    ['theirs was not sent', { own: null }, 'none'],
    ['ours was rejected', { ours: at(404) }, 'none'],
    ['ours named another trunk', { ours: having({ trunk_id: 'x' }) }, 'none'],
    ...forStatuses([429, 503, 500, null], 'inconclusive'),
  ],
  still: [
    ['it got 409', { judged: at(409) }],
    ['ours named it in capitals', { ours: having({ trunk_id: 'OURS' }) }],
  ],
});

ofCall('its acceptance is access where the record of the call shows our id', {
  row: {
    ours: null,
    judged: { ...call('other-organization', BODY), ...body({ data: { call: { trunk_id: 'ours' } } }) },
    another: HIDDEN,
    trunk: TRUNK,
  },
  says: 'finding',
  but: [
    ['it shows none', { judged: body({ data: { call: { id: 'ours' } } }) }, 'none'],
    ['it shows theirs', { judged: body({ trunk_id: 'theirs' }) }, 'none'],
    ['it shows another spelling of ours', { judged: body({ trunk_id: 'OURS' }) }, 'none'],
    ['it shows ours as an application', { judged: body({ application_id: 'ours' }) }, 'none'],
  ],
  still: [
    [
      'it shows the spelling of a call of ours',
      { ours: call('valid', { ...BODY, trunk_id: 'OURS' }), judged: body({ trunk_id: 'OURS' }) },
    ],
  ],
});
