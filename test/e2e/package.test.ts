/**
 * The package as it is installed: what it brings, the command, the program, and the door for vitest.
 * What it depends on, and why, is in docs/design/dependencies.md.
 */

import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import { inLongAlone, isWhole } from '../sampled.ts';
import { cleanEnvironment, emptyFolder } from './command.ts';
import { live, until } from './live.ts';
import { addVitest, EXAMPLES, ROOT, type Seen, startVitest } from './vitest-door.ts';

const project = emptyFolder();

/** The packages that come with it: those of the lock file that are not for development alone. */
const brought = (): readonly string[] => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => path !== '' && packages[path].dev !== true);
};

/** npm installs it in the long project; here the files that it would pack lie beside the packages of this checkout. */
beforeAll(() => {
  const npm = (cwd: string, ...words: readonly string[]): string =>
    execFileSync('npm', words, { cwd, encoding: 'utf8', env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] });
  const how = isWhole() ? ['--pack-destination', project] : ['--dry-run'];
  const [{ filename, files }] = JSON.parse(npm(ROOT, 'pack', '--ignore-scripts', '--json', ...how)) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }));
  if (isWhole()) {
    npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', join(project, filename));
    return;
  }
  for (const { path } of files) cpSync(join(ROOT, path), join(project, 'node_modules/pcs-conformance', path));
  for (const path of brought()) symlinkSync(join(ROOT, path), join(project, path));
});

const run = promisify(execFile);
const counted = ({ tests }: Seen, status: string): number => tests.filter((one) => one.status === status).length;
const tarballIn = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball');
const leftIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /pcs-conformance/.test(name));

describe('an installed tarball', () => {
  test('is executable after every build, also where npm linked it before', () => {
    expect(statSync(join(ROOT, 'dist/src/cli/bin.cjs')).mode & 0o111).toBe(0o111);
  });

  const SIX = ['commander', 'dotenv', 'fast-check', 'leven', 'pure-rand', 'undici'];

  test('brings six packages, and neither vitest nor ajv is among them', () => {
    expect(brought()).toEqual(SIX.map((name) => `node_modules/${name}`));
  });

  inLongAlone('is installed by npm with these alone', () => {
    const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
    const paths = Object.keys(packages).filter((path) => path !== '');
    expect(paths).toEqual([...SIX, 'pcs-conformance'].toSorted().map((name) => `node_modules/${name}`));
    expect(existsSync(join(project, 'node_modules', 'vitest'))).toBe(false);
  });

  test('passes publint, and holds no file twice and no page about the code', async () => {
    const installed = join(project, 'node_modules', 'pcs-conformance');
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
    const entries = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map((entry) => join(entry.parentPath, entry.name));
    const texts = new Map(files.map((file) => [readFileSync(file, 'utf8'), file]));
    expect(files.filter((file) => texts.get(readFileSync(file, 'utf8')) !== file)).toEqual([]);
    expect(files.filter((file) => /docs\/design|\.test\./.test(file))).toEqual([]);
    for (const file of ['docs/interface.md', 'schemas/openapi.json', '.env.example']) {
      expect(existsSync(join(installed, file)), file).toBe(true);
    }
  });

  test('leads by each link of its pages to a file that it holds', () => {
    const root = join(project, 'node_modules', 'pcs-conformance');
    const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, to = '']) =>
        join(page, '..', to),
      ),
    );
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });

  // npm ended with "Cannot read properties of null" beside a vitest that the peer range did not include.
  for (const version of ['5.0.0', '3.0.0'])
    inLongAlone(`is installed beside vitest ${version}`, () => {
      const [guest, vitest] = [emptyFolder(), emptyFolder()];
      writeFileSync(join(vitest, 'package.json'), JSON.stringify({ name: 'vitest', version }));
      const devDependencies = { vitest: `file:${vitest}`, 'pcs-conformance': `file:${tarballIn(project)}` };
      writeFileSync(join(guest, 'package.json'), JSON.stringify({ name: 'guest', private: true, devDependencies }));
      const words = ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'];
      execFileSync('npm', words, { cwd: guest, env: cleanEnvironment(), stdio: 'pipe' });
      const { packages } = JSON.parse(readFileSync(join(guest, 'package-lock.json'), 'utf8'));
      expect(packages['node_modules/pcs-conformance'].dependencies).toBeDefined();
    });

  inLongAlone('is run by npx from the tarball, as the pipelines do', async () => {
    const from = ['--yes', '--prefer-offline', '--package', tarballIn(project)];
    const words = [...from, '--', 'pcs-conformance', '--version'];
    const { stdout } = await run('npx', words, { cwd: emptyFolder(), env: cleanEnvironment() });
    expect(tarballIn(project)).toMatch(`/pcs-conformance-${stdout.trim()}.tgz`);
  });

  // A hardened machine forbids code from strings: a run ended with 4 behind pages of code that ajv had made.
  test('judges the reference service by its command, also where Node makes no code from strings', async () => {
    const { bin } = JSON.parse(readFileSync(join(project, 'node_modules/pcs-conformance/package.json'), 'utf8'));
    const file = join(project, 'node_modules/pcs-conformance', bin['pcs-conformance']);
    const words = ['run', '--reference', '--quiet', '--only', 'LIST-STATUS,ERROR-ENVELOPE/getTrunk'];
    const env = { ...cleanEnvironment(), NODE_OPTIONS: '--disallow-code-generation-from-strings' };
    const { stdout, stderr } = await run(file, words, { cwd: emptyFolder(), env });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^CONFORMANT .*partial/), '']);
  });
});

