/** A version 4 UUID made from 32 hexadecimal digits. */
export function uuidOf(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4];
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join('-');
}

/** Placeholder in a field of `--header` for a new UUID in each request. */
export const DRAWN_UUID = '{uuid}';

/** The text form of a UUID (RFC 9562), in either letter case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const UUID_LENGTHS = [8, 4, 4, 4, 12] as const;

/**
 * The 32 lower-case hexadecimal digits that a lenient reader takes from the text, or `null`: RFC 9562 text, undashed,
 * braced, `urn:uuid:`, short groups.
 */
export function readUuid(text: string): string | null {
  // A fast path: nearly all UUIDs have this form, and every request is tested.
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
  return groups.map((group, at) => group.padStart(16, '0').slice(-(UUID_LENGTHS[at] ?? 0))).join('');
}
