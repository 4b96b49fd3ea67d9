import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { element, xmlText } from '../../../src/report/text.ts';
import { HOSTILE } from './made-run.ts';

const WRITTEN_AS_ESCAPES = 'a\u0000b\u001bc\ud800d\ufffee';

async function isWellFormed(xml: string): Promise<boolean> {
  const { valid } = await validateXML({ xml: { fileName: 'text.xml', contents: xml }, normalization: 'format' });
  return valid;
}

describe('XML', () => {
  test('is well-formed whatever a text or an attribute contains', async () => {
    expect(await isWellFormed(element('a', { b: HOSTILE }, [xmlText(HOSTILE)]))).toBe(true);
    expect(await isWellFormed(element('a', {}, [WRITTEN_AS_ESCAPES]))).toBe(false);
  });

  test('escapes what XML 1.0 cannot contain', () => {
    expect(xmlText(WRITTEN_AS_ESCAPES)).toBe('a\\u{0}b\\u{1b}c\\u{d800}d\\u{fffe}e');
    expect(element('a', { b: WRITTEN_AS_ESCAPES })).toBe('<a b="a\\u{0}b\\u{1b}c\\u{d800}d\\u{fffe}e"/>');
  });
});
