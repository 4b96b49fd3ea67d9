/** Whether a refusal shows what it refuses: the record itself, in the body of the error (section 5). */

import type { Exchange, RecordedMember } from '../exchange/exchange.ts';
import { isAccepted, statusOf } from './answer.ts';
import type { Evidence } from './evidence.ts';

/** What every answer may say of itself or of the request. */
const ABOUT_THE_ANSWER = /^(?:success|code|message|error|type|object|version|.*id)$/i;

type Said = ReadonlyMap<string, string>;

/** Texts of a body by what they say: the name of the member and the digest of its value. */
function textsOf(exchange: Exchange): Said {
  const members = exchange.response?.body?.members ?? [];
  return new Map(members.filter(isTelling).map((member) => [`${nameOf(member)} ${member.digest}`, nameOf(member)]));
}

const nameOf = ({ pointer }: RecordedMember): string => pointer.split('/').at(-1) ?? '';

function isTelling(member: RecordedMember): boolean {
  return member.type === 'string' && member.digest !== undefined && !ABOUT_THE_ANSWER.test(nameOf(member));
}

const isRefusal = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) >= 400;

/**
 * The member of the record that a refused read shows, or `undefined`. What errors to the good credential say as well is
 * nothing of the record: a region, a link to the manual.
 */
export function shownOfRecord(exchange: Exchange, evidence: Evidence): string | undefined {
  const { operation } = exchange.tag;
  if (exchange.request.method !== 'GET' || !isRefusal(exchange)) return undefined;
  const said = textsOf(exchange);
  if (said.size === 0) return undefined;
  const own = evidence.exchanges.filter(({ request }) => request.credential === 'valid');
  const records = own
    .filter((one) => one.tag.operation === operation && isAccepted(one) && one.request.path === exchange.request.path)
    .map(textsOf);
  const shared = [...said].filter(([key]) => records.some((record) => record.has(key)));
  if (shared.length === 0) return undefined;
  const common = own.filter(isRefusal).map(textsOf);
  return shared.find(([key]) => !common.some((error) => error.has(key)))?.[1];
}
