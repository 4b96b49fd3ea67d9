/** A machine without file descriptors: what can still be sent goes over a connection that is there. */

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const TRANSPORT = new URL('../../../dist/src/client/transport.js', import.meta.url).href;

const SCRIPT = `
  import { openSync } from 'node:fs';
  const [, origin] = process.argv;
  const { undiciTransport } = await import(${JSON.stringify(TRANSPORT)});
  const { transport, close } = undiciTransport({ origin });
  const send = (method) => transport({ method, path: '/', headers: [], body: null, timeout: 5000 });
  const before = await send('GET');
  // The connection is free a moment after the response.
  await new Promise((resolve) => setTimeout(resolve, 100));
  try {
    for (;;) openSync('/dev/null');
  } catch {}
  const after = await send('POST');
  console.log(before.status, after.status ?? after.detail);
  await close();
`;

test('a write is sent over a connection of the reads', async () => {
  const server = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const words = ['-c', 'ulimit -n 60; exec "$0" --input-type=module -e "$1" "$2"', process.execPath, SCRIPT];
  const { stdout } = await promisify(execFile)('sh', [...words, `http://127.0.0.1:${port}`]);
  server.closeAllConnections();
  server.close();
  expect(stdout.trim()).toBe('200 200');
});
