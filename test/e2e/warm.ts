/** Runs commands in processes that are used again: starting one, and compiling its code, takes longer than most commands. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a finished command left; `peak` is the most memory that its process ever held, in KiB where it is known. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly peak?: number;
}

/** A command line with everything that a process gets. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

const PROCESS = fileURLToPath(new URL('./warm-process.mjs', import.meta.url));

/** Ends what a command wrote to a stream. */
const END = '\0';

function start(): ChildProcess {
  const child = fork(PROCESS, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] });
  // None of them keeps this process alive between two commands.
  for (const handle of [child, child.channel, child.stdout, child.stderr]) {
    (handle as { unref?: () => void } | null)?.unref?.();
  }
  return child;
}

/** Processes that wait for a command; two commands at once take two. */
export class WarmProcesses {
  readonly #idle: ChildProcess[] = [];
  readonly #busy = new Set<ChildProcess>();

  /** Runs the command to its end. */
  async run(line: CommandLine): Promise<Finished> {
    const child = this.#idle.pop() ?? start();
    this.#busy.add(child);
    const finished = await inside(child, line);
    this.#busy.delete(child);
    if (child.connected) this.#idle.push(child);
    return finished;
  }

  /** Kills the processes of commands that have not ended. */
  kill(): void {
    for (const child of this.#busy) child.kill('SIGKILL');
  }
}

function inside(child: ChildProcess, line: CommandLine): Promise<Finished> {
  return new Promise((resolve) => {
    const text = { out: '', err: '' };
    let end: { readonly code: number; readonly peak: number } | null = null;
    const finish = (finished: Finished): void => {
      for (const [source, event, listener] of listeners) source?.off(event, listener);
      resolve(finished);
    };
    const look = (): void => {
      const { out, err } = text;
      if (end === null || !out.endsWith(END) || !err.endsWith(END)) return;
      finish({ ...end, out: out.slice(0, -END.length), err: err.slice(0, -END.length) });
    };
    const collect = (stream: keyof typeof text) => (chunk: string) => {
      text[stream] += chunk;
      look();
    };
    const listeners: readonly Listener[] = [
      [child.stdout?.setEncoding('utf8'), 'data', collect('out')],
      [child.stderr?.setEncoding('utf8'), 'data', collect('err')],
      [
        child,
        'message',
        (message: typeof end) => {
          end = message;
          look();
        },
      ],
      // The command ended its process.
      [child, 'close', () => finish({ code: child.exitCode, ...text })],
    ];
    for (const [source, event, listener] of listeners) source?.on(event, listener);
    child.send(line);
  });
}

type Listener = readonly [
  source: NodeJS.EventEmitter | undefined,
  event: string,
  // biome-ignore lint/suspicious/noExplicitAny: a listener of any event
  listener: (given: any) => void,
];
