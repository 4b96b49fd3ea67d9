/** The commands compare, expect, certify, verify and keygen. */

import { type Command, Option } from 'commander';
import { UsageError } from '../contract/usage-error.ts';
import type { CertifyOptions } from './commands/certify.ts';
import type { CompareOptions } from './commands/compare.ts';
import type { AddOptions } from './commands/expect.ts';
import type { ExitCode } from './exit-codes.ts';
import { addExample, addSettings, writtenFlags } from './flag-options.ts';
import { COMPARISON_FORMATS } from './formats.ts';
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
  addExample(program.command('compare'), 'compare last-release conformance-report')
    .description('show what changed between two report folders; exits 1 only for new failures')
    .argument('<BASELINE>', 'report folder of the earlier run')
    .argument('<CURRENT>', 'report folder of the later run')
    .addOption(new Option('--format <FORMAT>', 'format of the output').choices(COMPARISON_FORMATS).default('text'))
    .option('--pin-choices', 'fail if unspecified behaviour changed since the baseline')
    .action(async (baseline: string, current: string, options: CompareOptions) => {
      const { compare } = await import('./commands/compare.ts');
      done(compare(baseline, current, options, terminal));
    });
}

function addExpecting(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  const example = 'expect add conformance-report --owner calls --issue https://issues.example/812';
  const expect = addExample(program.command('expect'), example)
    .description('maintain the list of known failures')
    .action(() => {
      throw new UsageError('expect maintains the list of known failures: use expect add DIR or expect prune DIR.');
    });
  const file = ['--file <FILE>', 'expectations file', 'expectations.json'] as const;
  addExample(expect.command('add'), example)
    .description('add every failure of a run to the list; the flags also replace values in existing entries')
    .argument('<DIR>', 'report folder of the run')
    .option(...file)
    .option('--reason <TEXT>', 'why the failures are accepted')
    .option('--owner <NAME>', 'who will fix them')
    .option('--issue <URL>', 'address of the issue')
    .option('--expires <DATE>', 'last day in UTC, such as 2026-12-31 (default: in 90 days)')
    .action(async (folder: string, options: AddOptions) => {
      const { expectAdd } = await import('./commands/expect.ts');
      done(expectAdd(folder, options, Date.now(), terminal));
    });
  addExample(expect.command('prune'), 'expect prune conformance-report')
    .description('remove entries that a run shows to be stale')
    .argument('<DIR>', 'report folder of the run')
    .option(...file)
    .action(async (folder: string, options: AddOptions) => {
      const { expectPrune } = await import('./commands/expect.ts');
      done(expectPrune(folder, options.file, Date.now(), terminal));
    });
}

function addCertifying(program: Command, version: string, terminal: Terminal, done: (code: ExitCode) => void): void {
  const example = 'certify --key conformance-key.pem --implementation implementation.json';
  addSettings(program.command('certify'), 'certify', example)
    .description('judge a target in full and write a signed bundle of the evidence')
    .requiredOption('--key <FILE>', 'private key to sign with, PEM (Ed25519)')
    .option('--bundle-dir <DIR>', 'folder for the bundle', 'conformance-bundle')
    .option('--nonce <HEX>', 'determines seed and order (default: random)')
    .option('--implementation <FILE>', 'JSON file with name, version and vendor of the implementation')
    .option('--implementation-name <NAME>', 'name of the implementation')
    .option('--implementation-version <VERSION>', 'version of the implementation')
    .option('--vendor <NAME>', 'vendor of the implementation')
    .action(async (options: CertifyOptions, command: Command) => {
      const { certify } = await import('./commands/certify.ts');
      done(await certify(writtenFlags(command, 'certify', terminal.err), options, terminal));
    });
  addExample(program.command('verify'), 'verify conformance-bundle --key conformance-key.pub.pem')
    .description('verify a bundle: signature, digests, plan, and every verdict computed again')
    .argument('<BUNDLE>', 'folder that certify wrote')
    .requiredOption('--key <FILE>', 'public key of the signer, PEM')
    .action(async (folder: string, options: { readonly key: string }) => {
      const { verify } = await import('./commands/verify.ts');
      done(verify(folder, options.key, version, terminal));
    });
  addExample(program.command('keygen'), 'keygen --out release-key')
    .description('make an Ed25519 key pair for signing certificates')
    .option('--out <NAME>', 'write NAME.pem and NAME.pub.pem', 'conformance-key')
    .action(async (options: { readonly out: string }) => {
      const { keygen } = await import('./commands/keygen.ts');
      done(keygen(options.out, terminal));
    });
}
