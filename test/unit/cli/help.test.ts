/** The help of each command shows what that command uses, and how. */

import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.ts';
import { type CommandName, SETTINGS } from '../../../src/settings/table.ts';
import { stage } from './stage.ts';

async function helpOf(words: string): Promise<string> {
  const { terminal, out } = stage();
  await runCommandLine(`${words} --help`.trim().split(' '), terminal);
  return out.join('\n');
}

test.each<CommandName>(['run', 'plan', 'doctor', 'clean', 'certify'])(
  'the help of %s shows its settings and no others',
  async (command) => {
    const help = await helpOf(command);
    const shown = [...new Set([...help.matchAll(/\bPCS_[A-Z_]+\b/g)].map(([name]) => name))];
    const used = SETTINGS.filter(({ usedBy }) => usedBy.includes(command));
    const common = used.filter(({ rare }) => rare !== true).map(({ name }) => name);
    expect(shown.toSorted()).toEqual(common.toSorted());
    const [, more = ''] = /^For rare cases \(docs\/settings\.md\): (.*)$/m.exec(help) ?? [];
    const rare = used.flatMap((setting) => (setting.rare ? [`--${setting.flag}`] : []));
    expect(more.split(', ').filter(Boolean)).toEqual(rare);
    for (const { name, flag } of SETTINGS) {
      if (flag === undefined || !common.includes(name)) continue;
      expect(help.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`--${flag} [^\\[]*\\[${name}[,\\]]`));
    }
  },
);

test('the help of every command ends with an example that uses its flags', async () => {
  const commands = [...(await helpOf('')).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? '');
  expect(commands).toContain('keygen');
  for (const words of ['', ...commands, 'expect add', 'expect prune']) {
    const help = await helpOf(words);
    const [, example = ''] = /\nExample:\n {2}\$ npx pcs-conformance (.+)$/.exec(help) ?? [];
    expect(example.startsWith(words) && example !== '', words).toBe(true);
    if (words === '' || words === 'expect') continue;
    for (const [flag] of example.matchAll(/--[a-z-]+/g)) expect(help).toMatch(new RegExp(`^ {2}${flag} `, 'm'));
  }
});

test('the help of run describes at most 30 flags', async () => {
  expect((await helpOf('run')).match(/^ {2}--[a-z-]+/gm)?.length).toBeLessThanOrEqual(30);
});

test('the help of run shows credentials, numbers and resources as environment', async () => {
  const [, environment = ''] = (await helpOf('run')).split('\nEnvironment');
  for (const { name, flag } of SETTINGS) {
    expect(new RegExp(`^ {2}${name} `, 'm').test(environment), name).toBe(flag === undefined);
  }
});

test.each(['', 'run', 'expect'])('help %s prints what --help prints', async (name) => {
  const { terminal, out, err } = stage();
  const code = await runCommandLine(`help ${name}`.trim().split(' '), terminal);
  expect([code, out.join('\n'), err]).toEqual([0, await helpOf(name), []]);
  expect(out.join()).toContain('Usage: pcs-conformance');
});

test('the flag that Node reads itself is named by the one to use', async () => {
  const { terminal, err } = stage();
  expect(await runCommandLine(['plan', '--env-file', 'no.env'], terminal)).toBe(2);
  expect(err).toEqual(["Unknown option '--env-file': did you mean --settings?"]);
});
