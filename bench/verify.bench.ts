/** What it costs to verify a full bundle: signature, digests, rerun and every verdict (`npm run bench`). */

import { bench } from 'vitest';
import { bytesOf, newKeys, referenceBundle, verified } from '../test/unit/certificate/certified.ts';

const keys = newKeys();
const bytes = bytesOf(await referenceBundle(keys.own));

bench('a full bundle is verified, in process', async () => {
  await verified(bytes, keys.known);
});
