/** What a read shows of a change: an effect that it should not have, or nothing that can be told (model, sections 1 and 2). */

import type { Exchange } from '../../../src/exchange/exchange.ts';
import type { Evidence } from '../../../src/verdict/evidence.ts';
import { none, type Opinion } from '../../../src/verdict/opinion.ts';
import { bothKept, keptUnnamed, seen } from '../../../suites/accepted-changes.ts';
import { ofAnotherOrganization } from '../../../suites/expect/configured-credentials.ts';
import {
  applicationEffect,
  changeSays,
  effectOf,
  leftUnwritten,
  showsRejected,
} from '../../../suites/rejected-changes.ts';
import { at, bodyOf, judgeRule, type Named, type Said, that, those } from './exchanges.ts';

type Credential = 'valid' | 'none' | 'bare' | 'other-organization' | 'revoked';
type Reading = 'before' | 'after' | 'control';

/** A read of the trunk with our credential, which shows that name, or none. */
const read = (name: string | null, role: Reading = 'after', sequence = 'judged'): Said => ({
  tag: { operation: 'getTrunk', sequence, role, control: true },
  request: { method: 'GET' },
  body: bodyOf(name === null ? {} : { data: { name } }),
});

/** A change of the trunk's name. */
const change = (name: string, status = 401, credential: Credential = 'none', sequence = 'judged'): Said => ({
  status,
  tag: { sequence, role: 'change', control: false },
  request: { credential, body: bodyOf({ name }) },
});

const TO_APPLICATION: Said = {
  ...change('d', 200, 'valid'),
  tag: { operation: 'updateVoiceApplication', sequence: 'x' },
};
const showing = (name: string | null): Said => ({ body: read(name).body ?? null });
const from = (credential: Credential): Said => ({ request: { credential } });

/** What the read named `judged` shows of the changes before it. */
const effect = (row: Named, evidence: Evidence): Opinion =>
  effectOf(that(row, 'before'), those(row, 'change', 'more'), that(row, 'judged'), evidence);

judgeRule(effect)('a rejected change has no effect: the read after it shows what the one before it did', {
  row: { earlier: null, before: read('a', 'before'), change: change('b'), more: null, judged: read('a') },
  says: 'pass',
  but: [
    ['it shows the name that was written', { judged: showing('b') }, 'finding'],
    ['it shows the name of the first of two', { more: change('c', 401, 'bare'), judged: showing('b') }, 'finding'],
    ['it shows a name that the trunk never had', { judged: showing('d') }, 'finding'],
    ['it shows that name, which it had before', { earlier: read('b', 'control'), judged: showing('b') }, 'finding'],
    ['it shows a name that the trunk had before', { earlier: read('d', 'control'), judged: showing('d') }, 'none'],
    ['it shows a name that we wrote before', { earlier: change('d', 200, 'valid', 'x'), judged: showing('d') }, 'none'],
    ['we wrote that to an application', { earlier: TO_APPLICATION, judged: showing('d') }, 'finding'],
    ['the change was accepted', { change: at(200) }, 'none'],
    ['the change was accepted and shows', { change: at(200), judged: showing('b') }, 'none'],
    ['a later change was accepted', { more: change('c', 200), judged: showing('c') }, 'none'],
    ['the read before was rejected', { before: at(404) }, 'none'],
    ['the read after was rejected', { judged: at(404) }, 'none'],
    ['the one before shows no name', { before: showing(null) }, 'none'],
    ['the one after shows no name', { judged: showing(null) }, 'none'],
  ],
  still: [['two were rejected', { more: change('c', 403, 'bare') }]],
});

/** What the change named `judged` says beside the read named `after`. */
const saidByChange = (row: Named, evidence: Evidence): Opinion => {
  const [change, after] = [that(row, 'judged'), row['after']];
  const shown = after === undefined ? none('not read') : effectOf(that(row, 'before'), [change], after, evidence);
  return changeSays(change, shown, row['madeUp'], evidence);
};

judgeRule(saidByChange)('the finding belongs to the read', {
  row: { before: read('a', 'before'), judged: change('b'), after: read('b') },
  says: 'none',
  but: [
    ['the read shows no effect', { after: showing('a') }, 'pass'],
    ['the change was accepted', { judged: at(200) }, 'finding'],
  ],
  still: [
    ['nothing was read', { after: null }],
    ['it was accepted with a form that may be valid', { judged: { status: 200, request: { credential: 'bare' } } }],
  ],
});

