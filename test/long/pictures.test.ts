import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lacksBrowser } from '../programs.ts';

test.skipIf(lacksBrowser(import.meta.url))('the script takes both pictures of the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-images-'));
  try {
    execFileSync('node', ['scripts/screenshots.mjs'], { env: { ...process.env, PCS_IMAGES: folder } });
    for (const name of ['report-conformant', 'report-non-conformant']) {
      const picture = readFileSync(join(folder, `${name}.png`));
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1280, 1500]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
