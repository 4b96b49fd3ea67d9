import { request as plainRequest } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { afterEach, describe, expect, test } from 'vitest';
import { type Listening, type ListenOptions, listen } from '../../../fixtures/service/serve.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { transportTo } from '../../../src/cli/in-process.ts';
import { undiciTransport } from '../../../src/client/transport.ts';

interface Reply {
  readonly status: number;
  readonly text: string;
}

const open: Listening[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((listening) => listening.close()));
});

async function listening(service: Service, options: ListenOptions = {}): Promise<string> {
  const started = await listen(service, options);
  open.push(started);
  return started.url;
}

/** Sends one request to the raw target; rejects if no complete response arrives. */
function send(base: string, target: string, options: RequestOptions = {}): Promise<Reply> {
  const { protocol, hostname, port } = new URL(base);
  const start = protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/[[\]]/g, '');
    const request = start({ host, port, path: target, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

const replying =
  (reply: Partial<Awaited<ReturnType<Service>>>): Service =>
  async () => ({ status: 200, headers: [['Content-Type', 'application/json']], body: '{"success":true}', ...reply });

describe('a service behind a socket', () => {
  test('the fate reset ends the connection without a response', async () => {
    await expect(send(await listening(replying({ fate: 'reset' })), '/')).rejects.toThrow('socket hang up');
  });

  test.each([
    ['with a body', {}],
    ['without a body', { body: null }],
    ['in chunks', { headers: [['Transfer-Encoding', 'chunked']] as const }],
  ])('the fate cut breaks an answer %s off', async (_, reply) => {
    await expect(send(await listening(replying({ ...reply, fate: 'cut' })), '/')).rejects.toThrow('aborted');
  });

  test('the fate beyond sends a body behind a 204, as the client sees it in this process', async () => {
    const service = replying({ status: 204, body: 'null', fate: 'beyond' });
    const { transport, close } = undiciTransport({ origin: await listening(service) });
    const request = { method: 'POST', path: '/', headers: [], body: null, timeout: 5_000 };
    const outcome = await transport(request);
    expect(outcome).toEqual(await transportTo(service)(request));
    expect(outcome).toMatchObject({ kind: 'failure', failure: 'short', status: 204 });
    await close();
  });

  test('the fate hang sends no response, not even after a later request, until the service is closed', async () => {
    let reached = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const started = await listen(async ({ target }) => {
      if (target === '/later') return { status: 200, headers: [], body: 'later' };
      reached();
      return { status: 200, headers: [], body: 'never sent', fate: 'hang' };
    });
    let outcome = 'waiting';
    const ended = send(started.url, '/').then(
      () => {
        outcome = 'answered';
      },
      () => {
        outcome = 'ended';
      },
    );
    await asked;
    expect((await send(started.url, '/later')).text).toBe('later');
    expect(outcome).toBe('waiting');
    await started.close();
    await ended;
    expect(outcome).toBe('ended');
  });
});
