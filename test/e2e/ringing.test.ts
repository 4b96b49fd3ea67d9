import { Client } from 'undici';
import { expect, test } from 'vitest';
import { startServed } from '../../src/cli/commands/serve.ts';
import { UNKNOWN_ROUTE } from '../../src/run/builder.ts';

test('the inbound call rings again when another run begins, also through a gateway that keeps its connection', async () => {
  const { url, settings, close } = await startServed({ host: '127.0.0.1', port: 0 });
  const client = new Client(url);
  const statusOf = async (method: 'GET' | 'POST', path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${settings['PCS_ACCESS_TOKEN']}` };
    const { statusCode, body } = await client.request({ method, path, headers });
    await body.dump();
    return statusCode;
  };
  const call = `/v1/calls/${settings['PCS_RINGING_CALL_ID']}`;
  try {
    expect(await statusOf('POST', `${call}/answer`)).toBe(200);
    expect(await statusOf('POST', `${call}/hangup`)).toBe(200);
    expect(await statusOf('POST', `${call}/answer`)).toBe(409);
    // What the preflight of a run sends.
    expect(await statusOf('GET', UNKNOWN_ROUTE)).toBe(404);
    expect(await statusOf('POST', `${call}/answer`)).toBe(200);
  } finally {
    await client.close();
    await close();
  }
});
