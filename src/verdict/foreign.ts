/** Checks on another organization's credential (section 5). */

import type { Exchange } from '../exchange/exchange.ts';
import { answerPhrase, isAccepted, isNoAnswer, statusOf } from './answer.ts';
import { asked, type Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { found, inconclusive, none, type Opinion, PASS } from './opinion.ts';
import { judgeShown, judgeStatus } from './refusal.ts';
import { remedyFor } from './valid.ts';

/** What belongs to one organization and may stand in a list; a provider serves many. */
const OWNED: readonly string[] = [
  'PCS_TRUNK_ID',
  'PCS_NUMBER_ID',
  'PCS_CARRIER_CONNECTION_ID',
  'PCS_VOICE_APPLICATION_ID',
];

const isCut = ({ response }: Exchange): boolean => response?.body?.cut === true;

function judgeForeignList(exchange: Exchange, evidence: Evidence): Opinion {
  const own = evidence.controls(exchange.tag.operation).filter(isAccepted);
  const ours = new Set(own.flatMap((one) => one.response?.body?.mentions ?? []));
  if (ours.size === 0 && own.some(isCut)) return none('the own list was longer than the limit to which it is read');
  if (ours.size === 0) return none('the own list shows no resource that the settings name', remedyFor(exchange));
  const shown = exchange.response?.body?.mentions.find((label) => ours.has(label) && OWNED.includes(label));
  if (shown !== undefined) return found('effect', 'the list', 'no resource of another organization', shown);
  return isCut(exchange) ? none('the list was longer than the limit to which it is read') : PASS;
}

const isHangUp = ({ tag }: Exchange): boolean =>
  tag.operation === 'hangUpCall' && tag.documented && tag.ids === 'named';

/** Answers to the first hang-up of each call that nobody else tried to end. */
function untouchedHangUps(evidence: Evidence): readonly Exchange[] {
  const first = new Map<string, Exchange>();
  for (const one of evidence.exchanges.filter(isHangUp)) {
    const call = one.request.path.toLowerCase();
    if (!isNoAnswer(one) && !first.has(call)) first.set(call, one);
  }
  return [...first.values()].filter(({ request }) => request.credential === 'valid');
}

/** So many calls tell that calls of this target do not end by themselves. */
const ENOUGH_CALLS = 3;

/**
 * A refused hang-up with the own one right behind it: if that finds the call ended, although no other call of the run
 * ended by itself, the refusal came after the deed.
 */
function judgeHangUp(exchange: Exchange, evidence: Evidence): Opinion | null {
  const own = exchange.tag.operation === 'hangUpCall' ? evidence.mate(exchange, 'control') : undefined;
  if (own === undefined || isAccepted(own)) return null;
  const others = untouchedHangUps(evidence);
  const areLasting = others.length >= ENOUGH_CALLS && others.every(isAccepted);
  if (!areLasting) return none('calls of this target may end by themselves');
  return found('effect', 'the own hang-up right behind it', 'a call that is still open', answerPhrase(own));
}

function judgeForeign(exchange: Exchange, evidence: Evidence): Opinion {
  const alive = evidence.exchanges.some((one) => one.request.credential === 'other-organization' && isAccepted(one));
  const isList = exchange.tag.operation === 'listNumbers' || exchange.tag.operation === 'listTrunks';
  if (isList && isAccepted(exchange)) return judgeForeignList(exchange, evidence);
  const by = judgeStatus(exchange) ?? judgeShown(exchange, evidence) ?? judgeHangUp(exchange, evidence);
  if (by !== null) return by;
  if (!alive) return inconclusive('no operation accepted the other credential', 'check PCS_OTHER_ORG_ACCESS_TOKEN');
  // An action that works once: whoever comes second is refused for that, whatever the credential.
  const next = evidence.nextGood(exchange);
  if (next !== undefined && statusOf(next) === statusOf(exchange)) {
    return none(`the own credential got ${answerPhrase(exchange)} too`, remedyFor(exchange));
  }
  const good = evidence.goodStatuses(exchange);
  if ([...good].some((status) => status >= 200 && status < 300)) return PASS;
  if (good.size > 0 && !good.has(statusOf(exchange) ?? 0)) return PASS;
  return none('the same request with the own credential was not accepted', remedyFor(exchange));
}

/** Checks on what another organization may do. */
export const FOREIGN_CHECKS: readonly Check[] = [asked('ORG-ISOLATION', judgeForeign)];
