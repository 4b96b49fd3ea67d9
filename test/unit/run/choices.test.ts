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
