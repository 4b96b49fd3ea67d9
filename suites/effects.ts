/** What was refused changed nothing: the name of the trunk before and after (section 5). */

import type { Kit } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import { demandNamed, type Phase, type Sequence } from '../src/engine/sequence.ts';
import type { CredentialForm } from '../src/http/exchange.ts';

const UPDATE = 'updateTrunk';

function noEffect(
  kit: Kit,
  requirement: string,
  forms: readonly CredentialForm[],
  phase: Phase,
  lane: string,
): Sequence {
  return {
    name: `${UPDATE}/no effect: ${requirement}`,
    operation: UPDATE,
    lane,
    phase,
    serves: [requirement],
    run: async (talk) => {
      demandNamed(kit, UPDATE);
      await talk.send(kit.request('getTrunk', { step: 'before', about: 'the trunk before' }));
      const json = { ...Object(talk.memory.bases.get(UPDATE)), name: `${kit.mark} refused` };
      for (const credential of forms) {
        const about = `a change with the credential ${credential}`;
        await talk.send(kit.request(UPDATE, { json, credential, step: `change: ${credential}`, about }));
      }
      const asks = [requirement];
      const after = kit.request('getTrunk', { step: 'after', asks, about: 'the trunk after a refused change' });
      await talk.send(after);
    },
  };
}

/** No effect of refused changes, whoever was refused. */
export const EFFECT_SUITE: Suite = {
  name: 'effects',
  sequences: (kit) => {
    if (kit.options.profile !== 'full') return [];
    const revoked = kit.options.credentials.revoked === undefined ? [] : (['revoked'] as const);
    const forms = ['none', 'wrong-secret', ...revoked] as const;
    const own = noEffect(kit, 'AUTH-NO-EFFECT', forms, 'credentials', `credentials ${UPDATE}`);
    if (kit.options.credentials.otherOrganization === undefined) return [own];
    return [own, noEffect(kit, 'ORG-NO-EFFECT', ['other-organization'], 'main', 'trunk')];
  },
};
