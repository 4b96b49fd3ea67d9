/**
 * `pcs-conformance witness` notes commitments to the answers of certifications, in a log that only grows. Here is also the
 * way to a witness: a log on a disk, or an endpoint of the programme.
 */

import { once } from 'node:events';
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Disagreement } from '../../certificate/bundle-files.ts';
import { MOST_OF_LOG, MOST_OF_TESTIMONY, type Witness, WitnessLog } from '../../certificate/witness.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { parsedJson } from '../../exchange/json-text.ts';
import { cut, visible } from '../../report/text.ts';
import { codeOf } from '../../run/disk.ts';
import { EXIT_CODES, type ExitCode, listenAt, nextSignal, type Terminal } from '../terminal.ts';

/** The flags of `witness`. */
export interface WitnessOptions {
  readonly log: string;
  readonly host: string;
  readonly port: string;
}

const MOST_CONNECTIONS = 100;

/** Listens until a signal comes. Throws `UsageError`. */
export async function witness({ log: path, host, port }: WitnessOptions, terminal: Terminal): Promise<ExitCode> {
  const log = openWitnessLog(path, '--log');
  const server = createServer((request, response) => void answer(request, response, log, terminal));
  server.maxConnections = MOST_CONNECTIONS;
  const url = await listenAt({ host, port }, (address) => listening(server, address));
  const stopped = nextSignal(terminal);
  terminal.err(`The witness listens at ${url} and writes to ${path}. Press Ctrl-C to stop it.`);
  await stopped;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return EXIT_CODES.conformant;
}

async function listening(server: Server, address: { readonly host: string; readonly port: number }): Promise<string> {
  server.listen(address);
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : address.port;
  return `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  log: WitnessLog,
  terminal: Terminal,
): Promise<void> {
  const reply = (status: number, text: string): void => {
    response.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'text/plain' }).end(text);
  };
  if (request.method !== 'POST') return reply(405, 'POST a testimony.\n');
  try {
    const body = await bodyOf(request);
    if (body === null) return reply(413, `A testimony has at most ${MOST_OF_TESTIMONY} bytes.\n`);
    reply(200, log.note(parsedJson(body)));
  } catch (error) {
    if (error instanceof Disagreement) return reply(409, `${error.message}\n`);
    terminal.err(`The witness could not note a testimony: ${error instanceof Error ? error.message : String(error)}.`);
    reply(500, 'The testimony could not be noted.\n');
  }
}

/** The text of a body, or `null` if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_OF_TESTIMONY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const NO_LOG = 'name the log that the witness writes';

/** The text of a log; that of a file that is not there is empty. Throws `UsageError`. */
function textOfLog(path: string, flag: string): string {
  try {
    const { size } = statSync(path);
    if (size <= MOST_OF_LOG) return readFileSync(path, 'utf8');
    throw new UsageError(
      `${flag} ${path} has ${size} bytes, and at most ${MOST_OF_LOG} are read`,
      'copy the lines of this run to a file of their own',
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (codeOf(error) === 'ENOENT') return '';
    throw new UsageError(`${flag} ${path} cannot be read (${codeOf(error)})`, NO_LOG);
  }
}

/** The text of a log that is there. Throws `UsageError`. */
export function witnessLogAt(path: string): string {
  const text = textOfLog(path, '--witness');
  if (text === '') throw new UsageError(`--witness ${path} is empty or missing`, NO_LOG);
  return text;
}

/** Opens a log for writing; what it holds stays. Throws `UsageError`. */
function openWitnessLog(path: string, flag: string): WitnessLog {
  const append = (line: string): void => {
    const file = openSync(path, 'a', 0o644);
    try {
      writeSync(file, line);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  };
  try {
    const log = new WitnessLog(textOfLog(path, flag), append);
    append('');
    return log;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof Disagreement ? 'is not the log of a witness' : `cannot be written (${codeOf(error)})`;
    throw new UsageError(`${flag} ${path} ${why}`, 'name another file');
  }
}

/** Milliseconds that a witness has for its answer, and pauses after which it is asked again. */
const PATIENCE = 10_000;
const PAUSES = [1_000, 3_000];

/** The witness at an address, or a log of our own on another volume. Throws `UsageError` for a file. */
export function witnessAt(place: string, pauses: readonly number[] = PAUSES): Witness {
  if (!/^https?:\/\//i.test(place)) {
    const log = openWitnessLog(place, '--witness');
    return async (testimony) => log.note(testimony);
  }
  return async (testimony) => {
    const body = JSON.stringify(testimony);
    for (let tries = 0; ; tries += 1) {
      try {
        return await post(place, body);
      } catch (error) {
        const pause = error instanceof Disagreement ? undefined : pauses[tries];
        if (pause === undefined) throw error;
        await setTimeout(pause);
      }
    }
  };
}

async function post(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(url, { method: 'POST', body, headers, redirect: 'error', signal });
  const text = await response.text();
  // What it rejects it will reject again.
  if (response.status === 409) throw new Disagreement(`the witness rejects it: ${text.trim()}`);
  if (response.status === 200) return text;
  throw new Error(`the witness answered ${response.status}: ${cut(visible(text.trim()), 200)}`);
}
