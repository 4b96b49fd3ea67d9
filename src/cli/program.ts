/** The command line: what was written becomes a command and an exit code. */

import { Command, CommanderError, Option } from 'commander';
import { UsageError } from '../contract/usage-error.ts';
import { CLEAN_FLAGS, clean } from './commands/clean.ts';
import { doctor } from './commands/doctor.ts';
import { explain } from './commands/explain.ts';
import { type ListOptions, list } from './commands/list.ts';
import { plan } from './commands/plan.ts';
import { REPLAY_FLAGS, replay } from './commands/replay.ts';
import { FORMATS, type ReportOptions, report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { SELFTEST_DEFAULTS, type SelftestOptions, selftest } from './commands/selftest.ts';
import { type ServeOptions, serve } from './commands/serve.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { addFlags, writtenFlags } from './flag-options.ts';
import { addGateCommands } from './gate-commands.ts';
import type { Parts } from './parts.ts';
import type { Terminal } from './terminal.ts';

const COMMANDS =
  'run, plan, doctor, clean, report, replay, serve, selftest, compare, expect, certify, verify, keygen, list or explain';

/** Runs what the words (without node and script) ask for. It never rejects, and shows no stack trace. */
export async function runCommandLine(words: readonly string[], parts: Parts, terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = EXIT_CODES.conformant;
  const program = createProgram(parts, terminal, (exit) => {
    code = exit;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    return complain(error, terminal);
  }
}

/** Says in one sentence why the command ended, and with which code it exits. */
export function complain(error: unknown, terminal: Pick<Terminal, 'err'>): ExitCode {
  if (error instanceof CommanderError) {
    // Help and version are no errors, but commander leaves through the same door.
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

function createProgram(parts: Parts, terminal: Terminal, done: (code: ExitCode) => void): Command {
  const program = new Command('pcs-conformance')
    .description('Judges a Programmable Communications Service by its interface specification.')
    .version(parts.version)
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
          : `There is no command ${JSON.stringify(word)}: use ${COMMANDS}.`,
      );
    });
  addCommands(program, parts, terminal, done);
  return program;
}

function addCommands(program: Command, parts: Parts, terminal: Terminal, done: (code: ExitCode) => void): void {
  addFlags(program.command('run'))
    .description('judge a target, write the reports and exit with the verdict')
    .action(async (_options, command: Command) => done(await run(writtenFlags(command), parts, terminal)));
  addFlags(program.command('plan'))
    .description('say what a run would send; nothing is sent')
    .action(async (_options, command: Command) => done(await plan(writtenFlags(command), terminal)));
  addFlags(program.command('doctor'))
    .description('check the settings and reach the target with one harmless read')
    .action(async (_options, command: Command) => done(await doctor(writtenFlags(command), parts.version, terminal)));
  addFlags(program.command('clean'), CLEAN_FLAGS)
    .description('hang up what a killed run left open, by the journal in its report folder')
    .action(async (_options, command: Command) => done(await clean(writtenFlags(command), parts.version, terminal)));
  program
    .command('report')
    .description('render the reports of a recorded run anew, from its report folder')
    .argument('<DIR>', 'report folder of the run')
    .option('--format <FORMAT>', `print one report instead of writing all: ${FORMATS.join(', ')}`)
    .action(async (folder: string, options: ReportOptions) => done(await report(folder, options, terminal)));
  addFlags(program.command('replay'), REPLAY_FLAGS)
    .description('ask a failing case of a recorded run again: exits 1 where it still fails, 0 where it does not')
    .argument('<DIR>', 'report folder of the run')
    .argument('<CASE>', 'id of the case, such as AUTH-SCHEME/createCall')
    .action(async (folder: string, id: string, _options, command: Command) =>
      done(await replay(folder, id, writtenFlags(command), terminal)),
    );
  program
    .command('serve')
    .description('start the reference service and print the settings for a run against it')
    .option('--port <PORT>', 'port to listen at, 0 for any free one', '8080')
    .option('--host <HOST>', 'address to listen at', '127.0.0.1')
    .action(async (options: ServeOptions) => done(await serve(options, parts, terminal)));
  program
    .command('selftest')
    .description('prove the suite itself, offline: planted faults, lawful variants, pairs of both, null services')
    .option('--variants <N>', 'lawful variants to judge', SELFTEST_DEFAULTS.variants)
    .option('--pairs <N>', 'pairs of a fault and a lawful variant to judge', SELFTEST_DEFAULTS.pairs)
    .option('--seed <N>', 'what the sample depends on', SELFTEST_DEFAULTS.seed)
    .action(async (options: SelftestOptions) => done(await selftest(options, parts, terminal)));
  addGateCommands(program, parts.version, terminal, done);
  program
    .command('list')
    .description('list the requirements, with how each is judged and proved')
    .addOption(new Option('--level <LEVEL>', 'of this level only').choices(['must', 'should']))
    .option('--json', 'as JSON, with all that belongs to each')
    .action(async (options: ListOptions) => done(await list(options, parts, terminal)));
  program
    .command('explain')
    .description('explain a requirement, a gap or a reading')
    .argument('<ID>', 'id of a requirement, a case, a gap (GAP-...) or a reading (R1)')
    .action(async (id: string) => done(await explain(id, parts, terminal)));
}

/** A complaint of commander's as one sentence with our punctuation. */
function sentence(message: string): string {
  const [first = '', hint] = message.replace(/^error: /, '').split('\n');
  const meant = hint?.match(/\(Did you mean (.+)\?\)/)?.[1];
  const start = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}`;
  return meant === undefined ? `${start}: --help shows what there is.` : `${start}: did you mean ${meant}?`;
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replace(/\.$/, '');
}
