/**
 * The command in a simulated machine: target, clock, disk, signals and the end of the process are all in this process
 * and in virtual time. Whatever happens follows from the scenario, so that every failure can be repeated.
 */

import { vi } from 'vitest';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import type { ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import type { Machine, ProcessEvent, Terminal } from '../../src/cli/terminal.ts';
import { keyedDigest } from '../../src/exchange/facts.ts';
import type { Transport } from '../../src/exchange/message.ts';
import type { Redactor } from '../../src/exchange/redaction.ts';
import type { Disk } from '../../src/run/disk.ts';
import { watchedIds } from '../../src/run/options.ts';
import { variablesOnly } from '../../src/settings/environment.ts';
import { redactorOf, skippingClock, transportTo } from '../selftest/harness.ts';

/** What the world looks at before something happens; `null` for what it leaves alone. */
export interface Hooks {
  /** Before the service gets the request, or after it has carried it out. A reply replaces that of the service. */
  readonly request?: (world: World, when: 'before' | 'after', request: ServiceRequest) => ServiceReply | null;
  /** Before a text is written to the disk. */
  readonly write?: (world: World, path: string, text: string) => void;
}

/** Ends a run that begins, with code -1; what a killed process had under way may still come through. */
export const STOPPING: Hooks = {
  request: (world, when) => {
    if (when === 'before') world.kill(-1);
    return null;
  },
};

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** A disk in memory. */
class SimulatedDisk implements Disk {
  readonly files = new Map<string, { text: string }>();
  /** The error with which everything that writes ends. */
  fault: string | null = null;
  readonly #before: (path: string, text: string) => void;

  constructor(before: (path: string, text: string) => void) {
    this.#before = before;
  }

  #write(path: string, text: string): void {
    this.#before(path, text);
    if (this.fault !== null) throw failing(this.fault);
  }

  makeFolder(): void {
    if (this.fault !== null) throw failing(this.fault);
  }

  read(path: string): string | null {
    return this.files.get(path)?.text ?? null;
  }

  list(folder: string): readonly string[] {
    const inside = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(inside.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))];
  }

  create(path: string, text: string): boolean {
    if (this.files.has(path)) return false;
    this.replace(path, text);
    return true;
  }

  replace(path: string, text: string): void {
    this.#write(path, text);
    this.files.set(path, { text });
  }

  open(path: string, how: 'new' | 'more') {
    if (this.fault === 'EMFILE') throw failing('EMFILE');
    const file = (how === 'more' ? this.files.get(path) : undefined) ?? { text: '' };
    this.files.set(path, file);
    return {
      append: (text: string): void => {
        this.#before(path, text);
        if (this.files.get(path) !== file) throw failing('ENOENT');
        // An open file needs no descriptor, and a full disk takes a part.
        if (this.fault === 'ENOSPC') file.text += text.slice(0, 5);
        if (this.fault !== null && this.fault !== 'EMFILE') throw failing(this.fault);
        file.text += text;
      },
      close: () => undefined,
    };
  }

  move(from: string, to: string): void {
    const file = this.files.get(from);
    if (this.fault !== null || file === undefined) throw failing(this.fault ?? 'ENOENT');
    this.files.set(to, file);
    this.files.delete(from);
  }

  /** Folders are parts of paths here. */
  removeFolder(): void {}

  remove(path: string): void {
    this.files.delete(path);
  }
}

/** A process that ended, with what it had printed. */
export interface Ended {
  /** `null`: it was killed. */
  readonly code: number | null;
  readonly screen: string;
}

/** The service, the disk, and one process after the other. */
export class World {
  readonly reference: Reference = createReference();
  readonly clock = skippingClock();
  readonly disk: SimulatedDisk;
  /** Requests that reach no target, since there is no descriptor for a socket. */
  isOffline = false;
  /** The next use of the clock of the terminal, or of the redactor, throws. */
  breaks: 'progress' | 'recorder' | null = null;
  readonly #mostRecorded: number | undefined;
  #hooks: Hooks;
  #pid = 0;
  #listeners: (readonly [ProcessEvent, (cause: unknown) => void])[] = [];
  #end: (code: number | null) => void = () => undefined;
  #isDead = true;

