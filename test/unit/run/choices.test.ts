import { describe, expect, test } from 'vitest';
import { renderChoices } from '../../../src/run/choices.ts';
import { choicesOf } from '../../../suites/index.ts';
import { chosen, recordOf, type Said } from './exchanges.ts';

const asks = (id: string, variation = '') => [{ id, variation }];
const asking = (id: string, variation = ''): Said => ({ tag: { asks: asks(id, variation) } });

describe('what a request asks of a gap', () => {
  test('is noted under its label', () => {
    expect(chosen('GAP-UNKNOWN-QUERY', asking('GAP-UNKNOWN-QUERY', 'x=1'))).toEqual([
      'listTrunks: x=1: accepted (200)',
    ]);
  });

  test.each([
    [400, 'rejected (400)'],
    [429, 'retryable (429)'],
    [503, 'retryable (503)'],
    [500, 'failed (500)'],
    [301, 'redirected (301) to elsewhere'],
    [null, 'no complete response (timeout)'],
  ] as const)('speaks of status %s in one phrase', (status, phrase) => {
    expect(chosen('GAP-HEAD', { ...asking('GAP-HEAD', 'x'), operation: null, status })).toEqual([
      `undocumented: x: ${phrase}`,
    ]);
  });

  test('is nothing where the valid credential was not recognized', () => {
    expect(chosen('GAP-HEAD', { ...asking('GAP-HEAD', 'x'), status: 401 })).toEqual([]);
  });

  test('is nothing where several things were rejected together', () => {
    const both = { tag: { asks: [...asks('GAP-NESTING', 'deep'), ...asks('GAP-UNKNOWN-MEMBERS', 'more')] } };
    expect(chosen('GAP-NESTING', { ...both, status: 400 })).toEqual([]);
    expect(chosen('GAP-NESTING', both)).toEqual(['listTrunks: deep: accepted (200)']);
  });

  test('is also read from requests that a requirement judges', () => {
    const said: Said = {
      operation: 'updateTrunk',
      status: 415,
      tag: { asks: asks('CONTENT-TYPE-OTHER'), about: 'labelled' },
    };
    expect(chosen('GAP-MEDIA-TYPE', said)).toEqual(['updateTrunk: labelled: rejected (415)']);
  });

  test('names the methods that OPTIONS allows, sorted', () => {
    const said = {
      ...asking('GAP-OPTIONS', 'x'),
      operation: null,
      status: 204,
      headers: [['Allow', 'POST,GET']],
    } as const;
    expect(chosen('GAP-OPTIONS', said)).toEqual(['undocumented: x: accepted (204), Allow: GET, POST']);
  });

  test.each([
    [['one'], 'shorter than without it'],
    [['one', 'two', 'three'], 'about as long as without it'],
    [['one', 'two', 'three', 'four', 'five'], 'longer than without it'],
  ] as const)('compares a page of %j with the whole list', (answered, phrase) => {
    const plain = { answered: ['one', 'two', 'three'] };
    const page = { ...asking('GAP-QUERY-LIST-TRUNKS', 'limit'), answered };
    expect(chosen('GAP-QUERY-LIST-TRUNKS', plain, page)).toEqual([`listTrunks: limit: accepted (200), ${phrase}`]);
  });

  test('counts the last answer where the request was sent again', () => {
    const tag = { sequence: 's', asks: asks('GAP-HEAD', 'x') };
    const first = { operation: null, status: 503, tag };
    expect(chosen('GAP-HEAD', first, { operation: null, tag: { ...tag, resend: 1, replaces: 1 } })).toEqual([
      'undocumented: x: accepted (200)',
    ]);
  });

  test('counts both answers of two equal requests, unless one was sent in the place of the other', () => {
    const tag = { sequence: 's', asks: asks('GAP-HEAD', 'x') };
    const first = { operation: null, status: 503, tag };
    expect(chosen('GAP-HEAD', first, { operation: null, tag })).toHaveLength(2);
  });
});

describe('what was done before', () => {
  const call = '/v1/calls/0f0e0d0c-0b0a-4908-8706-050403020100';
  const act = (operation: string, action: string, status = 200): Said => ({
    operation,
    method: 'POST',
    path: `${call}/${action}`,
    status,
    tag: { ids: 'named' },
  });

  test('shows a second hang-up and an answer after it', () => {
    const said = [act('hangUpCall', 'hangup'), act('hangUpCall', 'hangup', 409), act('answerCall', 'answer', 410)];
    expect(chosen('GAP-HANGUP-TWICE', ...said)).toEqual(['hangUpCall: rejected (409)']);
    expect(chosen('GAP-ANSWER-AFTER-HANGUP', ...said)).toEqual(['answerCall: rejected (410)']);
    expect(chosen('GAP-STATE-TRANSITIONS', ...said)).toEqual([
      'answerCall: answer after hang-up: rejected (410)',
      'hangUpCall: hang-up after hang-up: rejected (409)',
      'hangUpCall: hang-up first: accepted (200)',
    ]);
  });

  test('keeps the actions on different calls apart', () => {
    const other = { ...act('hangUpCall', 'hangup', 404), path: '/v1/calls/another/hangup' };
    expect(chosen('GAP-HANGUP-TWICE', act('hangUpCall', 'hangup'), other)).toEqual([]);
  });

  test('shows a second mute', () => {
    const mute = { ...act('muteParticipant', 'mute'), path: '/v1/conferences/a/participants/b/mute' };
    expect(chosen('GAP-MUTE-TWICE', mute, { ...mute, status: 409 })).toEqual(['muteParticipant: rejected (409)']);
  });
});

