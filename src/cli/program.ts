/** The command line: from arguments to a command and its exit code. */

import { Command, CommanderError, Option } from 'commander';
import { UsageError, unknownName } from '../contract/usage-error.ts';
import { type CommandName, SETTINGS } from '../settings/table.ts';
import type { CertifyOptions } from './commands/certify.ts';
import { addExample, addSettings, COMPARISON_FORMATS, writtenFlags } from './flag-options.ts';
import { EXIT_CODES, type ExitCode, packageVersion, type Terminal } from './terminal.ts';

/** The commands, each behind the import that loads it: `--help` loads no command. */
const LOAD = {
  run: async () => (await import('./commands/run.ts')).runTarget,
  plan: async () => (await import('./commands/plan.ts')).plan,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  clean: async () => (await import('./commands/clean.ts')).clean,
  judge: async () => (await import('./commands/judge.ts')).judgeFiles,
  report: async () => (await import('./commands/report.ts')).report,
  serve: async () => (await import('./commands/serve.ts')).serve,
  compare: async () => (await import('./commands/known-failures.ts')).compareFolders,
  add: async () => (await import('./commands/known-failures.ts')).expectAdd,
  prune: async () => (await import('./commands/known-failures.ts')).expectPrune,
  certify: async () => (await import('./commands/certify.ts')).certify,
  verify: async () => (await import('./commands/bundles.ts')).verify,
  countersign: async () => (await import('./commands/bundles.ts')).countersign,
  keygen: async () => (await import('./commands/bundles.ts')).keygen,
  list: async () => (await import('./commands/catalogue.ts')).listRequirements,
  explain: async () => (await import('./commands/catalogue.ts')).explain,
};

/** The commands, each behind its loader. */
export type Commands = typeof LOAD;

/**
 * Runs the command that the words (without node and script) name, and resolves with its exit code. It never rejects and
 * shows no stack trace. `instead` replaces commands, for tests.
 */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  instead: Partial<Commands> = {},
): Promise<ExitCode> {
  let code: ExitCode = EXIT_CODES.conformant;
  const program = createProgram({ ...LOAD, ...instead }, terminal, (exit) => {
    code = exit;
  });
  try {
    await program.parseAsync(askedOf(words, program), { from: 'user' });
    return code;
  } catch (error) {
    return complain(error, terminal);
  }
}

/** `help run` is `run --help`; an unknown command after `help` gets the usual error. */
function askedOf(words: readonly string[], program: Command): readonly string[] {
  const [first, named, ...rest] = words;
  if (first !== 'help' || named === undefined) return first === 'help' ? ['--help'] : words;
  const isKnown = program.commands.some((command) => command.name() === named);
  return isKnown ? [named, ...rest, '--help'] : [named];
}

/** Prints in one sentence why the command failed, and returns its exit code. */
export function complain(error: unknown, terminal: Pick<Terminal, 'err'>): ExitCode {
  if (error instanceof CommanderError) {
    // Commander throws for --help and --version, too.
    if (error.exitCode === 0) return EXIT_CODES.conformant;
    terminal.err(commanderSentence(error.message));
    return EXIT_CODES.usage;
  }
  if (error instanceof UsageError) {
    terminal.err(error.message);
    return EXIT_CODES.usage;
  }
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  terminal.err(`The suite itself broke: ${line.replace(/\.$/, '')}.`);
  return EXIT_CODES.void;
}