judgeRule(saidByChange)('a change with the revoked credential was accepted', {
  row: {
    before: read('a', 'before'),
    judged: change('b', 200, 'revoked'),
    after: read('b'),
    revoked: { ...read('a', 'control'), ...from('revoked'), status: 401 },
    unknown: { ...read('a', 'control'), ...from('none'), status: 401 },
  },
  says: 'finding',
  but: [
    ['that credential was rejected nowhere', { revoked: null }, 'none'],
    ['it was rejected for other reasons', { revoked: at(403) }, 'none'],
    ['it was rejected here too', { judged: at(401), after: showing('a') }, 'pass'],
  ],
});

/** Another change of ours and a read of what it did, in a sequence of their own. */
const LAG = {
  known: read('x', 'control', 'lag'),
  changed: change('y', 200, 'valid', 'lag'),
  stale: read('x', 'after', 'lag'),
};

judgeRule(effect)('a read says nothing that comes no later than one which missed an accepted change', {
  row: { ...LAG, again: null, before: read('a', 'before'), change: change('b'), pause: null, judged: read('a') },
  says: 'none',
  but: [
    ['that read showed the change', { stale: showing('y') }, 'pass'],
    ['that change was rejected', { changed: at(400) }, 'pass'],
    ['that change was not ours', { changed: from('none') }, 'pass'],
    ['that read showed another name', { stale: showing('z') }, 'pass'],
    ['that read was rejected', { stale: at(404) }, 'pass'],
    ['it comes after one read again', { again: read('y', 'after', 'lag'), pause: read('a', 'before') }, 'pass'],
  ],
  still: [
    ['that one was read again', { again: read('y', 'after', 'lag') }],
    ['it comes later than one that was not read again', { pause: read('a', 'before') }],
  ],
});

const OTHERS = { from: 'other-organization' } as const;
const MADE_UP = change('c', 404, OTHERS.from, 'made up');
const TWO: Said = {
  tag: { operation: 'getTrunk', control: false, ids: 'named' },
  status: 404,
  request: { method: 'GET', credential: OTHERS.from },
};

judgeRule((row, evidence) => ofAnotherOrganization((all) => effect(row, all))(evidence))(
  'a 2xx to another organization may be politeness, its name is not',
  {
    row: {
      before: read('a', 'before'),
      change: change('b', 200, OTHERS.from),
      more: null,
      judged: read('b'),
      ours: read('a', 'control', 'ours'),
      theirs: TWO,
    },
    says: 'finding',
    but: [
      ['the read shows the name before', { judged: showing('a') }, 'none'],
      ['the read shows another name', { judged: showing('d') }, 'none'],
      ['another invalid credential was accepted as well', { more: change('c', 200) }, 'none'],
    ],
    still: [['it was rejected', { change: at(403) }]],
  },
);

judgeRule(saidByChange)('its acceptance is access only where the target looks ids up', {
  row: {
    madeUp: MADE_UP,
    before: read('a', 'before'),
    judged: change('b', 200, OTHERS.from),
    after: read('a'),
    theirs: TWO,
  },
  says: 'finding',
  but: [
    ['a made-up id was accepted, too', { madeUp: at(200) }, 'none'],
    ['a made-up id was put off', { madeUp: at(429) }, 'none'],
    ['none was sent', { madeUp: null }, 'none'],
  ],
});

const WITHOUT_NAME: Said = { ...change('c'), request: { credential: 'none', body: bodyOf({}) } };

/** What a read in a walk shows of the changes that are meant. */
const inWalk = (isMeant: (change: Exchange) => boolean) => (row: Named) =>
  showsRejected(that(row, 'judged'), those(row, 'change', 'more'), isMeant);

judgeRule(inWalk(({ request }) => request.credential === 'none'))(
  'in a walk only the name of a rejected change shows an effect',
  {
    row: { change: change('b'), more: null, judged: read('b') },
    says: 'finding',
    but: [
      ['another name is shown', { judged: showing('d') }, 'none'],
      ['no name is shown', { judged: showing(null) }, 'none'],
      ['none is shown behind a change without one', { more: WITHOUT_NAME, judged: showing(null) }, 'none'],
      ['a change with that name was accepted', { more: change('b', 200, 'valid') }, 'none'],
      ['the change was accepted', { change: at(200) }, 'none'],
      ['the credential was valid', { change: from('valid') }, 'none'],
    ],
  },
);