describe('what was sent', () => {
  test('shows the form of accepted ids', () => {
    const read = (id: string): Said => ({ operation: 'getTrunk', path: `/v1/trunks/${id}`, tag: { ids: 'named' } });
    expect(chosen('GAP-ID-FORM', read('0f0e0d0c-0b0a-4908-8706-050403020100'), read('trk_1'))).toEqual([
      'getTrunk: UUIDs',
      'getTrunk: other than UUIDs',
    ]);
  });

  test('shows what the other slash form answers', () => {
    const alias: Said = { path: '/v1/trunks', status: 308, tag: { documented: false } };
    const location = (to: string): Said => ({ ...alias, headers: [['Location', to]] });
    expect(chosen('GAP-OTHER-SLASH-FORM', { ...alias, status: 404 })).toEqual(['listTrunks: rejected (404)']);
    expect(chosen('GAP-OTHER-SLASH-FORM', location('https://service.invalid/v1/trunks/?a'))).toEqual([
      'listTrunks: redirected (308) to the other slash form',
    ]);
    expect(chosen('GAP-OTHER-SLASH-FORM', location('/login'))).toEqual(['listTrunks: redirected (308) to elsewhere']);
  });

  test('shows the smallest bodies of an update that suffice', () => {
    const update = (sent: unknown, status = 200): Said => ({ operation: 'updateTrunk', method: 'PATCH', sent, status });
    const said = [update({}, 400), update({ name: 'x', status: 'y' }), update({ name: 'x', direction: 'z' })];
    expect(chosen('GAP-UPDATE-REQUIRED', ...said)).toEqual([
      'updateTrunk: enough: direction, name',
      'updateTrunk: enough: name, status',
    ]);
    expect(chosen('GAP-UPDATE-REQUIRED', update({}), ...said)).toEqual(['updateTrunk: no member is required']);
  });

  test('shows calls with neither id, with one and with both', () => {
    const call = (ids: object, status: number): Said => ({
      operation: 'createCall',
      sent: { from: 'a', ...ids },
      status,
      tag: { control: true },
    });
    const said = [call({ application_id: null }, 409), call({ trunk_id: 'a' }, 201)];
    expect(chosen('GAP-APPLICATION-VERSUS-TRUNK', ...said, call({ trunk_id: 'a', application_id: 'b' }, 201))).toEqual([
      'createCall: both: accepted (201)',
      'createCall: neither: rejected (409)',
      'createCall: trunk_id only: accepted (201)',
    ]);
  });
});

describe('limits', () => {
  test('show as names of header fields and as 429', () => {
    const headers = [['X-RateLimit-Limit', '300']] as const;
    expect(chosen('GAP-RATE-LIMITS', { headers }, { status: 429, headers: [['Retry-After', '1']] })).toEqual([
      'listTrunks: 429 seen',
      'listTrunks: header fields: retry-after, x-ratelimit-limit',
    ]);
    expect(chosen('GAP-RATE-LIMITS', {})).toEqual(['listTrunks: no header field']);
  });

  test('show lateness without a time', () => {
    expect(chosen('GAP-LATENESS', { took: 9_999 })).toEqual(['listTrunks: within 10 s']);
    expect(chosen('GAP-LATENESS', {}, { took: 10_001 })).toEqual(['listTrunks: over 10 s']);
  });
});

describe('rendered choices', () => {
  const choice = (gap: string, operation: string, words: string) => ({ gap, operation, choice: words });

  test('stand one a line in the order of code units, each once', () => {
    const choices = [choice('B', 'x', 'a'), choice('A', 'x', 'é'), choice('A', 'x', 'Z'), choice('B', 'x', 'a')];
    expect(renderChoices(choices)).toBe(
      [
        '[',
        '  {"gap":"A","operation":"x","choice":"Z"},',
        '  {"gap":"A","operation":"x","choice":"é"},',
        '  {"gap":"B","operation":"x","choice":"a"}',
        ']',
        '',
      ].join('\n'),
    );
  });

  test('are an empty list for an empty record', () => {
    expect(renderChoices(choicesOf(recordOf()))).toBe('[]\n');
  });

  test('do not depend on the order in which exchanges were noted', () => {
    const mute: Said = {
      operation: 'muteParticipant',
      path: '/v1/conferences/a/participants/b/mute',
      tag: { ids: 'named' },
    };
    const record = recordOf({}, mute, { ...mute, status: 409 }, { status: 503 });
    const reversed = { ...record, exchanges: record.exchanges.toReversed() };
    expect(renderChoices(choicesOf(reversed))).toBe(renderChoices(choicesOf(record)));
  });
});
