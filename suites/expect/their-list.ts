/** What a list may show to another organization: no resource of ours, and no trunk with a name that we wrote. */

import { operationById } from '../../src/contract/operations.ts';
import { remedyOf, SETTING_OF } from '../../src/contract/settings.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { bodyOf, isAccepted, isOurs } from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';
import { jsonOf } from '../../src/verdict/sibling.ts';
import { OWNED } from '../operations.ts';
import { OWNED_SETTINGS } from './configured-credentials.ts';
import { remedyForControl } from './remedy.ts';

export const mentionsIn = ({ response }: Exchange): readonly string[] => response?.body?.mentions ?? [];
const isCut = ({ response }: Exchange): boolean => response?.body?.cut === true;

/** A list of this target that shows none of the configured ids cannot show them to another organization. */
function unlisted({ tag }: Exchange, { facts }: Evidence): Opinion {
  const name = tag.operation === 'listTrunks' ? SETTING_OF.trunk : SETTING_OF.number;
  const reason = 'our own list shows no resource that the settings name';
  return facts.settings.includes(name) ? none(reason) : none(reason, remedyOf(name));
}

/** Settings whose resource an operation reached with our own credential and an id. */
const reachedIn = (evidence: Evidence): readonly string[] =>
  OWNED.filter((id) => evidence.hasAcceptedControl(id)).flatMap((id) =>
    operationById(id).resources.map((kind) => SETTING_OF[kind]),
  );

/** Their list shows a name that we wrote: an update without a condition renamed the trunks of both organizations. */
function ourName({ seq, response }: Exchange, { exchanges }: Evidence): string | undefined {
  const names = exchanges.flatMap((sent) => {
    const isUpdate = sent.seq < seq && isOurs(sent) && isAccepted(sent);
    const { name } = Object(isUpdate ? jsonOf(sent) : null);
    return typeof name === 'string' ? [name] : [];
  });
  const isWritten = (response?.learned?.marks ?? []).some((mark) => names.some((name) => name.includes(mark)));
  return isWritten ? 'a name that our updates wrote' : undefined;
}

/** Whether a list that another organization reads shows nothing of ours. */
export function hiddenInList(exchange: Exchange, evidence: Evidence): Opinion {
  const lists = evidence.controls(exchange.tag.operation).filter(isAccepted);
  if (lists.length === 0) return none('our own list was not accepted', remedyForControl(exchange, evidence));
  const listed = new Set(lists.flatMap(mentionsIn));
  // Our own list may lack our resources: it shows one page, or the records of the wrong organization.
  const ours = new Set([...listed, ...reachedIn(evidence)]);
  const isOurs = (setting: string): boolean => ours.has(setting) && OWNED_SETTINGS.includes(setting);
  const shown = mentionsIn(exchange).find(isOurs) ?? ourName(exchange, evidence);
  if (shown !== undefined) return found('the list', 'no resource of another organization', shown);
  // In a one-second cache without the organization in its key, their read came first, and ours got the same bytes.
  const isTheirs = (list: Exchange): boolean => bodyOf(list)?.digest === bodyOf(exchange)?.digest;
  const hasItems = bodyOf(exchange)?.members.some(({ pointer }) => pointer.includes('/-')) === true;
  if (lists.some((list) => mentionsIn(list).some(isOurs)) && hasItems && lists.some(isTheirs))
    return found('our own list', 'the resources of this organization', 'the list of the other organization');
  if (listed.size === 0 && lists.some(isCut)) return none('our own list exceeded the size limit');
  if (listed.size === 0) return unlisted(exchange, evidence);
  return isCut(exchange) ? none('the list exceeded the size limit') : PASS;
}

/** Whether their trunk has a name that we wrote; a certification may read their list before our first update. */
export function namedByOurs(theirs: Exchange, evidence: Evidence): Opinion {
  const shown = ourName(theirs, evidence);
  return shown === undefined ? none('the name was there before') : found('the name', 'a name that they wrote', shown);
}
