/** Part 2 of the array of lawful services, 24 times over: each time with the next services of each kind. */

import { lawfulRows, proveLawful } from '../proof/lawful.ts';
import { partOf } from '../proof/samples.ts';

proveLawful(partOf(lawfulRows(24), 2, 4), 'part 2 of 4');
