/** Names as the most lenient reader takes them: letter case, look-alikes and invisible characters make no difference. */

import { READ } from '../../contract/limits.ts';
import { percentDecoded } from '../request-path.ts';

/** What a member of a create call names: the called number, the calling number, an application or a trunk. */
export type DialRole = 'to' | 'from' | 'application' | 'trunk';

/**
 * The roles of a member name. `to` and `from` count wherever they are a word of their own (`call.to`, `to[]`),
 * `application_id` and `trunk_id` also at the end of a longer name or without a separator.
 */
export function dialRoles(name: string): readonly DialRole[] {
  const words = readingsOf(name).map((reading) => reading.split(/[^\p{L}\p{N}]+/u));
  const joined = words.map((each) => each.join(''));
  const isNamed = (role: string): boolean => joined.includes(role) || words.some((each) => each.includes(role));
  const isOfKind = (kind: string): boolean => joined.some((each) => each.endsWith(`${kind}id`));
  return [...(['to', 'from'] as const).filter(isNamed), ...(['application', 'trunk'] as const).filter(isOfKind)];
}

/** Some readers keep only ASCII, and what they drop may join two words or separate them. */
function readingsOf(text: string): readonly string[] {
  const folded = text.normalize('NFKD').replace(/[\p{C}\p{M}\uFFFD]/gu, '');
  const lower = text.toLowerCase();
  return [folded.toLowerCase(), lower.replace(/[^ -~]/g, ''), lower.replace(/[^ -~]/g, ' ')];
}

const MEMBER = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*[:=]/u;
const FORM_FIELD = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*=/u;

/** Whether a text, if parsed once more, could hold a member or field named `to` or `from`. */
export function hidesMember(text: string): boolean {
  return /[:=%\\]|[^ -~]/.test(text) && matchesUnescaped(text, MEMBER);
}

/** Whether a text, if parsed as an HTML form, could hold a field named `to` or `from`. */
export function hidesFormField(text: string): boolean {
  return /[=%]|[^\t\n\r -~]/.test(text) && matchesUnescaped(text, FORM_FIELD);
}

function matchesUnescaped(text: string, pattern: RegExp): boolean {
  let layer = text;
  for (let round = 0; round < READ.layers; round += 1) {
    if (readingsOf(layer).some((reading) => pattern.test(reading))) return true;
    const next = unescaped(layer);
    if (next === layer) return false;
    layer = next;
  }
  return true;
}

const ESCAPE = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(.)|(?:%[0-9a-f]{2})+/gis;

function unescaped(text: string): string {
  return text.replace(ESCAPE, (all, four?: string, two?: string, plain?: string) => {
    if (all.startsWith('%')) return percentDecoded(all);
    const code = four ?? two;
    return code === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(code, 16));
  });
}
