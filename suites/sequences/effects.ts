/** Rejected changes between two looks at what they would change (section 5). */

import { noOccasion } from '../../src/client/request.ts';
import { type Ask, type CredentialForm, PLAIN_REQUEST } from '../../src/exchange/exchange.ts';
import type { JsonObject } from '../../src/generate/json.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { baseOf, objectBase } from '../bodies.ts';
import { ask, type RequirementId } from '../catalogue.ts';
import { afterChange, ENOUGH_CALLS } from '../expect/effect.ts';
import { APPLICATION, TRUNK } from '../operations.ts';
import { amongCredentials, type CredentialWay, credentialWays } from './credentials.ts';
import { restoreField } from './fields.ts';
import { onNamed, sendTo, sendValid, sequence } from './sending.ts';
import { shownState, untilShown } from './shown.ts';

type Forms = readonly CredentialForm[];

/** A change with each credential, which asks a variation of its own. */
const changesWith = (forms: Forms, json: JsonObject, id: RequirementId): readonly Variation[] =>
  forms.map((credential) => {
    const about = `a change with the credential ${credential}`;
    return { json, credential, role: 'change', asks: [ask(id, credential)], about };
  });

/** The read after the changes asks a variation for each of them. */
function rejectedChange(id: RequirementId, forms: Forms, place: Partial<Sequence> = {}): Sequence {
  const readingAsks = forms.map((form) => ask(id, afterChange(form)));
  const asks = [...forms.map((form) => ask(id, form)), ...readingAsks];
  return onNamed(TRUNK, `no effect: ${id}`, { asks, ...place }, async (session) => {
    const { builder, state } = session;
    await untilShown(session);
    await sendValid(session, 'getTrunk', { role: 'before', about: 'the trunk before' });
    const json = { ...Object(state.bases.get(TRUNK)), name: `${builder.mark} refused` };
    for (const one of changesWith(forms, json, id)) await sendTo(session, TRUNK, one);
    await untilShown(session);
    const about = 'the trunk after a rejected change';
    await sendValid(session, 'getTrunk', { role: 'after', asks: readingAsks, about });
  });
}

/** An update that the target has to reject, with a name that no other update writes, and a read after it. */
export function rejectedUpdate(): Sequence {
  const asks = [ask('UPDATE-REJECTED-NO-EFFECT')];
  return onNamed(TRUNK, 'rejected update', { asks }, async (session) => {
    const { builder } = session;
    const [field, value] = shownState(session);
    const json = { ...objectBase(session, TRUNK), name: `${builder.mark} rejected`, [field]: [value] };
    const about = `another name, and a ${field} that is an array`;
    const { accepted } = await sendTo(session, TRUNK, { json, role: 'change', about });
    if (accepted) await restoreField(session, TRUNK, field, value);
    await untilShown(session);
    const reading = { role: 'after', asks, about: 'the trunk after a rejected update' } as const;
    await sendValid(session, 'getTrunk', reading);
  });
}

/** Rejected changes of the application's name, and then an answer that may show it: a read, or that to another update. */
function rejectedApplicationChanges(forms: Forms): Sequence {
  const after = ask('AUTH-APPLICATION-UNCHANGED', 'after');
  const asks = [...forms.map((form) => ask('AUTH-APPLICATION-UNCHANGED', form)), after];
  return onNamed(APPLICATION, 'no effect', { asks, ...amongCredentials(APPLICATION) }, async (session) => {
    const { builder, state } = session;
    const json = { ...objectBase(session, APPLICATION), name: `${builder.mark} refused` };
    for (const one of changesWith(forms, json, 'AUTH-APPLICATION-UNCHANGED')) {
      await sendTo(session, APPLICATION, one);
    }
    await untilShown(session);
    const reading = { role: 'after', asks: [after] } as const;
    const about = 'the voice application after rejected changes';
    if (state.facts.isApplicationRead === true) {
      await session.send({ ...builder.request(APPLICATION, { ...reading, about }), operation: null, method: 'GET' });
    } else await sendTo(session, APPLICATION, { ...reading, json: { ring_timeout_seconds: 30 }, about });
  });
}

/** No effect of rejected changes, whichever credential was rejected. */
export function rejectedChanges({ options }: RequestBuilder): readonly Sequence[] {
  if (options.profile !== 'full') return [];
  const { revoked, otherOrganization } = options.credentials;
  const forms: Forms = ['none', 'wrong-secret', ...(revoked === undefined ? [] : (['revoked'] as const))];
  const others = otherOrganization === undefined ? [] : (['other-organization'] as const);
  return [
    rejectedChange('AUTH-NO-EFFECT', forms, amongCredentials(TRUNK)),
    rejectedApplicationChanges(['none', 'wrong-secret', ...others]),
    ...others.map((form) => rejectedChange('ORG-NO-EFFECT', [form], { reserve: 3 })),
  ];
}

/**
 * The call that is open now. A partial run places others first: what comes of their hang-ups is what that of this one is
 * compared with.
 */
async function callThatIsOpen(session: Session): Promise<string> {
  const place = () => sendValid(session, 'createCall', { json: baseOf(session, 'createCall'), role: 'occasion' });
  const isPartial = session.builder.options.only.length > 0;
  for (let number = 0; isPartial && number < ENOUGH_CALLS; number += 1) {
    await session.hangUp();
    await place();
  }
  const call = await session.knownCall();
  if (call === null) throw noOccasion('no call was open any more');
  return call;
}

/** GET on the path of a hang-up, and then our hang-up, which finds the call open. */
export function hangUpByGet(): Sequence {
  const id = 'hangUpCall';
  const asks = [ask('METHOD-SAFE')];
  return sequence(id, 'after GET', { asks }, async (session) => {
    const { builder } = session;
    const path = builder.path(id, [await callThatIsOpen(session)]);
    const get = builder.request(id, { path, role: 'before', about: 'GET on the path of a hang-up' });
    await session.send({ ...get, operation: null, method: 'GET' });
    await session.hangUp({ asks, control: true, role: 'control', about: PLAIN_REQUEST });
  });
}

const FORMS_ON_A_CALL: Forms = ['none', 'wrong-secret'];

/**
 * Hang-ups of the last call with invalid credentials, which may get through while a call is open. If they are rejected, our
 * own hang-up right behind them finds it open.
 */
export function rejectedHangUps(builder: RequestBuilder): Sequence {
  const id = 'hangUpCall';
  const ways = credentialWays(builder, id).filter(({ form }) => FORMS_ON_A_CALL.includes(form));
  const unchanged = ({ form }: CredentialWay): Ask => ask('AUTH-CALL-UNCHANGED', form);
  const mayAsk = ways.flatMap((way) => way.asks);
  return sequence(id, 'no effect', { asks: ways.map(unchanged), phase: 'hazards', mayAsk }, async (session) => {
    const path = session.builder.path(id, [await callThatIsOpen(session)]);
    for (const way of ways) {
      const about = `${way.about}, on an open call`;
      await sendTo(session, id, { path, credential: way.form, asks: [unchanged(way), ...way.asks], about });
    }
    await session.hangUp({ control: true, role: 'control', about: PLAIN_REQUEST });
  });
}
