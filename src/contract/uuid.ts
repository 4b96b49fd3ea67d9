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
