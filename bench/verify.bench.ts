/** What it costs to verify a full bundle: signature, digests, rerun and every verdict (`npm run bench`). */

import { bench } from 'vitest';
import { makeBundle } from '../src/certificate/bundle.ts';
import { bytesOf, certification, newKeys, verified } from '../test/unit/certificate/certified.ts';

const keys = newKeys();
const bytes = bytesOf(makeBundle(await certification(), keys.own));

bench('a full bundle is verified, in process', async () => {
  await verified(bytes, keys.known);
});