judgeRule((row, evidence) => leftUnwritten(that(row, 'change'), that(row, 'judged'), evidence))(
  'an update that is rejected as invalid changes nothing',
  {
    row: { change: change('b', 422, 'valid'), judged: read('a') },
    says: 'pass',
    but: [
      ['its name is shown', { judged: showing('b') }, 'finding'],
      [
        'it is shown with something added',
        { judged: { ...showing('[b]'), learned: { fields: { name: '[b]' } } } },
        'finding',
      ],
      ['no name is shown', { judged: showing(null) }, 'none'],
      ...[200, 404, 409, 500].map(
        (status) => [`it got ${status}`, { change: at(status), judged: showing('b') }, 'none'] as const,
      ),
    ],
    still: [['it got 400', { change: at(400) }]],
  },
);

judgeRule((row) => seen(row['change'], that(row, 'judged')))('an accepted update is what the read after it shows', {
  row: { change: change('b', 200, 'valid'), judged: read('b') },
  says: 'pass',
  but: [
    ['another name is shown', { judged: showing('a') }, 'finding'],
    ['no name is shown', { judged: showing(null) }, 'none'],
    ['the update was rejected', { change: at(422) }, 'none'],
    ['the update may take effect later', { change: at(202) }, 'none'],
    ['none was sent', { change: null }, 'none'],
  ],
});

const DIRECTION: Said = {
  ...change('', 200, 'valid'),
  request: { credential: 'valid', body: bodyOf({ direction: 'in' }) },
};

const atOnce = (row: Named, evidence: Evidence): Opinion => {
  const single = row['after'] === undefined ? none('not sent') : seen(row['third'], row['after']);
  return bothKept(those(row, 'first', 'second'), that(row, 'judged'), single, evidence);
};

judgeRule(atOnce)('of two updates at once neither is lost', {
  row: {
    single: change('x', 200, 'valid', 'alone'),
    alone: read('x', 'after', 'alone'),
    unknown: { ...read('w'), tag: { operation: 'getTrunk', ids: 'well-formed' } },
    first: change('b', 200, 'valid'),
    second: DIRECTION,
    judged: read('x'),
    third: change('c', 200, 'valid'),
    after: read('c'),
  },
  says: 'finding',
  but: [
    ['the name is shown', { judged: showing('b') }, 'pass'],
    ['no name is shown', { judged: showing(null) }, 'none'],
    ['one was rejected', { second: at(409) }, 'none'],
    ['one may take effect later', { second: at(202) }, 'none'],
    ['a single one is not shown either', { after: showing('x') }, 'none'],
    ['no single one followed', { third: null, after: null }, 'none'],
    ['none was shown before', { alone: showing('w') }, 'none'],
    ['the read with an id that names nothing was of the trunk', { unknown: { tag: { ids: 'named' } } }, 'none'],
    ['the one before was rejected', { single: at(409) }, 'none'],
    ['it shows neither the name before', { judged: showing('q') }, 'none'],
  ],
});

const application = (name?: string): Said => ({
  tag: { operation: 'updateVoiceApplication', sequence: 'judged', role: 'after', control: true },
  learned: name === undefined ? {} : { fields: { name } },
});
const OF_APPLICATION: Said = {
  ...change('b'),
  tag: { operation: 'updateVoiceApplication', sequence: 'judged', role: 'change', control: false },
};

const onApplication = (row: Named, evidence: Evidence): Opinion =>
  applicationEffect(those(row, 'change'), that(row, 'judged'), evidence);

judgeRule(onApplication)('a rejected update has no effect that a later answer shows', {
  row: { ...LAG, stale: { ...LAG.stale, ...showing('y') }, change: OF_APPLICATION, judged: application('a') },
  says: 'pass',
  but: [
    ['its name is shown', { judged: application('b') }, 'finding'],
    ['its name is shown with something added', { judged: application('[b]') }, 'finding'],
    ['no name is shown', { judged: { learned: {} } }, 'none'],
    ['it was accepted', { change: at(200) }, 'none'],
    ['none was sent', { change: null }, 'none'],
    ['reads of this target lag as long', { stale: showing('x') }, 'none'],
  ],
});

judgeRule(onApplication)('another organization that got a 2xx had an effect where its name is shown', {
  row: {
    change: {
      ...OF_APPLICATION,
      status: 200,
      request: { ...OF_APPLICATION.request, credential: 'other-organization' },
    },
    judged: application('b'),
  },
  says: 'finding',
  but: [
    ['another name is shown', { judged: application('a') }, 'none'],
    ['a caller without a credential got it', { change: from('none') }, 'none'],
  ],
});

