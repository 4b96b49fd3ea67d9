/** What an update of the trunk changed is what a read of it then shows (section 4). */

import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence } from '../src/run/sequence.ts';
import { baseOf } from './controls.ts';

const UPDATE = 'updateTrunk';

function visible(kit: Kit): Sequence {
  const asks = ['UPDATE-VISIBLE'];
  const nameAlone = 'UPDATE-FIELD-ALONE#/name';
  return {
    name: `${UPDATE}/read after it`,
    operation: UPDATE,
    lane: 'trunk',
    phase: 'main',
    serves: [...asks, nameAlone],
    run: async (talk) => {
      demandNamed(kit, UPDATE);
      const name = `${kit.mark} visible`;
      const about = 'nothing but /name';
      const alone = await talk.send(kit.request(UPDATE, { json: { name }, asks: [nameAlone], step: 'change', about }));
      if (!alone.accepted) {
        const json = { ...Object(baseOf(talk, UPDATE)), name };
        await talk.send(kit.request(UPDATE, { json, step: 'change', about: 'another name' }));
      }
      await talk.send(kit.control('getTrunk', { asks, step: 'after', about: 'the trunk after a change' }));
    },
  };
}

/** Reading after writing. */
export const VISIBLE_SUITE: Suite = { name: 'visible updates', sequences: (kit) => [visible(kit)] };
