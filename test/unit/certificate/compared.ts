/** Three bundles to compare: a conformant one, a non-conformant one, and a changed one in a folder with a hostile name. */

import { type Bundle, makeBundle } from '../../../src/certificate/bundle.ts';
import { type Opened, openVerified } from '../../../src/certificate/verify.ts';
import { bytesOf, certification, entriesOf, newKeys, VERSION } from './certified.ts';

/** The bundles, opened. */
export async function comparedBundles(): Promise<readonly Opened[]> {
  const { own, known } = newKeys();
  const open = (folder: string, { files }: Pick<Bundle, 'files'>): Promise<Opened> =>
    openVerified(folder, entriesOf(bytesOf({ files })), { signers: [known] }, VERSION);
  const sound = makeBundle(await certification(), own);
  const broken = await certification(undefined, { timeout: 20_000 }, (service) => async (call) => {
    const reply = await service(call);
    if (reply.status === 200 && call.target === '/v1/trunks/') return { ...reply, status: 202 };
    // Lawful, and unlike the first.
    return reply.status === 401 ? { ...reply, status: 403 } : reply;
  });
  const changed = new Map([
    ...sound.files,
    ['results.json', (sound.files.get('results.json') ?? '').replace('a', 'b')],
  ]);
  return [
    await open('first', sound),
    await open('second', makeBundle(broken, own)),
    await open('<img src=x onerror=alert(1)>', { files: changed }),
  ];
}
