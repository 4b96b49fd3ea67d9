/** What is told before anything is sent: the plan, and what is missing. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Reference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { isWhole } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { live } from './live.ts';

/** Few requirements where whole runs would prove the same. */
const few = (...requirements: readonly string[]): readonly string[] =>
  isWhole() ? [] : ['--only', requirements.join(',')];

describe('plan', () => {
  test('sends nothing, and says what a run then does', async () => {
    await live({}, async ({ env, reference }) => {
      const scope = ['--profile', 'full', ...few('CALL-CREATE-MINIMAL', 'UPDATE-REJECTED-NO-EFFECT', 'AUTH-SECRET')];
      const { code, out } = await command(['plan', ...scope], env);
      expect(code).toBe(0);
      const json = JSON.parse((await command(['plan', ...scope, '--json'], env)).out);
      expect(reference.inspect().requests).toEqual([]);
      expect(out).toContain(`Judges ${json.cases} cases of ${json.requirements} requirements.`);
      expect(out).toContain(`Sends about ${json.requests} requests, at most ${json.maxRequests}.`);
      expect(json.writes.find(({ operation }: { operation: string }) => operation === 'updateTrunk')).toMatchObject({
        ids: [env['PCS_TRUNK_ID']],
        valid: expect.any(Number),
      });
      const planned = Number(/Sends about (\d+) requests/.exec(out)?.[1]);
      const calls = Number(/Places about (\d+) calls, at most 24/.exec(out)?.[1]);
      await command(['run', ...scope], env);
      const { requests, callsAccepted } = reference.inspect();
      expect([planned, calls]).toEqual([requests.length, callsAccepted]);
      const [, valid, invalid] =
        /Update a trunk \(\S+\): (\d+) with the credential, (\d+) with invalid ones/.exec(out) ?? [];
      const changes = requests.filter(({ method, target }) => method === 'PATCH' && target.startsWith('/v1/trunks/'));
      expect(Number(valid) + Number(invalid)).toBe(changes.length);
    });
  });

  test('ends like the run that it plans where no numbers are known', async () => {
    await live({}, async ({ env }) => {
      const seen = await command(['plan', '--profile', 'full'], { ...env, PCS_CALL_TO: '' });
      expect([seen.code, seen.err]).toEqual([2, expect.stringContaining('PCS_CALL_TO is not set')]);
    });
  });

  test('does not rehearse an exploration as a whole', async () => {
    const words = ['plan', '--reference', '--profile', 'full', '--explore'];
    const { requests } = JSON.parse((await command([...words, '0', '--json'])).out);
    const { out } = await command([...words, '3000']);
    expect(out).toContain(`Sends about ${requests + 3_000} requests, at most`);
  });

  test('says that the inbound credential is replaced, whether it is restored, and what must not change meanwhile', async () => {
    await live({}, async ({ env }) => {
      const scope = ['--profile', 'full', ...few('SUCCESS-STATUS')];
      const known = await command(['plan', ...scope], env);
      expect(known.out).toMatch(/inbound credential of carrier connection \S+ is replaced .*restored at the end/);
      expect(known.out).toContain('Change none of these resources during a run');
      const unknown = await command(['plan', ...scope], { ...env, PCS_INBOUND_SECRET: '' });
      expect(unknown.out).toMatch(/is replaced .*not restored: set PCS_INBOUND_USERNAME/);
      const reading = await command(['plan'], env);
      expect(reading.out).not.toMatch(/is replaced|Change none/);
      expect(reading.out).toContain('Places no calls.');
    });
  });

  test('says of the read-only profile that it writes nothing, and what it sends instead', async () => {
    await live({}, async ({ env, reference }) => {
      const { out } = await command(['plan', '--profile', 'read-only'], env);
      expect(out).toContain('Writes nothing.\n8 requests without a credential and without a body, to made-up ids,');
      expect(out).toContain('  Update a trunk: PATCH /v1/trunks/{trunk_id}');
      expect(out).not.toContain(env['PCS_TRUNK_ID']);
      await command(['run', '--profile', 'read-only'], env);
      expect(reference.inspect().requests.filter(({ method }) => /^P/.test(method))).toHaveLength(8);
      expect(reference.inspect().writes).toBe(0);
      const fewer = await command(['plan', '--without', 'answer,mute'], env);
      expect(fewer.out).toContain('6 requests without a credential');
    });
  });
});

