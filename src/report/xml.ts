/** XML 1.0 as text: whatever a target said becomes character data and nothing else. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};

// XML 1.0 has no way to write these at all.
const FORBIDDEN = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const codePoint = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

function attributeValue(text: string): string {
  return text.replace(FORBIDDEN, codePoint).replace(/[&<>"'\n\t]/g, (character) => ENTITIES[character] ?? character);
}

/** Character data. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, codePoint).replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

/** An element with attributes, in that order, and content that is XML already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[] = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeValue(String(value))}"`);
  const open = `${name}${written.join('')}`;
  return content.length === 0 ? `<${open}/>` : `<${open}>${content.join('')}</${name}>`;
}
