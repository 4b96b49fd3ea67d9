/** Encoders of the tests' own, so that redaction is not measured by itself. */

/** A text of that many letters out of an alphabet. */
export function randomText(random: () => number, length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

export const TOKEN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const units = (text: string): string[] => Array.from({ length: text.length }, (_, at) => text.charAt(at));
const bytes = (text: string): number[] => [...Buffer.from(text, 'utf8')];
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Each way to write a text, by name; `random` chooses which characters a partial encoding escapes. */
export const ENCODINGS: Readonly<Record<string, (text: string, random: () => number) => string>> = {
  raw: (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  percent: (text) =>
    bytes(text)
      .map((byte) => `%${hex(byte, 2)}`)
      .join(''),
  'percent in part': (text, random) =>
    bytes(text)
      .map((byte) => (random() < 0.5 || byte > 126 ? `%${hex(byte, 2).toUpperCase()}` : String.fromCharCode(byte)))
      .join(''),
  'percent twice': (text) =>
    encodeURIComponent(
      bytes(text)
        .map((byte) => `%${hex(byte, 2)}`)
        .join(''),
    ),
  'percent of base64': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'JSON escapes': (text) =>
    units(text)
      .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
      .join(''),
  'JSON escapes in part': (text, random) =>
    units(text)
      .map((unit) =>
        random() < 0.4 || unit === '\\' || unit === '"' ? `\\u${hex(unit.charCodeAt(0), 4).toUpperCase()}` : unit,
      )
      .join(''),
  'JSON in JSON': (text) =>
    JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1).replaceAll('/', '\\/').replaceAll('-', '\\u002d'),
  'JSON escapes in JSON': (text) =>
    units(text)
      .map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`)
      .join(''),
  hex: (text) => Buffer.from(text).toString('hex'),
  'upper hex': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'HTML decimal': (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join(''),
  'HTML hex': (text) => [...text].map((letter) => `&#x${hex(letter.codePointAt(0) ?? 0, 2)};`).join(''),
  'HTML names': (text) =>
    text.replace(/[&<>"'/+=]/g, (letter) => {
      const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '/': 'sol' };
      return `&${names[letter] ?? (letter === '+' ? 'plus' : 'equals')};`;
    }),
};

const PLACEHOLDER = /⟦[^⟧]*⟧/;

function undone(text: string): string[] {
  const percent = text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  const json = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const html = text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#([0-9]+);/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 10)));
  const runs = text.match(/[A-Za-z0-9+/_-]{6,}/g) ?? [];
  const base64 = runs.flatMap((run) => [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString()));
  const plain = (text.match(/[0-9a-f]{8,}/gi) ?? []).flatMap((run) =>
    [0, 1].map((skip) => Buffer.from(run.slice(skip), 'hex').toString()),
  );
  return [percent, json, json.replaceAll('\\\\', '\\'), html, base64.join(' '), plain.join(' ')];
}

/** Everything that can be read out of a redacted text by undoing encodings up to three times. */
export function readings(text: string): string[] {
  let level = text.split(PLACEHOLDER).filter((piece) => piece !== '');
  const all = [...level];
  for (let depth = 0; depth < 3; depth++) {
    level = [...new Set(level.flatMap(undone))].filter((piece) => !all.includes(piece));
    all.push(...level);
  }
  return all;
}
