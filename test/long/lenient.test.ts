/** Every fault of create call in lenient services. */

import { proveLenient } from '../proof/lenient.ts';

proveLenient(() => true, 100);
