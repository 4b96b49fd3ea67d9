/** Part 2 of the array of lawful services, twelve times over: each time with the next services of each kind. */

import { lawfulRows, proveLawful } from '../proof/lawful.ts';
import { partOf } from '../proof/samples.ts';

proveLawful(partOf(lawfulRows(12), 2, 4), 'part 2 of 4');
