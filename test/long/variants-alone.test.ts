/** The single choices that `npm test` leaves out. */

import { otherChoices, proveSingleChoices } from '../proof/variants-alone.ts';

proveSingleChoices(otherChoices());
