/** Judges the bytes of a create-call body: which numbers and ids any reader could find in them. */

import { readUuid, uuidsWithin } from '../uuid-forms.ts';
import { type Scan, type ScannedMember, scanJson } from './json-scan.ts';
import { dialRoles, hidesFormField, hidesMember } from './name-fold.ts';
import type { Refusal } from './refusal.ts';

/** The only numbers that may be dialled from and to, exactly as configured. */
export interface DialNumbers {
  readonly from: string;
  readonly to: string;
}

/** Why these bytes must not be the body of a create-call request, or `null`. */
export function judgeCreateBody(
  body: Uint8Array,
  numbers: DialNumbers | null,
  allowedIds: readonly string[],
): Refusal | null {
  const scan = scanJson(body);
  if (scan === null) {
    return { rule: 'create-unreadable', sentence: 'A create-call body is one that every reader takes the same way.' };
  }
  if (hidesFormField(scan.text) || scan.texts.some(({ text }) => hidesMember(text))) {
    return {
      rule: 'create-hidden-member',
      sentence: 'No text within a create-call body can be read as a member called "to" or "from".',
    };
  }
  return judgeNumbers(scan.members, numbers) ?? judgeIds(scan, allowedIds);
}

function judgeNumbers(members: readonly ScannedMember[], numbers: DialNumbers | null): Refusal | null {
  for (const member of members) {
    for (const role of dialRoles(member.name)) {
      if (role === 'id' || (numbers !== null && harmless(member.raw, numbers[role]))) continue;
      const only = numbers === null ? 'absent while no number is configured' : 'the configured number or no number';
      return { rule: `create-${role}`, sentence: `Every member called "${role}" of a create-call body is ${only}.` };
    }
  }
  return null;
}

/** A country code never begins with 0, and beyond 15 digits a JSON number would become another one. */
const EXACT_DIGITS = /^\+?([1-9][0-9]{0,14})$/;

function harmless(raw: string, number: string): boolean {
  const quoted = JSON.stringify(number);
  if (raw === quoted || raw === 'null' || raw === 'true' || raw === 'false') return true;
  if (/^(?:\[[ \t\r\n]*\]|\{[ \t\r\n]*\})$/.test(raw)) return true;
  if (raw.startsWith('[') && raw.endsWith(']') && raw.slice(1, -1).trim() === quoted) return true;
  return raw === EXACT_DIGITS.exec(number)?.[1];
}

/** A deployed service dials first and looks an application or a trunk up afterwards, so a made-up one is no safe probe. */
function judgeIds(scan: Scan, allowedIds: readonly string[]): Refusal | null {
  const allowed = new Set(allowedIds.map((id) => readUuid(id)));
  const members = scan.members.filter(({ name }) => dialRoles(name).includes('id'));
  const texts = scan.texts.filter(({ start }) => members.some((member) => start >= member.start && start < member.end));
  const known = (uuid: string | null): boolean => uuid === null || allowed.has(uuid);
  if (texts.every(({ text }) => known(readUuid(text)) && uuidsWithin(text).every(known))) return null;
  return { rule: 'create-id', sentence: 'A create-call body names no application or trunk but the configured ones.' };
}
