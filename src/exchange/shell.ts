/** Words of a POSIX shell that stand for exactly the text or bytes that they are made from. */

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** `true` where a terminal shows every character of the text as itself. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** The text in single quotes. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A `printf` that writes these bytes; all but plain ASCII is written in octal. */
export function printfOf(bytes: Uint8Array): string {
  const format = Array.from(bytes, (byte) => {
    if (byte === 0x25) return '%%';
    if (byte === 0x5c) return '\\\\';
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');
  // A format that begins with a dash would be read as an option.
  return `printf -- ${singleQuoted(format)}`;
}

/** A word for any text; control characters come from `printf`, and NUL, which no argument can hold, is left out. */
export function shellWord(text: string): string {
  if (isPrintable(text)) return singleQuoted(text);
  return `"$(${printfOf(Buffer.from(text.replaceAll('\0', ''), 'utf8'))})"`;
}
