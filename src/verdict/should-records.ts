/** Checks on what a write leaves behind and on what a trunk shows (sections 3 and 4; RFC 9110, section 9.2.2). */

import type { Exchange } from '../exchange/exchange.ts';
import { nameOf } from './access.ts';
import { answerPhrase, bodyOf, isAccepted, isError, isNoAnswer, statusOf } from './answer.ts';
import { asked, type Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { found, none, type Opinion, PASS } from './opinion.ts';

function writtenName(exchange: Exchange): string | undefined {
  return exchange.request.body?.members.find(({ pointer }) => pointer === '/name')?.digest;
}

/** Asked on the reading after a change: the name is the one that was written. */
function judgeVisible(exchange: Exchange, evidence: Evidence): Opinion {
  const change = evidence.mate(exchange, 'change');
  if (change === undefined || !isAccepted(change)) return none('the change was not accepted');
  if (statusOf(change) === 202) return none('the change was answered 202: it may show later');
  const shown = nameOf(exchange);
  if (shown === undefined) return none(`${answerPhrase(exchange)}, and no name in it`);
  if (shown === writtenName(change)) return PASS;
  return found('content', '/name of the trunk', 'the name that was written', 'another name');
}

/** Pointers of the objects that have a member of that name. */
function placesOf(exchange: Exchange, name: string): readonly string[] {
  const pointers = bodyOf(exchange)?.members.map(({ pointer }) => pointer) ?? [];
  return pointers
    .filter((pointer) => pointer.endsWith(`/${name}`))
    .map((pointer) => pointer.slice(0, -name.length - 1));
}

/** The interface does not say where in the answer the record stands: one place that has both will do. */
function judgeState(exchange: Exchange): Opinion {
  const body = bodyOf(exchange);
  if (body !== null && body.json === 'invalid') return none('the body is not JSON');
  const withStatus = placesOf(exchange, 'status');
  const withDirection = placesOf(exchange, 'direction');
  if (withStatus.some((place) => withDirection.includes(place))) return PASS;
  const missing = [
    ...(withStatus.length === 0 ? ['status'] : []),
    ...(withDirection.length === 0 ? ['direction'] : []),
  ];
  const actual = missing.length === 0 ? 'status and direction apart' : `no ${missing.join(' and no ')}`;
  return found('content', `the body of the ${statusOf(exchange)}`, 'a record with status and direction', actual);
}

/** A PUT just like the last one that was accepted there leaves things as they are, so it is accepted as well. */
function judgeRepeated(exchange: Exchange, evidence: Evidence): Opinion {
  const { path, method } = exchange.request;
  const last = evidence.exchanges.findLast(
    (one) => one.seq < exchange.seq && one.request.path === path && one.request.method === method && isAccepted(one),
  );
  if (last?.request.body?.digest !== exchange.request.body?.digest)
    return none('the last accepted PUT was another one');
  if (isAccepted(exchange)) return PASS;
  const status = statusOf(exchange) ?? 0;
  const elsewhere = isNoAnswer(exchange) || !isError(exchange) || status >= 500 || [401, 402, 403].includes(status);
  if (elsewhere) return none(`${answerPhrase(exchange)} to a repeated PUT`);
  return found('status', 'the status', 'acceptance, as of the same PUT before', answerPhrase(exchange));
}

/** Checks on records. */
export const SHOULD_RECORDS: readonly Check[] = [
  asked('UPDATE-VISIBLE', judgeVisible),
  {
    requirement: 'TRUNK-SHOWS-STATE',
    concerns: (exchange) =>
      exchange.tag.operation === 'getTrunk' && exchange.tag.ids === 'named' && isOurs(exchange) && isAccepted(exchange),
    judge: judgeState,
  },
  {
    requirement: 'PUT-REPEATED',
    concerns: (exchange) => exchange.request.method === 'PUT' && isPlainControl(exchange),
    judge: judgeRepeated,
  },
];

/** A valid request as it is documented: a label of its own has a requirement of its own. */
function isPlainControl(exchange: Exchange): boolean {
  return isOurs(exchange) && exchange.tag.control && !exchange.tag.asks.includes('CONTENT-TYPE-CHARSET');
}

/** Asked at the documented path with the good credential. */
function isOurs({ tag, request }: Exchange): boolean {
  return tag.documented && request.credential === 'valid';
}
