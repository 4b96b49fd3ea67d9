/** Part 4 of the array of lawful services, 24 times over: each time with the next services of each kind. */

import { lawfulRows, proveLawful } from '../proof/lawful.ts';
import { partOf } from '../proof/samples.ts';

proveLawful(partOf(lawfulRows(24), 4, 4), 'part 4 of 4');
