/** Broken targets: each run ends by itself, within its memory, with one sentence that says what is wrong. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import { isWhole } from '../sampled.ts';
import { type HostileTarget, UNREACHABLE, USELESS } from './hostile-targets.ts';
import { measuredInTurn } from './measured.ts';

const measured = measuredInTurn();

const CREDENTIAL = { PCS_ACCESS_TOKEN: 'pcs_org_Fake0123456789abcdef' };
const IMPATIENT = ['--quiet', '--timeout', '0.5', '--call-timeout', '0.5', '--max-wait', '2'];
/** Mebibytes. */
const MOST_MEMORY = 300;

/** A target that is judged to the end is asked one question of each operation here; in the long project, all of them. */
const narrowed = ({ code }: HostileTarget): readonly string[] =>
  code === 1 && !isWhole() ? ['--only', 'AUTH-CREDENTIAL-REQUIRED'] : [];

/** The line of the verdict. */
const verdictOf = (out: string): string =>
  out.split('\n').find((line) => /^(NON-)?CONFORM|^INCOMP|^VOID/.test(line)) ?? '';

describe('a broken target', () => {
  test.each([
    ...UNREACHABLE.map((target) => ({ ...target, flags: IMPATIENT })),
    ...USELESS.map((target) => ({ ...target, flags: ['--quiet', '--max-wait', '2', ...narrowed(target)] })),
  ])('$name', async ({ open, says, code, flags }) => {
    const target = await open();
    try {
      const run = await measured(['run', '--base-url', target.url, ...flags], CREDENTIAL);
      expect([run.code, run.err]).toEqual([code, '']);
      expect(run.out).toMatch(says);
      expect(verdictOf(run.out)).not.toBe('');
      expect(run.peak).toBeLessThan(MOST_MEMORY);
    } finally {
      await target.close();
    }
  });
});

const TLS = fileURLToPath(new URL('../unit/client/tls/', import.meta.url));

describe('a target whose certificate is not to be trusted', () => {
  test.each([
    ['has expired', 'expired.pem', ['--ca', `${TLS}authority.pem`], /the certificate has expired/],
    ['names another host', 'other-name.pem', ['--ca', `${TLS}authority.pem`], /issued for another name/],
    ['comes from an unknown authority', 'localhost.pem', [], /unknown authority.*--ca/],
  ])('%s', async (_, file, flags, says) => {
    const pem = (name: string): string => readFileSync(`${TLS}${name}`, 'utf8');
    const { service } = createReference();
    const target = await listen(service, { tls: { cert: pem(file), key: pem('server-key.pem') } });
    try {
      const url = target.url.replace('127.0.0.1', 'localhost');
      const run = await measured(['run', '--base-url', url, ...IMPATIENT, ...flags], CREDENTIAL);
      expect(run.code).toBe(3);
      expect(verdictOf(run.out)).toMatch(says);
      if (flags.length > 0) return;
      const trusted = await measured(
        ['run', '--base-url', url, ...IMPATIENT, '--ca', `${TLS}authority.pem`],
        CREDENTIAL,
      );
      expect(verdictOf(trusted.out)).toMatch(/rejects the credential/);
    } finally {
      await target.close();
    }
  });
});
