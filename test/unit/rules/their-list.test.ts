/** What the other organization is shown of its own that an update of ours wrote (conformance model, section 2, Isolation). */

import type { Exchange } from '../../../src/exchange/exchange.ts';
import { namedByOurs } from '../../../suites/expect/their-list.ts';
import { at, bodyOf, judgeRule, type Said } from './exchanges.ts';

const MARK = 'pcs-conformance 0badcafe';
const THEIRS = { method: 'GET', path: '/v1/trunks/2', credential: 'other-organization' } as const;
const renaming = (status = 200): Said => ({
  status,
  tag: { operation: 'updateTrunk' },
  request: { method: 'PATCH', path: '/v1/trunks/1', body: bodyOf({ name: `${MARK} kept` }) },
});

judgeRule(({ judged }, evidence) => namedByOurs(judged as Exchange, evidence))(
  'a trunk of theirs with a name that an update of ours wrote was renamed with it',
  {
    row: {
      change: renaming(),
      judged: { tag: { operation: 'getTrunk' }, request: THEIRS, learned: { marks: [MARK] } },
      later: null,
    },
    says: 'finding',
    but: [
      ['none of ours was accepted', { change: at(400) }, 'none'],
      ['ours came later', { change: null, later: renaming() }, 'none'],
      ['the name is of another run', { judged: { learned: { marks: ['pcs-conformance 0000cafe'] } } }, 'none'],
    ],
  },
);
