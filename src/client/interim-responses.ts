/**
 * Removes interim responses (RFC 9110, section 15.2) from what a socket reads. A client has to accept them unasked, but
 * undici takes a `100 Continue` for a broken response.
 */

import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { READ } from '../contract/limits.ts';

/** The beginning of an interim response; 101 is the final response before another protocol. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d[ \r]/;
const TEMPLATE = 'HTTP/1.1 1';
const SHORTEST = 'HTTP/1.1 100 '.length;

/** What follows the interim responses at the beginning of the text; `isOpen`: more bytes are needed to tell. */
interface Rest {
  readonly text: string;
  readonly isOpen: boolean;
}

function restOf(text: string): Rest {
  if (text.length < SHORTEST) return { text, isOpen: TEMPLATE.startsWith(text.slice(0, TEMPLATE.length)) };
  if (!INTERIM.test(text)) return { text, isOpen: false };
  const end = text.indexOf('\r\n\r\n');
  // Parsers disagree on a bare line feed, so undici decides.
  if (/(?<!\r)\n/.test(end === -1 ? text : text.slice(0, end))) return { text, isOpen: false };
  return end === -1 ? { text, isOpen: text.length < READ.header } : restOf(text.slice(end + 4));
}

/** The same socket, which reads no interim response before the response to each request that is written to it. */
export function withoutInterimResponses(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isAtStart = true;
  let held = '';
  socket.read = (): Buffer | null => {
    if (!isAtStart) return read();
    for (let chunk: Buffer | null = read(); chunk !== null; chunk = read()) {
      const rest = restOf(held + chunk.toString('latin1'));
      held = rest.text;
      if (rest.isOpen) continue;
      isAtStart = false;
      held = '';
      return Buffer.from(rest.text, 'latin1');
    }
    return null;
  };
  socket.write = (...[chunk, ...more]: readonly unknown[]): boolean => {
    // The head of a request is text, and a body is bytes.
    isAtStart ||= typeof chunk === 'string';
    return Reflect.apply(write, socket, [chunk, ...more]);
  };
  return socket;
}

/** A connector whose sockets read no interim responses. */
export function skippingInterimResponses(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null && socket !== null) callback(null, withoutInterimResponses(socket));
      else callback(error ?? new Error('no connection was made'), null);
    });
}
