/** What was refused changed nothing: the name of the trunk before and after (section 5). */

import type { CredentialForm } from '../src/exchange/exchange.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Phase, type Sequence } from '../src/run/sequence.ts';

const UPDATE = 'updateTrunk';

function noEffect(
  kit: Kit,
  requirement: string,
  forms: readonly CredentialForm[],
  phase: Phase,
  lane: string,
): Sequence {
  // A strand for each change, so that none can be left out of a bundle; the reading names those that it comes after.
  const askOf = (strand: string): string => `${requirement}#${strand}`;
  const afterAll = askOf(`after ${forms.join(', ')}`);
  return {
    name: `${UPDATE}/no effect: ${requirement}`,
    operation: UPDATE,
    lane,
    phase,
    serves: [...forms.map(askOf), afterAll],
    run: async (talk) => {
      demandNamed(kit, UPDATE);
      await talk.send(kit.request('getTrunk', { step: 'before', about: 'the trunk before' }));
      const json = { ...Object(talk.memory.bases.get(UPDATE)), name: `${kit.mark} refused` };
      for (const credential of forms) {
        const about = `a change with the credential ${credential}`;
        const asks = [askOf(credential)];
        await talk.send(kit.request(UPDATE, { json, credential, step: `change: ${credential}`, asks, about }));
      }
      const about = 'the trunk after a refused change';
      await talk.send(kit.request('getTrunk', { step: 'after', asks: [afterAll], about }));
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
