// Packs the built project, installs the tarball in an empty project elsewhere and judges the reference service with it, by
// name and by address, on each Node version given (20.19.0 22 24 26 by default). Also checks that its types resolve. Needs
// the npm registry.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const versions = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['20.19.0', '22', '24', '26'];
const npm = (cwd, ...words) =>
  execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const tarballs = mkdtempSync(join(tmpdir(), 'pcs-conformance-pack-'));
const [{ filename }] = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', tarballs));

npm(tarballs, 'exec', '--yes', '--package=@arethetypeswrong/cli', '--', 'attw', filename, '--profile', 'esm-only');

const PROGRAM = `
import { run } from 'pcs-conformance';
const { results } = await run({ baseUrl: process.env.PCS_BASE_URL, credentials: { access: process.env.PCS_ACCESS_TOKEN } });
console.log('programmatic: ' + results.verdict);
process.exitCode = results.verdict === 'conformant' ? 0 : 1;
`;

async function serving(node, bin, cwd) {
  const child = spawn(node, [bin, 'serve', '--port', '0'], { cwd });
  let out = '';
  for await (const chunk of child.stdout) {
    out += chunk;
    if (/^PCS_INBOUND_SECRET=.*$/m.test(out)) break;
  }
  const settings = Object.fromEntries(
    out.split('\n').flatMap((line) => {
      const match = /^(PCS_\w+)=(.*)$/.exec(line);
      return match === null ? [] : [[match[1], match[2]]];
    }),
  );
  return { child, settings };
}

for (const version of versions) {
  const project = mkdtempSync(join(tmpdir(), 'pcs-conformance-project-'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }));
  npm(project, 'install', '--no-audit', '--no-fund', join(tarballs, filename), `node@${version}`);
  const node = join(project, 'node_modules', 'node', 'bin', 'node');
  const bin = join(project, 'node_modules', 'pcs-conformance', 'dist', 'src', 'cli', 'main.js');
  const command = (env, ...words) =>
    execFileSync(node, [bin, ...words], { cwd: project, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
  const lastLines = (text) => text.trim().split('\n').slice(-2).join(' | ');
  console.log(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim());
  console.log(`  --reference: ${lastLines(command({}, 'run', '--reference', '--quiet'))}`);
  const { child, settings } = await serving(node, bin, project);
  try {
    const { PCS_BASE_URL, ...rest } = settings;
    console.log(
      `  --base-url: ${lastLines(command(rest, 'run', '--base-url', PCS_BASE_URL, '--profile', 'full', '--quiet'))}`,
    );
    writeFileSync(join(project, 'program.mjs'), PROGRAM);
    console.log(`  ${execFileSync(node, ['program.mjs'], { cwd: project, encoding: 'utf8', env: settings }).trim()}`);
  } finally {
    child.kill();
  }
  const { verdict, counts } = JSON.parse(readFileSync(join(project, 'conformance-report', 'results.json'), 'utf8'));
  console.log(`  results.json: ${verdict}, ${counts.requests} requests, ${counts.calls} calls`);
}
