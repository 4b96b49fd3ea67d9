/** Bad credentials on an open call, where an ended one could not tell them from the good one (section 5). */

import { carry } from '../src/client/credential.ts';
import { Withheld } from '../src/client/stimulus.ts';
import type { OperationId } from '../src/contract/operations.ts';
import type { Kit } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import type { Sequence, Talk } from '../src/engine/sequence.ts';
import { baseOf } from './controls.ts';
import { WAYS } from './credentials.ts';

/** Statuses of the ended call: the good credential's, and those that bad ones got. */
function undecided(talk: Talk, id: OperationId): readonly string[] {
  const seen = talk.memory.refusals.get(id);
  if (seen === undefined) return [];
  return [...seen.bad].filter(([, status]) => seen.good.has(status)).map(([form]) => form);
}

/**
 * Hang up and answer are first tried on a call that has ended. A target that answers 404 to a bad credential and to an
 * ended call alike has then said nothing, so the same is asked of a call that is open, and ends it.
 */
function onOpenCall(kit: Kit, id: 'hangUpCall' | 'answerCall'): Sequence {
  return {
    name: `${id}/credentials on an open call`,
    operation: id,
    lane: 'fallback',
    phase: 'fallback',
    serves: [],
    maySettle: [...new Set(WAYS.map(([, requirement]) => requirement))],
    run: async (talk) => {
      const forms = undecided(talk, id);
      if (forms.length === 0) return;
      const created = await talk.send(kit.control('createCall', { json: baseOf(talk, 'createCall') }));
      const call = talk.openCall();
      if (!created.accepted || call === null) throw new Withheld('no call could be placed to try bad credentials on');
      const path = kit.path(id, [call]);
      for (const [form, requirement, about] of WAYS) {
        if (!forms.includes(form) || carry(form, kit.options.credentials) === null) continue;
        const asks = [`${requirement}#${form}`];
        await talk.send(kit.request(id, { path, credential: form, asks, step: `bad credential ${form}`, about }));
      }
      if (id === 'answerCall') await talk.send(kit.control(id, { path, asks: [] }));
      await talk.hangUp({ control: true, step: 'control', about: 'the good credential after the bad ones' });
      await talk.send(
        kit.control(talk.memory.pulse, { step: 'pulse', about: 'the good credential after the bad ones' }),
      );
    },
  };
}

/** What the ended call left open. */
export const FALLBACK_SUITE: Suite = {
  name: 'credentials on an open call',
  sequences: (kit) =>
    kit.options.profile === 'full' ? [onOpenCall(kit, 'hangUpCall'), onOpenCall(kit, 'answerCall')] : [],
};