function createProgram(load: Commands, terminal: Terminal, done: (code: ExitCode) => void): Command {
  const program = new Command('pcs-conformance')
    .description('Tests a Programmable Communications Service against its interface specification.')
    .version(packageVersion())
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text.trimEnd()), writeErr: () => undefined })
    .argument('[command]')
    .usage('<command> [options]')
    .action((word: string | undefined) => {
      const names = program.commands.map((command) => command.name());
      const remedy = `use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
      if (word === undefined) throw new UsageError('No command is given', `${remedy}, or --help`);
      throw unknownCommand(word, [...names, 'help'], remedy);
    });
  addCommands(addExample(program, 'run --reference'), load, terminal, done);
  return program;
}

function unknownCommand(word: string, names: readonly string[], remedy: string): UsageError {
  const shown = /^[\w-]{1,24}$/.test(word) ? ` ${JSON.stringify(word)}` : '';
  return unknownName(`Unknown command${shown}`, word, names, remedy);
}

type AnyCommand = (...given: readonly unknown[]) => ExitCode | Promise<ExitCode>;

function addCommands(program: Command, load: Commands, terminal: Terminal, done: (code: ExitCode) => void): void {
  // Commander gives arguments, options and itself; a command takes arguments, options or flags, and the terminal.
  const act = (name: keyof Commands, settingsOf?: CommandName) => {
    return async (...given: readonly unknown[]): Promise<void> => {
      const run = (await load[name]()) as AnyCommand;
      const [options, command] = given.slice(-2) as [unknown, Command];
      const flags = settingsOf === undefined ? options : writtenFlags(command, settingsOf);
      done(await run(...given.slice(0, -2), flags, terminal));
    };
  };
  const judging = (name: 'run' | 'plan' | 'doctor' | 'clean' | 'judge', example: string): Command =>
    addSettings(program.command(name), name, `${name} ${example}`).action(act(name, name));
  const plain = (name: Exclude<keyof Commands, CommandName>, example: string, parent = program): Command =>
    addExample(parent.command(name), example).action(act(name));

  judging('run', '--base-url https://api.example.com --profile full').description(
    'judge a target, write the reports and exit with the verdict',
  );
  judging('plan', '--profile full').description('show what a run would send, without sending it');
  judging('doctor', '--settings staging.env').description('check the settings with read-only requests');
  judging('clean', '--report-dir conformance-report').description(
    'hang up and restore what a killed run left, using the journal in its report folder',
  );
  judging('judge', 'traffic.har')
    .description('judge recorded traffic by what it shows itself, without sending anything')
    .argument('<FILE...>', 'HAR or NDJSON files; - for standard input');
  plain('report', 'report conformance-report')
    .description('print and write the reports of a recorded run again, from its report folder')
    .argument('<DIR>', 'report folder of the run');
  plain('serve', 'serve --port 8080')
    .description('start the reference service and print the settings for a run against it')
    .option('--port <PORT>', 'port to listen on, 0 for any free one', '8080')
    .option('--host <HOST>', 'address to listen on', '127.0.0.1')
    .option('--out <FILE>', 'write the settings to this file once the port is open, instead of printing them')
    .option('--fault <NAME>', 'plant a fault, to see a failing report; repeatable', collected)
    .option('--list', 'list the faults, and serve nothing');
  plain('compare', 'compare last-release conformance-report')
    .description(
      'show what changed between two report folders, or where cases stand over more; exits 1 if the last run comes out worse',
    )
    .argument(
      '<FOLDER...>',
      'report folders; two in the order earlier, later; more are put in the order of their start',
    )
    .addOption(new Option('--format <FORMAT>', 'format of the output').choices(COMPARISON_FORMATS).default('text'));
  const adding = 'expect add conformance-report --owner calls --issue https://issues.example/812';
  const expect = addExample(program.command('expect'), adding)
    .description('maintain the list of known failures')
    .argument('[command]')
    .allowExcessArguments()
    .usage('<command> [options]')
    .action((word: string | undefined) => {
      const remedy = 'use expect add DIR or expect prune DIR';
      if (word === undefined) throw new UsageError('expect maintains the list of known failures', remedy);
      throw unknownCommand(word, ['add', 'prune'], remedy);
    });
  const file = ['--file <FILE>', 'expectations file', 'expectations.json'] as const;
  plain('add', adding, expect)
    .description('add every failure of a run to the list; the flags also replace values in existing entries')
    .argument('<DIR>', 'report folder of the run')
    .option(...file)
    .option('--reason <TEXT>', 'why the failures are accepted')
    .option('--owner <NAME>', 'who will fix them')
    .option('--issue <URL>', 'address of the issue')
    .option('--expires <DATE>', 'last day in UTC, such as 2026-12-31 (default: in 90 days)');
  plain('prune', 'expect prune conformance-report', expect)
    .description('remove entries that have expired or whose failure a run no longer shows')
    .argument('<DIR>', 'report folder of the run')
    .option(...file);
  const signing =
    'certify --key conformance-key.pem --implementation-name PCS --implementation-version 4.2 --vendor Example';
  addSettings(program.command('certify'), 'certify', signing)
    .description('judge a target in full and write a signed bundle of the evidence')
    .requiredOption('--key <FILE>', 'private key to sign with, PEM (Ed25519)')
    .option('--bundle-dir <DIR>', 'folder for the bundle', 'conformance-bundle')
    .option('--nonce <HEX>', 'determines seed and order (default: random)')
    .option('--implementation-name <NAME>', 'name of the implementation')
    .option('--implementation-version <VERSION>', 'version of the implementation')
    .option('--vendor <NAME>', 'vendor of the implementation')
    .action(async (options: CertifyOptions, command: Command) => {
      const flags = writtenFlags(command, 'certify');
      done(await (await load.certify())(flags, options, terminal));
    });
  plain('verify', 'verify conformance-bundle --key conformance-key.pub.pem')
    .description('verify a bundle by running its record again: exits 0 conformant, 1 non-conformant, 3 not verifiable')
    .argument('<BUNDLE>', 'folder that certify wrote')
    .requiredOption('--key <FILE>', 'public key of the signer, PEM')
    .option('--programme-key <FILE>', 'public key of the programme, which must have countersigned, PEM')
    .option('--nonce <HEX>', 'the nonce that the programme issued, which must be that of the bundle')
    .option('--require-complete', 'exit 3 unless the whole interface was judged and each question answered')
    .option('--json', 'print what is verified and what is stated as JSON');
  plain('countersign', 'countersign conformance-bundle --key programme.pem --signer-key vendor.pub.pem')
    .description('verify a bundle and add the signature of the programme that ran or watched the certification')
    .argument('<BUNDLE>', 'folder that certify wrote')
    .requiredOption('--key <FILE>', 'private key of the programme, PEM (Ed25519)')
    .requiredOption('--signer-key <FILE>', 'public key of the signer, whose signature is checked, too')
    .option('--nonce <HEX>', 'the nonce that was issued, which must be that of the bundle');
  plain('keygen', 'keygen --out release-key')
    .description('make an Ed25519 key pair for signing certificates')
    .option('--out <NAME>', 'write NAME.pem and NAME.pub.pem', 'conformance-key');
  plain('list', 'list --level must')
    .description('list the requirements, with the probes and faults of each')
    .addOption(new Option('--level <LEVEL>', 'only requirements of this level').choices(['must', 'should']))
    .option('--scenarios', 'print for each operation what is sent and what must follow')
    .option('--json', 'print everything about each requirement, or the scenarios, as JSON');
  plain('explain', 'explain AUTH-SCHEME')
    .description('explain a requirement, a gap or a reading')
    .argument('<ID>', 'id of a requirement, a case, a gap (GAP-...) or a reading (R1)');
}

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Flags that begin or end with a word. */
function flagsLike(word: string): readonly string[] {
  const flags = SETTINGS.flatMap(({ flag }) => flag ?? []);
  return [...new Set(flags)]
    .filter((flag) => flag.startsWith(`${word}-`) || flag.endsWith(`-${word}`))
    .map((flag) => `--${flag}`);
}

/** An error message of commander as one sentence in our form. A value attached to an unknown option may be a secret. */
function commanderSentence(message: string): string {
  const [, option] = /^error: unknown option '(--[^='\n]*|-[^-])/.exec(message) ?? [];
  const setting = `PCS_${option?.slice(2).toUpperCase().replaceAll('-', '_')}`;
  const known = SETTINGS.find(({ name }) => name === setting);
  const flag = known?.flag && `--${known.flag}`;
  if (flag !== undefined && flag !== option) return `Unknown option '${option}': did you mean ${flag}?`;
  if (known !== undefined && flag === undefined) {
    return `Unknown option '${option}': set ${setting} in the environment or in .env.`;
  }
  const [, command, most] = /^error: too many arguments for '([\w-]+)'\. Expected (\d+)/.exec(message) ?? [];
  if (command !== undefined) {
    const taken = most === '0' ? 'options only' : most === '1' ? 'one argument' : `${most} arguments`;
    return `'${command}' takes ${taken}: remove the rest.`;
  }
  const [, missing] = /^error: missing required argument '([^']+)'/.exec(message) ?? [];
  if (missing !== undefined) return `The argument ${missing} is missing: see --help.`;
  const near = option === undefined ? [] : flagsLike(option.slice(2));
  if (near.length === 1) return `Unknown option '${option}': did you mean ${near[0]}?`;
  const [line = '', hint] = message.replace(/^error: /, '').split('\n');
  const first = option === undefined ? line : `unknown option '${option}'`;
  const meant = hint?.match(/\(Did you mean (.+)\?\)/)?.[1];
  const start = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}`;
  return meant === undefined ? `${start}: see --help.` : `${start}: did you mean ${meant}?`;
}
