/** Twenty of the thousand drawn gateways, and those that needed a change of the suite; test/long proves all of them. */

import { proveDrawnGateways } from './gateways.ts';

proveDrawnGateways([
  ...Array.from({ length: 20 }, (_, seed) => seed * 50),
  107,
  122,
  157,
  186,
  205,
  229,
  245,
  302,
  486,
  511,
  565,
  571,
  697,
  877,
  889,
]);
