import { setTimeout } from 'node:timers/promises';
import { Client } from 'undici';
import { expect, test } from 'vitest';
import { startServed } from '../../src/cli/served.ts';

/** Longer than the pause between two runs. */
const PAUSE = 300;

test('the inbound call rings again between two runs, and not in a pause of one whose connection stays', async () => {
  const { url, settings, close } = await startServed({ host: '127.0.0.1', port: 0 });
  const answered = async (client: Client): Promise<number> => {
    const { PCS_RINGING_CALL_ID: id, PCS_ACCESS_TOKEN: token } = settings;
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await client.request({ method: 'POST', path: `/v1/calls/${id}/answer`, headers });
    await body.dump();
    return statusCode;
  };
  const hungUp = async (client: Client): Promise<void> => {
    const headers = { authorization: `Bearer ${settings['PCS_ACCESS_TOKEN']}` };
    const path = `/v1/calls/${settings['PCS_RINGING_CALL_ID']}/hangup`;
    await (await client.request({ method: 'POST', path, headers })).body.dump();
  };
  try {
    const [first, second] = [new Client(url), new Client(url)];
    expect(await answered(first)).toBe(200);
    await hungUp(first);
    await setTimeout(PAUSE);
    expect(await answered(first)).toBe(409);
    await first.close();
    await setTimeout(PAUSE);
    expect(await answered(second)).toBe(200);
    await second.close();
  } finally {
    await close();
  }
});
