/** What an invalid credential gets at another spelling of a path, and with HEAD (conformance model, sections 1 and 2). */

import type { Evidence } from '../../../src/verdict/evidence.ts';
import type { Opinion } from '../../../src/verdict/opinion.ts';
import { headRejected, rejectedAtAlias } from '../../../suites/aliases.ts';
import { as, at, bodyOf, forStatuses, judgeRule, type Named, NO_JSON, type Said } from './exchanges.ts';

const TRUNK = '/v1/trunks/1';

/** A read with the valid credential, accepted. */
const READ: Said = { tag: { operation: 'getTrunk' }, request: { method: 'GET', path: TRUNK } };
const OTHER_FORM = `${TRUNK}/`;
const UNKNOWN: Said = {
  status: 404,
  tag: { operation: null, role: 'unknown-route', control: false },
  request: { method: 'GET', path: '/v1/nothing/' },
};
const VALID_ALIAS: Said = {
  tag: { operation: 'getTrunk', role: 'compared', sequence: 'alias', control: false },
  request: { method: 'GET', path: OTHER_FORM },
};
const JUDGED_ALIAS = as('none', { ...VALID_ALIAS, tag: { ...VALID_ALIAS.tag, role: 'probe' } }, 200);
const DOCUMENTED: Said = { ...READ, tag: { ...READ.tag, role: 'compared', sequence: 'alias', control: false } };
const LAST: Said = { ...VALID_ALIAS, tag: { ...VALID_ALIAS.tag, role: 'control' } };

const OF_FORM: Said = { ...UNKNOWN, request: { method: 'GET', path: '/v1/nothing' } };

const PAGE: Said = { status: 200, body: NO_JSON };

/** What an invalid credential got at a spelling, beside what the valid one got there, and last. */
const atAlias = (row: Named, evidence: Evidence): Opinion => {
  const { judged, valid, documented, last } = row;
  if (judged === undefined || valid === undefined) throw new RangeError('the row lacks an exchange');
  return rejectedAtAlias(judged, { valid, ...(documented && { documented }) }, evidence, last);
};

judgeRule(atAlias)('another spelling needs the credential where it is served', {
  row: {
    judged: JUDGED_ALIAS,
    valid: VALID_ALIAS,
    unknown: UNKNOWN,
    read: READ,
    more: null,
    documented: null,
    last: null,
  },
  says: 'finding',
  but: [
    ...forStatuses([401, 404], 'pass'),
    ...forStatuses([429, 503], 'inconclusive'),
    ...[null, 301, 399, 404, 405].map((status) => {
      return [`the valid credential got ${status} there`, { valid: { status }, read: { status } }, 'none'] as const;
    }),
    ['an unknown route gets the same', { unknown: at(200) }, 'none'],
    ['no unknown route was asked', { unknown: null }, 'none'],
    ['the unknown route has the other form', { unknown: { request: { path: '/v1/nothing' } } }, 'none'],
    ['it is rejected there, and the documented path was not read', { valid: at(409), read: null }, 'none'],
    ['it is rejected there, and the documented path gives something else', { valid: at(409), read: at(200) }, 'none'],
    ['the documented path gave something else beside it', { documented: { ...DOCUMENTED, status: 204 } }, 'none'],
    ['all of them get the page of a web site', { unknown: PAGE, valid: PAGE }, 'none'],
    ['unknown routes get a page, and so does it', { unknown: PAGE, judged: PAGE }, 'none'],
  ],
  still: [
    ['unknown routes alone get a page', { unknown: PAGE }],
    ['the documented path was not read', { read: null }],
    ['the documented path is not found', { read: at(404) }],
    ['one of the documented form gets the same', { more: { ...OF_FORM, status: 200 } }],
    ['the documented path was read beside it alone', { read: null, documented: DOCUMENTED }],
  ],
});

judgeRule(atAlias)('a rejection there says nothing where the valid credential gets it as well', {
  row: { judged: { ...JUDGED_ALIAS, status: 409 }, valid: VALID_ALIAS, unknown: UNKNOWN, read: READ, last: null },
  says: 'pass',
  but: [
    ['it did before', { valid: at(409), read: at(409) }, 'none'],
    ['it did last', { last: { ...LAST, status: 409 } }, 'none'],
  ],
  still: [['it was accepted last', { last: LAST }]],
});

const read = (name: string): Said => ({ body: bodyOf({ name }) });
const RECORD = read('the name');

judgeRule(atAlias)('a rejection there that shows the record is none', {
  row: { judged: { ...JUDGED_ALIAS, ...RECORD, status: 401 }, valid: { ...VALID_ALIAS, ...RECORD }, unknown: UNKNOWN },
  says: 'finding',
  but: [
    ['it shows another name', { judged: read('another') }, 'pass'],
    ['the path is not served', { unknown: null }, 'none'],
  ],
});

const HEAD: Said = as(
  'none',
  { ...READ, request: { method: 'HEAD', path: TRUNK }, tag: { ...READ.tag, sequence: 'head' } },
  200,
);

const ofHead = ({ judged, unknown }: Named, evidence: Evidence): Opinion => {
  if (judged === undefined) throw new RangeError('the row lacks an exchange');
  return headRejected(judged, unknown, evidence);
};

judgeRule(ofHead)('HEAD needs the credential where GET is accepted and an unknown route rejects HEAD', {
  row: { read: READ, judged: HEAD, unknown: { ...UNKNOWN, tag: { ...UNKNOWN.tag, sequence: 'head' } } },
  says: 'finding',
  but: [
    ...forStatuses([401, 404, 405], 'pass'),
    ...forStatuses([302, 500, null], 'none'),
    ['GET was rejected', { read: at(404) }, 'none'],
    ['HEAD of an unknown route is accepted', { unknown: at(200) }, 'none'],
  ],
  still: [['no unknown route was asked', { unknown: null }]],
});