describe('doctor', () => {
  test('sends only reads, and says what no read can show where all is well', async () => {
    await live({}, async ({ env, reference, url }) => {
      const { code, out } = await command(['doctor', '--profile', 'full'], env);
      expect(out).toMatch(/^Not checked, because no read of this target shows it: .*PCS_CONFERENCE_ID.*\.\n/);
      expect([code, out.endsWith(`\n${url} answers and accepts the credential.\n`)]).toEqual([0, true]);
      const missing = { ...env, PCS_TRUNK_ID: '', PCS_CALL_FROM: '+15005550999', PCS_SOMETHING: 'else' };
      const json = await command(['doctor', '--profile', 'full', '--json'], missing);
      expect([json.code, JSON.parse(json.out)]).toEqual([
        3,
        {
          target: url,
          warnings: ['PCS_SOMETHING is not a setting'],
          missing: [
            {
              names: ['PCS_TRUNK_ID'],
              unjudged: expect.any(String),
              remedy: expect.stringMatching(/^set PCS_TRUNK_ID/),
            },
          ],
          wrong: [expect.stringContaining('PCS_CALL_FROM')],
          unchecked: expect.arrayContaining(['PCS_CONFERENCE_ID']),
        },
      ]);
      const methods = new Set(reference.inspect().requests.map(({ method }) => method));
      expect([...methods]).toEqual(['GET']);
    });
  });

  const NO_ID = '0d4a1f5c-7c1e-4f0a-9d3e-3f2a1b0c9d8e';

  test.each<readonly [string, string, RegExp]>([
    ['PCS_TRUNK_ID', NO_ID, /^Wrong: PCS_TRUNK_ID names nothing .*\(status 404\): check PCS_TRUNK_ID\.$/m],
    ['PCS_CARRIER_PROVIDER_ID', NO_ID, /^Wrong: PCS_CARRIER_PROVIDER_ID names nothing .*\(status 404\)/m],
    ['PCS_NUMBER_ID', NO_ID, /^Wrong: the list of numbers does not show PCS_NUMBER_ID/m],
    ['PCS_CALL_FROM', '+15005550999', /^Wrong: the list of numbers does not show PCS_CALL_FROM/m],
    ['PCS_OTHER_ORG_ACCESS_TOKEN', 'pcs_org_Wrong0Wrong1Wrong2', /^Wrong: no read accepts PCS_OTHER_ORG_ACCESS_TOKEN/m],
  ])('finds a wrong %s (%s)', async (name, value, says) => {
    await live({}, async ({ env, reference }) => {
      const { code, out } = await command(['doctor', '--profile', 'full'], { ...env, [name]: value });
      expect([code, out]).toEqual([3, expect.stringMatching(says)]);
      expect(out.match(/^Wrong:/gm)).toHaveLength(1);
      expect(reference.inspect().requests.every(({ method }) => method === 'GET')).toBe(true);
    });
  });

  test.each([
    ['PCS_OTHER_ORG_ACCESS_TOKEN', 'PCS_OTHER_ORG_ACCESS_TOKEN reads what PCS_ACCESS_TOKEN reads'],
    ['PCS_REVOKED_ACCESS_TOKEN', 'List trunks accepts PCS_REVOKED_ACCESS_TOKEN'],
  ])('finds a second key of the same organization in %s', async (name, says) => {
    const second = 'pcs_org_Second0Second1Second2';
    const wrap =
      (service: Service, { settings }: Reference): Service =>
      async (request) => {
        const isSecond = request.headers['authorization'] === `Bearer ${second}`;
        const authorization = `Bearer ${settings.PCS_ACCESS_TOKEN}`;
        return service(isSecond ? { ...request, headers: { ...request.headers, authorization } } : request);
      };
    await live({ wrap }, async ({ env }) => {
      const { code, out } = await command(['doctor'], { ...env, [name]: second });
      expect([code, out]).toEqual([3, expect.stringContaining(says)]);
    });
  });

  test('finds credentials that were swapped', async () => {
    await live({}, async ({ env }) => {
      const { code, out } = await command(['doctor'], {
        ...env,
        PCS_ACCESS_TOKEN: env['PCS_OTHER_ORG_ACCESS_TOKEN'],
        PCS_OTHER_ORG_ACCESS_TOKEN: env['PCS_ACCESS_TOKEN'],
      });
      expect([code, out]).toEqual([
        3,
        expect.stringMatching(
          /^Wrong: PCS_OTHER_ORG_ACCESS_TOKEN reads PCS_TRUNK_ID, and PCS_ACCESS_TOKEN does not \(status 404\): swap the two credentials, or check PCS_TRUNK_ID\.$/m,
        ),
      ]);
    });
  });

  test('names what a profile does not need on one line', async () => {
    await live({}, async ({ env }) => {
      const { out } = await command(['doctor', '--profile', 'read-only'], {
        ...env,
        PCS_CALL_TO: '',
        PCS_NUMBER_ID: '',
      });
      expect(out).toContain('Not set, and not needed for this profile: PCS_CALL_FROM, PCS_CALL_TO, PCS_NUMBER_ID.\n');
    });
  });

  test('says for a missing setting which requirements cannot be judged without it', async () => {
    await live({}, async ({ env }) => {
      const scope = ['--profile', 'full', ...few('CALL-CREATE-MINIMAL', 'AUTH-REVOKED', 'SUCCESS-STATUS')];
      const { code, out } = await command(['doctor', ...scope], {
        ...env,
        PCS_CALL_TO: '',
        PCS_REVOKED_ACCESS_TOKEN: '',
        PCS_INBOUND_REALM: '',
      });
      expect(code).toBe(0);
      expect(out).toMatch(/PCS_CALL_FROM, PCS_CALL_TO not set: \d+ cases of .*CALL-CREATE-MINIMAL.* cannot be judged/);
      expect(out).toMatch(/PCS_REVOKED_ACCESS_TOKEN not set: \d+ cases of AUTH-REVOKED cannot be judged/);
      expect(out).toMatch(/PCS_INBOUND_SECRET not set: .*not restored/);
      expect(out).not.toContain('PCS_TRUNK_ID');
    });
  });

  test('exits 3 and says what is wrong with the target', async () => {
    await live({}, async ({ env }) => {
      const { code, out } = await command(['doctor'], { ...env, PCS_ACCESS_TOKEN: 'pcs_org_Wrong0Wrong1Wrong2' });
      expect([code, out]).toEqual([3, expect.stringMatching(/rejects the credential.*check PCS_ACCESS_TOKEN/)]);
    });
  });
});

