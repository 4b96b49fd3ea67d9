/** The command line: from words to a command and its exit code. */

import { Command, CommanderError, Option } from 'commander';
import { UsageError } from '../contract/usage-error.ts';
import type { ListOptions } from './commands/catalogue.ts';
import type { ReportOptions } from './commands/report.ts';
import type { SelftestOptions } from './commands/selftest.ts';
import type { ServeOptions } from './commands/serve.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { addExample, addSettings, writtenFlags } from './flag-options.ts';
import { REPORT_FORMATS } from './formats.ts';
import { addGateCommands } from './gate-commands.ts';
import type { Terminal } from './terminal.ts';
import { packageVersion } from './version.ts';

const COMMANDS =
  'run, plan, doctor, clean, report, replay, serve, selftest, compare, expect, certify, verify, keygen, list or explain';

/** The commands, each behind the import that loads it: `--help` loads none. */
const LOAD = {
  run: async () => (await import('./commands/run.ts')).run,
  plan: async () => (await import('./commands/plan.ts')).plan,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  clean: async () => (await import('./commands/clean.ts')).clean,
  report: async () => (await import('./commands/report.ts')).report,
  replay: async () => (await import('./commands/replay.ts')).replay,
  serve: async () => (await import('./commands/serve.ts')).serve,
  selftest: async () => (await import('./commands/selftest.ts')).selftest,
  list: async () => (await import('./commands/catalogue.ts')).list,
  explain: async () => (await import('./commands/catalogue.ts')).explain,
};

/** The commands, each behind what loads it. */
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
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    return complain(error, terminal);
  }
}

/** Prints in one sentence why the command failed, and returns its exit code. */
export function complain(error: unknown, terminal: Pick<Terminal, 'err'>): ExitCode {
  if (error instanceof CommanderError) {
    // Commander throws for --help and --version, too.
    if (error.exitCode === 0) return EXIT_CODES.conformant;
    terminal.err(sentence(error.message));
    return EXIT_CODES.usage;
  }
  if (error instanceof UsageError) {
    terminal.err(error.message);
    return EXIT_CODES.usage;
  }
  terminal.err(`The suite itself broke: ${firstLine(error instanceof Error ? error.message : String(error))}.`);
  return EXIT_CODES.void;
}

function createProgram(load: Commands, terminal: Terminal, done: (code: ExitCode) => void): Command {
  const program = new Command('pcs-conformance')
    .description('Tests a Programmable Communications Service against its interface specification.')
    .version(packageVersion())
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: () => undefined,
    })
    .argument('[command]')
    .usage('<command> [options]')
    .action((word: string | undefined) => {
      throw new UsageError(
        word === undefined
          ? `No command is given: use ${COMMANDS}, or --help.`
          : `Unknown command ${JSON.stringify(word)}: use ${COMMANDS}.`,
      );
    });
  addCommands(addExample(program, 'run --reference'), load, terminal, done);
  return program;
}

/** Commands that take settings alone: name, example and description. */
const OF_SETTINGS = [
  [
    'run',
    '--base-url https://api.example.com --profile full',
    'judge a target, write the reports and exit with the verdict',
  ],
  ['plan', '--profile full', 'show what a run would send, without sending it'],
  ['doctor', '--env-file staging.env', 'check the settings and send one harmless read to the target'],
  [
    'clean',
    '--report-dir conformance-report',
    'hang up the calls that a killed run left open, using the journal in its report folder',
  ],
] as const;

function addCommands(program: Command, load: Commands, terminal: Terminal, done: (code: ExitCode) => void): void {
  for (const [name, example, description] of OF_SETTINGS) {
    const command = addSettings(program.command(name), name, `${name} ${example}`).description(description);
    command.action(async () => done(await (await load[name]())(writtenFlags(command, name, terminal.err), terminal)));
  }
  addExample(program.command('report'), 'report conformance-report --format junit')
    .description('render the reports of a recorded run again, from its report folder')
    .argument('<DIR>', 'report folder of the run')
    .addOption(new Option('--format <FORMAT>', 'print one report instead of writing all').choices(REPORT_FORMATS))
    .action(async (folder: string, options: ReportOptions) =>
      done(await (await load.report())(folder, options, terminal)),
    );
  addSettings(program.command('replay'), 'replay', 'replay conformance-report AUTH-SCHEME/createCall')
    .description('send a failing case of a recorded run again: exits 1 if it still fails, 0 if it does not')
    .argument('<DIR>', 'report folder of the run')
    .argument('<CASE>', 'id of the case, such as AUTH-SCHEME/createCall')
    .action(async (folder: string, id: string, _options, command: Command) =>
      done(await (await load.replay())(folder, id, writtenFlags(command, 'replay', terminal.err), terminal)),
    );
  addExample(program.command('serve'), 'serve --port 8080')
    .description('start the reference service and print the settings for a run against it')
    .option('--port <PORT>', 'port to listen on, 0 for any free one', '8080')
    .option('--host <HOST>', 'address to listen on', '127.0.0.1')
    .action(async (options: ServeOptions) => done(await (await load.serve())(options, terminal)));
  addExample(program.command('selftest'), 'selftest --variants 1000')
    .description('test the suite itself, offline: planted faults, lawful variants, pairs of both, null services')
    .option('--variants <N>', 'number of lawful variants to judge', '100')
    .option('--pairs <N>', 'number of pairs of a fault and a lawful variant to judge', '40')
    .option('--seed <N>', 'seed of the sample', '1')
    .action(async (options: SelftestOptions) => done(await (await load.selftest())(options, terminal)));
  addGateCommands(program, packageVersion(), terminal, done);
  addExample(program.command('list'), 'list --level must')
    .description('list the requirements, with the probes and faults of each')
    .addOption(new Option('--level <LEVEL>', 'only requirements of this level').choices(['must', 'should']))
    .option('--json', 'print everything about each requirement as JSON')
    .action(async (options: ListOptions) => done(await (await load.list())(options, terminal)));
  addExample(program.command('explain'), 'explain AUTH-SCHEME')
    .description('explain a requirement, a gap or a reading')
    .argument('<ID>', 'id of a requirement, a case, a gap (GAP-...) or a reading (R1)')
    .action(async (id: string) => done(await (await load.explain())(id, terminal)));
}

/** An error message of commander as one sentence in our form. */
function sentence(message: string): string {
  const [first = '', hint] = message.replace(/^error: /, '').split('\n');
  const meant = hint?.match(/\(Did you mean (.+)\?\)/)?.[1];
  const start = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}`;
  return meant === undefined ? `${start}: see --help.` : `${start}: did you mean ${meant}?`;
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replace(/\.$/, '');
}
