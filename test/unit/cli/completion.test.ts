import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.ts';
import { lacks } from '../../programs.ts';
import { stage } from './stage.ts';

async function scriptFor(shell: string): Promise<string> {
  const { terminal, out } = stage();
  expect(await runCommandLine(['completion', shell], terminal)).toBe(0);
  return out.join('\n');
}

describe('completion', () => {
  test.skipIf(lacks('bash', import.meta.url))('completes commands, flags and values in bash', async () => {
    const script = await scriptFor('bash');
    const completed = (...words: readonly string[]): string => {
      const typed = ['pcs-conformance', ...words].map((word) => `'${word}'`).join(' ');
      const asked = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _pcs_conformance; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['-c', `${script}\n${asked}`], { encoding: 'utf8' }).trim();
    };
    expect(completed('re')).toBe('report replay');
    expect(completed('run', '--pro')).toBe('--profile');
    expect(completed('run', '--seed', '7', '--profile', '')).toBe('read-only full');
    expect(completed('expect', 'a')).toBe('add');
    expect(completed('expect', 'add', '--o')).toBe('--owner');
    expect(completed('report', 'folder', '--format', 'ju')).toBe('junit');
    expect(completed('run', '--runs')).toBe('');
  });

  test('is written for zsh and fish, and for no other shell', async () => {
    expect(await scriptFor('zsh')).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n_pcs_conformance\(\) \{/);
    const fish = await scriptFor('fish');
    expect(fish).toContain("complete -c pcs-conformance -n '__fish_use_subcommand' -f -a doctor -d ");
    expect(fish).toContain("-n '__fish_seen_subcommand_from run' -l profile -r -f -a 'read-only full' -d ");
    const { terminal, err } = stage();
    expect(await runCommandLine(['completion', 'cmd'], terminal)).toBe(2);
    expect(err).toEqual([expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});