  constructor(hooks: Hooks = {}, mostRecorded?: number) {
    this.#mostRecorded = mostRecorded;
    this.#hooks = hooks;
    this.disk = new SimulatedDisk((path, text) => {
      if (this.#isDead) throw failing('EDEAD');
      this.#hooks.write?.(this, path, text);
    });
  }

  /** Sends a signal, or an error that nothing catches. */
  send(event: ProcessEvent, cause?: unknown): void {
    for (const [name, listener] of [...this.#listeners]) if (name === event) listener(cause);
  }

  /** Ends the process at once; it neither writes nor prints nor sends anything more. */
  kill(code: number | null = null): void {
    this.#isDead = true;
    this.#end(code);
  }

  /** Throws once, if this is what is to break. */
  broken(what: NonNullable<World['breaks']>): void {
    if (this.breaks !== what) return;
    this.breaks = null;
    throw new Error(`the ${what} broke`);
  }

  /** Runs a command in a process of its own until it ends or is killed; `hooks` replace those before. */
  async run(words: readonly string[], hooks: Hooks = this.#hooks): Promise<Ended> {
    this.#hooks = hooks;
    this.#listeners = [];
    this.#isDead = false;
    this.#pid += 1;
    const lines: string[] = [];
    const killed = new Promise<number | null>((resolve) => {
      this.#end = resolve;
    });
    const print = (line: string): void => {
      if (!this.#isDead) lines.push(line);
    };
    const intervals = vi.spyOn(globalThis, 'setInterval');
    const code = await Promise.race([killed, runCommandLine(words, this.#terminal(print))]);
    this.#isDead = true;
    // A process that was killed leaves no timer behind: one had run while another test measured which code runs.
    for (const { value } of intervals.mock.results) clearInterval(value);
    intervals.mockRestore();
    return { code, screen: lines.join('\n') };
  }

  #terminal(print: (line: string) => void): Terminal {
    const pid = this.#pid;
    const { settings } = this.reference;
    return {
      out: print,
      err: print,
      environment: () => variablesOnly({ ...settings, PCS_BASE_URL: 'http://service.invalid' }),
      signals: {
        on: (event, listener) => this.#listeners.push([event, listener]),
        off: (event, listener) => {
          this.#listeners = this.#listeners.filter(([name, kept]) => name !== event || kept !== listener);
        },
      },
      now: () => {
        this.broken('progress');
        return this.clock.now();
      },
      exit: (code) => this.kill(code),
      machine: this.#machine(pid),
    };
  }

  #machine(pid: number): Machine {
    return {
      ...(this.#mostRecorded === undefined ? {} : { mostRecorded: this.#mostRecorded }),
      disk: this.disk,
      processes: { owner: { pid, host: 'simulated' }, isRunning: (other) => other === this.#pid && !this.#isDead },
      reach: (options, { version, signal }) => ({
        ports: {
          transport: this.#transport(pid),
          clock: this.clock,
          random: (bytes) => `${pid}e`.repeat(bytes).slice(0, 2 * bytes),
          recorder: (secrets) => ({
            redactor: this.#redactor(redactorOf(secrets)),
            digest: keyedDigest(new Uint8Array(32)),
            watch: watchedIds(options),
            fullEvidence: false,
          }),
          version,
          ...(signal === undefined ? {} : { signal }),
        },
        close: async () => undefined,
        holdsSecret: () => false,
      }),
    };
  }

  #redactor(redactor: Redactor): Redactor {
    const redact: Redactor['redact'] = (text) => {
      this.broken('recorder');
      return redactor.redact(text);
    };
    const redactSent: Redactor['redactSent'] = (text) => redactor.redactSent(text);
    return Object.assign(Object.create(redactor), { redact, redactSent });
  }

  #transport(pid: number): Transport {
    const toService = this.#toService(pid);
    return async (request) => {
      await this.clock.sleep(50);
      if (!this.isOffline) return toService(request);
      return { kind: 'failure', failure: 'refused', detail: 'the host cannot be reached' };
    };
  }

  #toService(pid: number): Transport {
    return transportTo(async (request) => {
      const isMine = (): boolean => pid === this.#pid && !this.#isDead;
      const never = (): Promise<never> => new Promise(() => undefined);
      if (!isMine()) return never();
      const instead = this.#hooks.request?.(this, 'before', request);
      if (!isMine()) return never();
      const reply = instead ?? (await this.reference.service(request));
      const other = this.#hooks.request?.(this, 'after', request);
      return isMine() ? (other ?? reply) : never();
    });
  }
}