describe('the programs of docs/programmatic-use.md', () => {
  const program = async (file: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
    const options = { cwd: project, env: { ...cleanEnvironment(), ...env } };
    const ended = await run(process.execPath, [join('compiled', file)], options).catch((error) => error);
    return [`exit ${ended.code ?? 0}`, ended.stdout, ended.stderr];
  };

  beforeAll(async () => {
    addVitest(project);
    mkdirSync(join(project, 'node_modules', '@types'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(project, 'node_modules', '@types', 'node'));
    for (const [file, text] of EXAMPLES) writeFileSync(join(project, file), text);
    const compilerOptions = { module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, types: ['node'] };
    const config = { compilerOptions: { ...compilerOptions, outDir: 'compiled' }, files: [...EXAMPLES.keys()] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
    // Prints what does not compile.
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), [], { cwd: project }).catch((error) => error);
    expect(stdout).toBe('');
    // vitest would run it beside its source.
    rmSync(join(project, 'compiled', 'conformance.test.js'));
  });

  test('are three, and one judges a target, reports its progress and writes the reports', async () => {
    expect([...EXAMPLES.keys()]).toEqual(['conformance.test.ts', 'judge.ts', 'deployments.ts']);
    await live({}, async ({ env, reference }) => {
      const [code, out, err] = await program('judge.js', env);
      expect([code, out]).toEqual(['exit 0', expect.stringMatching(/^CONFORMANT .+: .+\n$/)]);
      expect(err).toMatch(/^(\d+ of \d+ sequences, \d+ requests\n)+$/);
      const files = readdirSync(join(project, 'nightly-report'));
      expect(files).toEqual(expect.arrayContaining(['journal.ndjson', 'report.html', 'results.json']));
      expect(reference.inspect().writes).toBe(0);
    });
  });

  inLongAlone('name the remedy of a wrong setting, and the findings of a service with a fault', async () => {
    const [code, , err] = await program('judge.js', { PCS_BASE_URL: 'staging' });
    expect([code, err]).toEqual(['exit 1', expect.stringContaining('remedy: ')]);
    const wrap = (service: Service): Service => {
      return async (request) => ({ ...(await service(request)), headers: [['Content-Type', 'text/plain']] });
    };
    await live({ wrap }, async ({ env }) => {
      const [worse, out] = await program('judge.js', env);
      expect([worse, out]).toEqual([
        'exit 1',
        expect.stringMatching(/^NON-CONFORMANT .+: .+\nJSON-\S+\/\w+: expected/),
      ]);
    });
  });

  inLongAlone('compare two deployments, and leave no folder behind', async () => {
    const temporary = emptyFolder();
    expect(await program('deployments.js', { TMPDIR: temporary })).toEqual(['exit 0', 'nothing new\n', '']);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('the door for vitest', () => {
  beforeAll(() => {
    mkdirSync(join(project, 'conformance-report'));
    writeFileSync(join(project, 'conformance-report', 'results.json'), 'of another run');
  });

  const isUntouched = (): void => {
    const folder = join(project, 'conformance-report');
    expect(readdirSync(folder)).toEqual(['results.json']);
    expect(readFileSync(join(folder, 'results.json'), 'utf8')).toBe('of another run');
  };

  inLongAlone('shows each case as a test and leaves no file', async () => {
    const temporary = emptyFolder();
    const seen = await startVitest(project, [], { PCS_REFERENCE: 'true' }, temporary).ended;
    expect([seen.code, counted(seen, 'failed')]).toEqual([0, 0]);
    expect(counted(seen, 'passed')).toBeGreaterThan(300);
    const skipped = seen.tests.filter(({ status }) => status !== 'passed').map(({ title }) => title);
    expect(skipped).toContain('CALL-CREATE-409/createCall');
    expect(leftIn(temporary)).toEqual([]);
    // The folder is gone, so a line that tells to run `clean` in it would lead nowhere.
    expect(seen.out).toMatch(/ was muted, and no operation of the interface undoes it\.\n/);
    isUntouched();
  });

  inLongAlone('sends only what the selected test needs, and writes the reports where PCS_REPORT_DIR says', async () => {
    await live({}, async ({ env, reference }) => {
      const words = ['-t', 'LIST-STATUS/listTrunks'];
      const settings = { ...env, PCS_PROFILE: 'full', PCS_REPORT_DIR: 'own-reports' };
      const seen = await startVitest(project, words, settings).ended;
      expect([seen.code, counted(seen, 'passed')]).toEqual([0, 1]);
      expect(reference.inspect().requests.length).toBeGreaterThan(0);
      expect(reference.inspect().requests.length).toBeLessThan(15);
      expect(reference.inspect().writes).toBe(0);
      expect(readdirSync(join(project, 'own-reports'))).toContain('report.html');
      isUntouched();
    });
  });

  test('fails a case with what the command prints of it: expected, actual, request and curl line', async () => {
    const wrap = (service: Service): Service => {
      return async (request) => {
        const reply = await service(request);
        return request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
      };
    };
    await live({ wrap }, async ({ env }) => {
      const more = { PCS_EXPECT: 'package.json', PCS_REPORT_DIR: 'failing', PCS_HEADER: 'X-Gateway: made' };
      const gated = { ...env, ...more };
      const seen = await startVitest(project, ['-t', 'LIST-STATUS/listTrunks'], gated).ended;
      // A failure on the list must not be taken for a new one.
      expect(seen.out).toContain('PCS_EXPECT has no effect here');
      const [message = ''] = seen.tests.flatMap(({ failureMessages }) => failureMessages);
      const parts = ['expected  │ status 200', 'actual    │ status 206', 'request   │ GET /v1/trunks/', 'curl -sS'];
      for (const part of parts) expect(message).toContain(part);
      // The command that judges it again passes the gateway, and its reports lie beside these.
      expect(message).toMatch(/rerun .* --report-dir failing\/rerun --header 'X-Gateway: made'$/m);
      isUntouched();
    });
  });

  test('fails a case that only warns under PCS_STRICT, as the command does', async () => {
    const silent = (service: Service): Service => {
      return async (request) => {
        const reply = await service(request);
        return { ...reply, headers: reply.headers.filter(([name]) => !/^www-authenticate$/i.test(name)) };
      };
    };
    await live({ wrap: silent }, async ({ env }) => {
      const words = ['-t', 'AUTH-CHALLENGE/listTrunks'];
      const seen = await startVitest(project, words, { ...env, PCS_STRICT: 'true' }).ended;
      expect([seen.code, counted(seen, 'failed')]).toEqual([1, 1]);
    });
  });

  inLongAlone('names wrong settings in one sentence', async () => {
    const { code, out } = await startVitest(project, [], {}).ended;
    expect(code).toBe(1);
    expect(out).toContain('No target is given');
  });

  inLongAlone('keeps the journal of a run that may have left a call open, and says how to hang up', async () => {
    // Without an id the call cannot be hung up, so the run does not wait half a minute to try again.
    const nameless = (service: Service): Service => {
      return async (request) => {
        const reply = await service(request);
        return reply.status === 201 ? { ...reply, body: '{}' } : reply;
      };
    };
    await live({ wrap: nameless }, async ({ env, reference }) => {
      const temporary = emptyFolder();
      const words = ['-t', 'CALL-CREATE-STATUS/createCall'];
      const { code, out } = await startVitest(project, words, { ...env, PCS_PROFILE: 'full' }, temporary).ended;
      const [folder = ''] = leftIn(temporary);
      expect(code).toBe(1);
      expect(reference.inspect().callsOpen).toBeGreaterThan(0);
      expect(out).toContain(`clean --report-dir ${join(temporary, folder)}`);
      expect(readdirSync(join(temporary, folder))).toEqual(['journal.ndjson']);
      isUntouched();
    });
  });

  inLongAlone('hangs up when it is interrupted with a call open', async () => {
    await live({}, async ({ env, reference }) => {
      const settings = { ...env, PCS_PROFILE: 'full', PCS_RATE: '20' };
      const before = reference.inspect();
      const { ended, interrupt } = startVitest(project, [], settings);
      await until(() => reference.inspect().callsOpen > 0);
      interrupt();
      await ended;
      await until(() => reference.inspect().callsOpen === 0);
      await until(() => reference.inspect().inboundSecret === before.inboundSecret);
      expect(reference.inspect().requests.length).toBeLessThan(200);
    });
  });
});
