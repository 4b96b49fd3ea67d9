/** The reference service behind the gateways that people use: nothing is accused, the second time as the first. */

import { expect, test } from 'vitest';
import { startServed } from '../../src/cli/commands/serve.ts';
import { command } from '../e2e/command.ts';
import { lacks } from '../programs.ts';
import { behind, GATEWAY_PROGRAMS, NGINX_PAGES } from './gateway-programs.ts';

const LACKING = new Set(
  [...new Set(GATEWAY_PROGRAMS.map(({ program }) => program))].filter((one) => lacks(one, import.meta.url)),
);

for (const gateway of GATEWAY_PROGRAMS) {
  test.skipIf(LACKING.has(gateway.program))(`${gateway.name}: two runs are conformant`, async () => {
    const served = await startServed({ host: '127.0.0.1', port: 0 });
    try {
      await behind(gateway, served.url, async (url) => {
        const env = { ...served.settings, PCS_BASE_URL: url };
        for (const run of ['first', 'second']) {
          const { code, out } = await command(['run', '--profile', 'full', '--require-complete'], env);
          expect([run, code, code === 0 ? '' : out]).toEqual([run, 0, '']);
        }
      });
    } finally {
      await served.close();
    }
  });
}

test.skipIf(LACKING.has(NGINX_PAGES.program))(
  'a page of the gateway itself is a finding that names it, and says what avoids it',
  async () => {
    const served = await startServed({ host: '127.0.0.1', port: 0 });
    try {
      await behind(NGINX_PAGES, served.url, async (url) => {
        const { code, out } = await command(['run', '--profile', 'full'], { ...served.settings, PCS_BASE_URL: url });
        expect(code).toBe(1);
        expect(out).toMatch(
          /markup \(Server: nginx\/[\d.]+; what avoids it is a JSON error page there\) \(the body of the 413\)/,
        );
      });
    } finally {
      await served.close();
    }
  },
);
