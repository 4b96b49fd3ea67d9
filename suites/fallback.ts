/** Bad credentials on an open call, where an ended one could not tell them from the good one (section 5). */

import { carry } from '../src/client/credential.ts';
import { Withheld } from '../src/client/stimulus.ts';
import type { OperationId } from '../src/contract/operations.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
import { otherForm } from './aliases.ts';
import { baseOf } from './controls.ts';
import { WAYS } from './credentials.ts';

/** Statuses of the ended call: the good credential's, and those that bad ones got. */
function undecided(talk: Talk, id: OperationId): readonly string[] {
  const seen = talk.memory.refusals.get(id);
  if (seen === undefined) return [];
  return [...seen.bad].filter(([, status]) => seen.good.has(status)).map(([form]) => form);
}

/** The call of this phase: it stays open until both actions were tried on it. */
async function openCall(talk: Talk): Promise<string> {
  const open = talk.openCall();
  if (open !== null) return open;
  const created = await talk.send(talk.kit.control('createCall', { json: baseOf(talk, 'createCall') }));
  const call = talk.openCall();
  if (!created.accepted || call === null) throw new Withheld('no call could be placed to try bad credentials on');
  return call;
}

type Action = 'hangUpCall' | 'answerCall';

async function tryForms(talk: Talk, id: Action, path: string, forms: readonly string[]): Promise<void> {
  const { kit } = talk;
  for (const [form, requirement, about] of WAYS) {
    if (!forms.includes(form) || carry(form, kit.options.credentials) === null) continue;
    const asks = [`${requirement}#${form}`];
    await talk.send(kit.request(id, { path, credential: form, asks, step: `bad credential ${form}`, about }));
  }
}

/** Without any credential at the other slash form, where the ended call said nothing there either. */
async function tryAlias(talk: Talk, id: Action, path: string): Promise<void> {
  const variation = { path: otherForm(path), credential: 'none', asks: ['AUTH-ALIAS#none'] } as const;
  const about = 'the other slash form of the path of an open call, without a credential';
  await talk.send(talk.kit.request(id, { ...variation, step: 'bad credential none at the alias', about }));
}

/**
 * Hang up and answer are first tried on a call that has ended. A target that answers 404 to a bad credential and to an
 * ended call alike has then said nothing, so the same is asked of a call that is open, and ends it.
 */
function onOpenCall(id: Action, last: (talk: Talk, path: string) => Promise<void>): Sequence {
  return {
    name: `${id}/credentials on an open call`,
    operation: id,
    lane: 'fallback',
    phase: 'fallback',
    serves: [],
    maySettle: ['AUTH-ALIAS', ...new Set(WAYS.map(([, requirement]) => requirement))],
    run: async (talk) => {
      const forms = undecided(talk, id);
      const isAliasOpen = talk.memory.openAliases.has(id);
      if (forms.length === 0 && !isAliasOpen) return;
      const path = talk.kit.path(id, [await openCall(talk)]);
      await tryForms(talk, id, path, forms);
      if (isAliasOpen) await tryAlias(talk, id, path);
      await last(talk, path);
      const about = 'the good credential after the bad ones';
      await talk.send(talk.kit.control(talk.memory.pulse, { step: 'pulse', about }));
    },
  };
}

const answer = onOpenCall('answerCall', async (talk, path) => {
  await talk.send(talk.kit.control('answerCall', { path, asks: [] }));
});

const hangUp = onOpenCall('hangUpCall', async (talk) => {
  await talk.hangUp({ control: true, step: 'control', about: 'the good credential after the bad ones' });
});

/** What the ended call left open. */
export const FALLBACK_SUITE: Suite = {
  name: 'credentials on an open call',
  sequences: (kit) => (kit.options.profile === 'full' ? [answer, hangUp] : []),
};