const saidByApplicationChange = (row: Named, evidence: Evidence): Opinion => {
  const [change, after] = [that(row, 'judged'), row['after']];
  return changeSays(
    change,
    after === undefined ? none('not read') : applicationEffect([change], after, evidence),
    undefined,
    evidence,
  );
};

judgeRule(saidByApplicationChange)('and the finding belongs to that answer', {
  row: { judged: OF_APPLICATION, after: application('b') },
  says: 'none',
  but: [
    ['the update was accepted', { judged: at(200) }, 'finding'],
    ['the answer shows no effect', { after: application('a') }, 'pass'],
  ],
  still: [['nothing was read', { after: null }]],
});

/** An answer that shows these fields of the trunk. */
const fields = (shown: Readonly<Record<string, string | null>>): Said => ({
  tag: { operation: 'getTrunk', sequence: 'judged', control: true },
  request: { method: 'GET' },
  learned: { fields: shown },
});

const UPDATED: Said = {
  request: { method: 'PATCH' },
  body: { ...bodyOf({}), mentions: ['PCS_VOICE_APPLICATION_ID'] },
};

/** Our list, with the name that we wrote to our trunk on another one. */
const RENAMED: Said = { tag: { operation: 'listTrunks' }, learned: { isNameOnAnother: true } };

const kept = (row: Named, evidence: Evidence): Opinion => {
  const looks = { before: that(row, 'before'), change: that(row, 'change'), reading: that(row, 'judged') };
  return keptUnnamed('trunk', ['name', 'status'], looks, evidence);
};

judgeRule(kept)('an update leaves alone what it does not name', {
  row: {
    ...{ known: null, changed: null, stale: null, list: null },
    before: fields({ name: 'a', status: 'active', direction: 'in' }),
    change: change('b', 200, 'valid'),
    judged: fields({ name: 'a', status: 'active', direction: 'out' }),
  },
  says: 'pass',
  but: [
    ['a field lost its value', { judged: fields({ name: null, status: 'active' }) }, 'finding'],
    ['reads of this target lag as long', { ...LAG, judged: fields({ name: null, status: 'active' }) }, 'none'],
    ['a field is missing', { judged: fields({ status: 'active' }) }, 'finding'],
    ['a field has another value', { judged: fields({ name: 'c', status: 'active' }) }, 'finding'],
    ['a list shows the name on another trunk', { list: RENAMED }, 'finding'],
    ['the update was rejected', { change: at(422) }, 'none'],
    ['the update may take effect later', { change: at(202) }, 'none'],
    ['the read was rejected', { judged: at(404) }, 'none'],
    ['the fields had no value before', { before: fields({ name: null, status: '' }) }, 'none'],
  ],
  still: [
    ['the status changed by itself', { judged: fields({ name: 'a', status: 'inactive' }) }],
    ['the answer to an update shows less', { judged: { ...fields({ status: 'active' }), ...UPDATED } }],
  ],
});

const keptAfterTwo = (row: Named, evidence: Evidence): Opinion => {
  const last = { before: that(row, 'first'), change: that(row, 'last') };
  const looks = { before: last.change, change: that(row, 'judged'), reading: that(row, 'judged'), last };
  return keptUnnamed('voice application', ['name'], looks, evidence);
};

/** An answer to an accepted update of a voice application, which shows this name. */
const named = (name: string, written = name): Said => ({ ...change(written, 200), learned: { fields: { name } } });

const AS_BEFORE = { ...named('a'), ...UPDATED };

judgeRule(keptAfterTwo)('an update leaves alone what the one before it wrote', {
  row: {
    ...LAG,
    stale: { ...LAG.stale, ...showing('y') },
    first: named('a'),
    last: named('b', 'b'),
    judged: { ...named('b'), ...UPDATED },
  },
  says: 'pass',
  but: [
    ['none of them was stored', { last: named('a', 'b'), judged: AS_BEFORE }, 'finding'],
    ['reads lag as long', { stale: showing('x'), last: named('a', 'b'), judged: AS_BEFORE }, 'none'],
  ],
  still: [
    ['that one was rejected', { last: { ...named('a', 'b'), status: 422 }, judged: AS_BEFORE }],
    ['that one may take effect later', { last: { ...named('a', 'b'), status: 202 }, judged: AS_BEFORE }],
    ['it is stored in another form', { last: named('B', 'b'), judged: { ...named('B'), ...UPDATED } }],
    ['it wrote that name again', { last: named('a', 'a'), judged: AS_BEFORE }],
  ],
});
