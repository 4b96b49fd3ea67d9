/** What the holder of the signing key may say of true answers, and where true answers may be moved. */

import type { Exchange, RecordedBody, RecordedResponse } from '../../src/exchange/exchange.ts';
import { type Attacked, type Edit, likest, replacing } from './attacks.ts';

/** Each failing response that came, with something else said of it. */
const retold = (change: (response: RecordedResponse, one: Exchange) => RecordedResponse): Edit =>
  replacing((one) => (one.response === null ? one : { ...one, response: change(one.response, one) }));

const rebodied = (change: (body: RecordedBody) => RecordedBody): Edit =>
  retold((response) => (response.body === null ? response : { ...response, body: change(response.body) }));

/** Every response in which placeholders stand, with each written otherwise: it is no longer a leak. */
const relabelled =
  (rewrite: (inside: string) => string): Edit =>
  ({ whole }) => {
    const again = (text: string): string =>
      text.replace(/⟦([^⟦⟧]*)⟧/g, (found, inside) => (/^(byte|name)\b/.test(inside) ? found : `⟦${rewrite(inside)}⟧`));
    const retold = (response: RecordedResponse): RecordedResponse => {
      const { headers, body } = response;
      const text = body?.text === undefined ? {} : { text: again(body.text) };
      const shown = headers.map(([name, value]) => [name, again(value)] as const);
      const isSame = text.text === body?.text && JSON.stringify(shown) === JSON.stringify(headers);
      return isSame ? response : { ...response, headers: shown, body: body && { ...body, ...text }, leaks: [] };
    };
    const exchanges = whole.record.exchanges.map((one) => ({ ...one, response: one.response && retold(one.response) }));
    return { ...whole, record: { ...whole.record, exchanges } };
  };

/** Another answer that the same request got. */
const sameRequest = (one: Exchange, { whole, failing }: Attacked): Exchange | undefined =>
  whole.record.exchanges.find(
    (other) =>
      !failing.includes(other) &&
      JSON.stringify(other.request) === JSON.stringify(one.request) &&
      JSON.stringify(other.response?.body) !== JSON.stringify(one.response?.body),
  );

/** Edits of what a record says of true answers. */
export const FACT_ATTACKS: Readonly<Record<string, Edit>> = {
  'leaks of failing responses are left out': retold((response) => ({ ...response, leaks: [] })),
  'placeholders of responses have another label': relabelled(() => 'redacted'),
  'placeholders of responses stand for a part': relabelled((inside) => `${inside}, in part`),
  'placeholders of responses stand for a short secret': relabelled(() => 'configured inbound secret'),
  'placeholders of responses stand for a cookie': relabelled(() => 'cookie'),
  'failing responses have no body': retold((response) => ({ ...response, body: null })),
  'failing responses went on beyond what was read': rebodied((body) => ({ ...body, cut: true })),
  'failing responses kept out of the record are JSON': rebodied((body) => {
    const { reason: _, ...facts } = body;
    return body.text === undefined ? { ...facts, json: 'valid' } : body;
  }),
  'failing responses kept out of the record have one member': rebodied((body) =>
    body.text === undefined ? { ...body, json: 'invalid', reason: 'it is markup' } : body,
  ),
  'failing responses taught nothing': retold(({ learned: _, ...response }) => response),
  'failing responses were lost': replacing((one) => ({
    ...one,
    response: null,
    failure: { kind: 'reset', detail: 'the connection was closed' },
  })),
};

/** Edits of the answers themselves, and of what a record says only once: only a witness knows better. */
export const MOVES: Readonly<Record<string, Edit>> = {
  'all leaks are left out': ({ whole }) => {
    const silent = ({ response, ...one }: Exchange): Exchange => ({
      ...one,
      response: response && { ...response, leaks: [] },
    });
    return { ...whole, record: { ...whole.record, exchanges: whole.record.exchanges.map(silent) } };
  },
  'another answer to the same request stands over a failing one': replacing((one, attacked) => ({
    ...one,
    response: sameRequest(one, attacked)?.response ?? one.response,
  })),
  'the answer to another request stands over a failing one': replacing((one, attacked) => ({
    ...one,
    response: likest(one, attacked).response,
    failure: null,
  })),
  'failing responses mention nothing, whatever they are': rebodied((body) => ({ ...body, mentions: [] })),
  'failing responses have no members': rebodied((body) => ({ ...body, members: body.members.slice(0, 1) })),
  'failing responses have another status': retold((response) => ({ ...response, status: 400 })),
  'failing responses have no header': retold((response) => ({ ...response, headers: [] })),
  'failing responses took another time': replacing((one) => ({ ...one, took: one.took / 2 })),
};

/** The answers of another run stand over some of this one. */
const mixing =
  (isMixed: (one: Exchange, attacked: Attacked) => boolean): Edit =>
  (attacked) => {
    const { whole, other } = attacked;
    const placeOf = ({ tag, request }: Exchange): string =>
      JSON.stringify([tag.sequence, tag.attempt, tag.resend, tag.role, tag.about, request.method, request.path]);
    const answers = new Map(other.map((one) => [placeOf(one), one]));
    const exchanges = whole.record.exchanges.map((one) => {
      const found = isMixed(one, attacked) ? answers.get(placeOf(one)) : undefined;
      return found === undefined ? one : { ...one, response: found.response, failure: found.failure };
    });
    // A run that is another one as a whole is true: of another target.
    if (exchanges.every((one, at) => one !== whole.record.exchanges[at])) return whole;
    return { ...whole, record: { ...whole.record, exchanges } };
  };

const seqsOf = ({ failing }: Attacked): readonly number[] => failing.map(({ seq }) => seq);

/** Answers of another run of the target, in which it was mended: to the same requests, in the same order. */
export const MIXES: Readonly<Record<string, Edit>> = {
  'failing responses are of another run': mixing((one, { failing }) => failing.includes(one)),
  'failing sequences are of another run': mixing(({ tag }, { failing }) =>
    failing.some((one) => one.tag.sequence === tag.sequence),
  ),
  'failing operations are of another run': mixing(({ tag }, { failing }) =>
    failing.some((one) => one.tag.operation === tag.operation),
  ),
  'all up to the last failing one are of another run': mixing(({ seq }, all) => seq <= Math.max(...seqsOf(all))),
  'all from the first failing one are of another run': mixing(({ seq }, all) => seq >= Math.min(...seqsOf(all))),
};