describe('--settings', () => {
  test('replaces .env in the folder of the command', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, '.env'), 'PCS_REFERENCE=true\nPCS_ONLY=LIST-STATUS\nPCS_SEED=1\n');
    writeFileSync(join(folder, 'staging.env'), 'PCS_REFERENCE=true\nPCS_ONLY=LIST-STATUS\nPCS_SEED=2\n');
    expect((await command(['plan'], {}, folder)).out).toContain('seed 1)');
    expect((await command(['plan', '--settings', 'staging.env'], {}, folder)).out).toContain('seed 2)');
    expect((await command(['plan'], { PCS_ENV_FILE: 'staging.env' }, folder)).out).toContain('seed 2)');
  });

  test('may name a file in UTF-16, as PowerShell writes it', async () => {
    const folder = emptyFolder();
    writeFileSync(
      join(folder, '.env'),
      Buffer.from('\ufeffPCS_REFERENCE=true\r\nPCS_ONLY=LIST-STATUS\r\nPCS_SEED=3\r\n', 'utf16le'),
    );
    expect((await command(['plan'], {}, folder)).out).toContain('seed 3)');
  });

  test('are shown where pcs-conformance.json has them', async () => {
    const folder = emptyFolder();
    writeFileSync(
      join(folder, 'pcs-conformance.json'),
      '{ "reference": true, "only": ["LIST-STATUS"], "seed": 4, "without": ["answer", "mute"] }',
    );
    expect((await command(['plan'], {}, folder)).out).toContain(
      'Settings from pcs-conformance.json: reference true, without answer,mute, only LIST-STATUS, seed 4.\n',
    );
  });
});
