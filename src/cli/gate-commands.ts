/** The commands of the gate: compare, expect, certify, verify, keygen. */

import { type Command, Option } from 'commander';
import { ALGORITHMS, type Algorithm } from '../certificate/keys.ts';
import { UsageError } from '../contract/usage-error.ts';
import { CERTIFY_FLAGS, COMPARISON_FORMATS } from './command-flags.ts';
import type { CertifyOptions } from './commands/certify.ts';
import type { CompareOptions } from './commands/compare.ts';
import type { AddOptions } from './commands/expect.ts';
import type { ExitCode } from './exit-codes.ts';
import { addFlags, writtenFlags } from './flag-options.ts';
import type { Terminal } from './terminal.ts';

/** Adds the commands to the program; each is loaded when it is used. */
export function addGateCommands(
  program: Command,
  version: string,
  terminal: Terminal,
  done: (code: ExitCode) => void,
): void {
  addComparing(program, terminal, done);
  addExpecting(program, terminal, done);
  addCertifying(program, version, terminal, done);
}

function addComparing(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command('compare')
    .description('say what changed between two report folders; exits 1 only for what is new')
    .argument('<BASELINE>', 'report folder of the earlier run')
    .argument('<CURRENT>', 'report folder of the later run')
    .addOption(new Option('--format <FORMAT>', 'how to print it').choices(COMPARISON_FORMATS).default('text'))
    .option('--pin-choices', 'count a changed choice in a gap as a failure')
    .action(async (baseline: string, current: string, options: CompareOptions) => {
      const { compare } = await import('./commands/compare.ts');
      done(compare(baseline, current, options, terminal));
    });
}

function addExpecting(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  const expect = program
    .command('expect')
    .description('keep the list of known failures')
    .action(() => {
      throw new UsageError('expect keeps the list of known failures: use expect add DIR or expect prune DIR.');
    });
  const file = ['--file <FILE>', 'file of expectations', 'expectations.json'] as const;
  expect
    .command('add')
    .description('put every failure of a run on the list; flags that are given are renewed in entries that are there')
    .argument('<DIR>', 'report folder of the run')
    .option(...file)
    .option('--reason <TEXT>', 'why the failures are borne with')
    .option('--owner <NAME>', 'who sees to them')
    .option('--issue <URL>', 'address of the issue')
    .option('--expires <DATE>', 'last day in UTC, such as 2026-12-31; in ninety days unless given')
    .action(async (folder: string, options: AddOptions) => {
      const { expectAdd } = await import('./commands/expect.ts');
      done(expectAdd(folder, options, Date.now(), terminal));
    });
  expect
    .command('prune')
    .description('take off the list what is stale in a run')
    .argument('<DIR>', 'report folder of the run')
    .option(...file)
    .action(async (folder: string, options: AddOptions) => {
      const { expectPrune } = await import('./commands/expect.ts');
      done(expectPrune(folder, options.file, Date.now(), terminal));
    });
}

function addCertifying(program: Command, version: string, terminal: Terminal, done: (code: ExitCode) => void): void {
  addFlags(program.command('certify'), CERTIFY_FLAGS)
    .description('judge a target in full and write a signed bundle of what the verdict rests on')
    .requiredOption('--key <FILE>', 'private key to sign with, PEM (Ed25519 or ECDSA P-256)')
    .option('--client-key <FILE>', 'private key of the client certificate (--cert), PEM [PCS_KEY]')
    .option('--bundle-dir <DIR>', 'folder for the bundle', 'conformance-bundle')
    .option('--nonce <HEX>', 'decides seed and order; drawn at random unless given')
    .option('--implementation <FILE>', 'JSON file with name, version and vendor of what is certified')
    .option('--implementation-name <NAME>', 'name of what is certified')
    .option('--implementation-version <VERSION>', 'version of what is certified')
    .option('--vendor <NAME>', 'vendor of what is certified')
    .action(async (options: CertifyOptions, command: Command) => {
      const { certify } = await import('./commands/certify.ts');
      done(await certify(writtenFlags(command), options, terminal));
    });
  program
    .command('verify')
    .description('check a bundle: signature, digests, plan, and every verdict computed again')
    .argument('<BUNDLE>', 'folder that certify wrote')
    .requiredOption('--key <FILE>', 'public key of the signer, PEM')
    .action(async (folder: string, options: { readonly key: string }) => {
      const { verify } = await import('./commands/verify.ts');
      done(verify(folder, options.key, version, terminal));
    });
  program
    .command('keygen')
    .description('make a pair of keys to sign certificates with')
    .option('--out <NAME>', 'writes NAME.pem and NAME.pub.pem', 'conformance-key')
    .addOption(new Option('--algorithm <NAME>', 'kind of key').choices(ALGORITHMS).default('ed25519'))
    .action(async (options: { readonly out: string; readonly algorithm: Algorithm }) => {
      const { keygen } = await import('./commands/keygen.ts');
      done(keygen(options.out, options.algorithm, terminal));
    });
}
