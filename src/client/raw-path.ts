/** Paths as they leave, seen through the eyes of whoever decodes them once more than they should. */

const MOST_LAYERS = 6;
/** Overlong forms of ASCII and the `%u` escape: some decoders make slashes and dots of them. */
const ODD_ESCAPE = /%c[01]|%e0%[89]|%f0%8|%u[0-9a-f]{4}/i;

/** The text itself and what each further percent-decoding makes of it; `null` where that has no clear end. */
export function decodings(text: string): readonly string[] | null {
  const layers = [text];
  let layer = text;
  for (let round = 0; round < MOST_LAYERS; round += 1) {
    if (ODD_ESCAPE.test(layer)) return null;
    const next = layer.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    );
    if (next === layer) return layers;
    layers.push(next);
    layer = next;
  }
  return null;
}

/** Whether a segment is `.` or `..` to anyone: look-alikes, path parameters and invisible characters removed. */
export function isDotSegment(segment: string): boolean {
  return /^\.+$/.test(
    segment
      .normalize('NFKC')
      .replace(/[;?#].*$/s, '')
      .replace(/[\p{C}\s]/gu, ''),
  );
}

/** The segments of a decoded path, on slashes of both kinds, look-alikes included. */
export function segmentsOf(path: string): readonly string[] {
  return path.normalize('NFKC').split(/[/\\]/);
}

/** The part of a request target in front of the first `?` or `#`. */
export function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/s, '');
}
