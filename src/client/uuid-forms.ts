/** UUIDs in every spelling that some reader accepts (RFC 9562 text, undashed, braced, `urn:uuid:`, short groups). */

import { UUID } from '../contract/uuid.ts';

const LENGTHS = [8, 4, 4, 4, 12] as const;

/** The 32 lower-case hexadecimal digits that a lenient reader takes from the text, or `null`. */
export function readUuid(text: string): string | null {
  // Nearly all are written so, and every request asks.
  if (UUID.test(text)) return text.replaceAll('-', '').toLowerCase();
  const bare = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{C}\s]/gu, '')
    .replace(/^[^\p{L}\p{N}]*(?:(?:urn|uuid|guid):)*/u, '')
    .replace(/0x|[^\p{L}\p{N}-]/gu, '');
  const compact = bare.replaceAll('-', '');
  if (/^[0-9a-f]{32}$/.test(compact)) return compact;
  if (!/^[0-9a-f]{1,16}(?:-[0-9a-f]{1,16}){4}$/.test(bare)) return null;
  // Readers that accept short groups pad them on the left and cut long ones there.
  const groups = bare.split('-');
  return groups.map((group, at) => group.padStart(16, '0').slice(-(LENGTHS[at] ?? 0))).join('');
}

/** Whether 32 hexadecimal digits are a random UUID, version 4. */
export function isRandomUuid(digits: string): boolean {
  return /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(digits);
}

/** The digits of every UUID in a text, dashed or not. */
export function uuidsWithin(text: string): readonly string[] {
  const plain = text.replace(/\\u00([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const found = plain.toLowerCase().match(/[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g) ?? [];
  return found.map((uuid) => uuid.replaceAll('-', ''));
}

/** Every run of 32 hexadecimal digits of a text after all other characters are removed. */
export function* digitRuns(text: string): Generator<string> {
  const digits = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '');
  for (let at = 0; at + 32 <= digits.length; at += 1) yield digits.slice(at, at + 32);
}
