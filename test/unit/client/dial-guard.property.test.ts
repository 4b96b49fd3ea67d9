import { test } from 'vitest';
import { demandGuarded } from './guarded.ts';

/** A million of them are tried with the long tests. */
const BODIES = 2_000;
const SEED = 20_260_101;

test('no reader finds another number in a body that the guard lets pass', () => {
  demandGuarded(BODIES, SEED);
});

test('the same holds for a SIP URI and its digits', () => {
  const numbers = { from: 'sip:suite@example.com', to: 'sip:15005550010@example.com:5060;transport=tls' };
  demandGuarded(BODIES / 4, SEED, numbers);
});
