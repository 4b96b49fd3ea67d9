/** Create-call bodies, most of them broken on purpose: one seed, the same bodies. */

import { NUMBERS } from './create-request.ts';

const { from, to } = NUMBERS;
const VALUES = [
  ...[`"${from}"`, `"${to}"`, from.slice(1), to.slice(1), 'null', 'true', '[]', '{}', `["${to}"]`, `["${from}"]`],
  ...['"911"', '911', '"+1911"', "'911'", '["911"]', '{"number":"911"}', '+911', '0x38f', '9.11e2', '"9\\u00311"'],
  ...[`"${to} "`, `"\\u002b${to.slice(1)}"`, `"${to}911"`, `${to.slice(1)}.0`, `["${to}","911"]`, 'NaN', '""'],
  ...['"{\\"to\\":\\"911\\"}"', '"to=911"', '"x&to=911&y"', '"\\\\u0074o: 911"', '"a"', '1.5', '[1,2]'],
] as const;
const NAMES = [
  ...['"from"', '"to"', '"To"', '"FROM"', '"t\\u006f"', '"to "', '"\\u0000to"', '"ｔｏ"', '"from[]"', '"call.to"'],
  ...['to', "'to'", 'from', '"variables"', '"codecs"', '"privacy"', '"dtmf_mode"', '"x"', '"total"', '"to\\u200b"'],
] as const;
const FRAGMENTS = [
  ...'"\\\'{}[]:,=& \n\0\t#%\ufeff',
  ...['/*', '*/', '//'],
  ...['to', 'from', '911', '"to":"911"', ',"to":911', "'to':'911'", 'to: 911', 'to=911', '&to=911', '%74o=911'],
  ...['\\"', '\\u0074', '\\x74', '\\\n', '"to"', '"911"', '{"to":"911"}', '"x":"', '","', 'null'],
  ...'é\u2028＂：',
] as const;
const BYTES = [0xff, 0xfe, 0xc3, 0xc0, 0xa2, 0xe2, 0xf0, 0x80, 0x00, 0xed, 0xa0] as const;

/** Makes one body after the other from a source of random numbers. */
export function* hostileBodies(random: () => number, count: number): Generator<Uint8Array> {
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const member = (): string => `${pick(NAMES)}:${pick(VALUES)}`;
  const kind = (): string =>
    random() < 0.6 ? member() : `"variables":{${member()}${random() < 0.3 ? `,"y":{${member()}}` : ''}}`;
  const base = (): string => {
    const own = [
      `"from":"${from}"`,
      `"to":"${to}"`,
      `"variables":{"k":"v"}`,
      `"codecs":["PCMU"]`,
      `"dtmf_mode":"rfc2833"`,
    ];
    const members = own.filter(() => random() < 0.8);
    for (let more = random() < 0.5 ? 0 : Math.ceil(random() * 2); more > 0; more -= 1) members.push(kind());
    const text = `{${members.sort(() => random() - 0.5).join(random() < 0.1 ? ' , ' : ',')}}`;
    return random() < 0.03 ? Buffer.from(text, 'utf16le').toString('latin1') : text;
  };
  const edit = (bytes: Buffer): Buffer => {
    const at = Math.floor(random() * (bytes.length + 1));
    const end = Math.min(bytes.length, at + Math.floor(random() * 8));
    const before = bytes.subarray(0, at);
    switch (Math.floor(random() * 7)) {
      case 0:
        return Buffer.from(before);
      case 1:
        return Buffer.concat([before, bytes.subarray(end)]);
      case 2:
        return Buffer.concat([before, bytes.subarray(at, end), bytes.subarray(at)]);
      case 3:
        return Buffer.concat([before, Buffer.from([pick(BYTES)]), bytes.subarray(at)]);
      case 4:
        return Buffer.concat([before, Buffer.from([Math.floor(random() * 256)]), bytes.subarray(end)]);
      case 5:
        return Buffer.concat([bytes, Buffer.from(random() < 0.5 ? pick(FRAGMENTS) : base())]);
      default:
        return Buffer.concat([before, Buffer.from(pick(FRAGMENTS)), bytes.subarray(random() < 0.5 ? at : end)]);
    }
  };
  for (let made = 0; made < count; made += 1) {
    let bytes: Buffer = Buffer.from(base());
    for (let edits = Math.floor(random() * 4); edits > 0; edits -= 1) bytes = edit(bytes);
    yield bytes;
  }
}
