/** `pcs-conformance witness`: notes commitments to the answers of certifications, in a log that only grows. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Disagreement } from '../../certificate/bundle-files.ts';
import { MOST_OF_TESTIMONY, type WitnessLog } from '../../certificate/witness.ts';
import { parsedJson } from '../../exchange/json-text.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { openWitnessLog } from '../witness-link.ts';
import { listenAt, nextSignal } from './serve.ts';

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

function listening(server: Server, address: { readonly host: string; readonly port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      const bound = server.address();
      const port = typeof bound === 'object' ? bound?.port : address.port;
      resolve(`http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`);
    });
  });
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
