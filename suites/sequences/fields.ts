/** The fields of the three updates: alone, of the wrong type, null; and bodies that are not objects (section 2). */

import { type Answer, noOccasion, unset } from '../../src/client/request.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { nthForm } from '../../src/exchange/message.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { baseOf, encoded, fieldsOf, objectBase, schemaOf, typicalFields } from '../bodies.ts';
import { ask } from '../catalogue.ts';
import { shownName, writtenName } from '../expect/effect.ts';
import { UPDATES, type Update } from '../operations.ts';
import { siblingFor } from '../siblings.ts';
import { onNamed, sendTo, sendValid, single } from './sending.ts';
import { noteLag, readTrunk, settled } from './shown.ts';
import { claimsOf } from './violations.ts';

/** Values by field; a field that is absent is not to be written at all. */
type Values = Readonly<Record<string, JsonValue>>;

function shownBefore({ state }: Session, id: Update): Values {
  if (id === 'updateTrunk') return state.facts.trunk ?? {};
  return id === 'updateVoiceApplication' ? (state.facts.application ?? {}) : {};
}

/**
 * The current value, if a response showed it, so that writing it changes nothing; otherwise a typical value. A trunk's
 * status and direction are written only if getTrunk shows them.
 */
export function valuesFor(session: Session, id: Update): Values {
  const own = typicalFields(id, session);
  const accepted = Object(session.state.bases.get(id));
  // A value of an unexpected type is not written back; the name keeps the run's mark.
  const shown = Object.entries(shownBefore(session, id)).filter(
    ([field, value]) => typeof own[field] === typeof value && !(field === 'name' && field in accepted),
  );
  return { ...own, ...Object.fromEntries(shown), ...(id === 'setInboundAuth' ? accepted : {}) };
}

/** The value that may be written to a field; throws `Skipped` where there is none. */
function valueFor(values: Values, field: string): JsonValue {
  if (values[field] !== undefined) return values[field];
  if (field === 'caller_id') throw unset('no number to call from is set', 'PCS_CALL_FROM');
  throw noOccasion(`getTrunk does not show the ${field} of the trunk, so nothing is written to it`);
}

/** Writes a valid value at once where a wrong one was accepted, and reads the trunk. Leftovers are cleaned up at the end. */
export async function restoreField(session: Session, id: Update, field: string, value: JsonValue): Promise<void> {
  const json = { ...objectBase(session, id), [field]: value };
  const about = `a valid ${field} after a wrong one was accepted`;
  await sendTo(session, id, { json, role: 'restore', about });
  if (id === 'updateTrunk') await readTrunk(session, `the ${field} that was restored`);
}

function fieldAlone(id: Update, field: string, at: number): Sequence {
  return single(id, `/${field} alone`, { asks: [ask('UPDATE-FIELD-ALONE', `/${field}`)] }, (session) => {
    const json = { [field]: valueFor(valuesFor(session, id), field) };
    return { json, about: `nothing but /${field}`, form: nthForm(at) };
  });
}

/** Valid bodies with a field: all that may be written together, then the accepted body with this field. */
function bodiesWith(session: Session, id: Update, values: Values, field: string): readonly JsonObject[] {
  const base = objectBase(session, id);
  return field === ''
    ? [base]
    : [
        { ...values, ...base },
        { ...base, [field]: valueFor(values, field) },
      ];
}

function invalid(id: Update, { label, pointer, kind }: Violation, asks: readonly Ask[]): Sequence {
  const field = pointer.slice(1);
  return onNamed(id, `invalid: ${label}`, { asks, stimulus: `body ${kind}` }, async (session) => {
    const values = valuesFor(session, id);
    const sibling = await siblingFor(session, id, pointer, bodiesWith(session, id, values, field));
    const typical = Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, value]));
    // Some readers take [] for {}. Where every member is required that fails anyway, so the list holds the values instead.
    const isListed = id === 'setInboundAuth' ? ({ isListed: true } as const) : {};
    const violation = violations(schemaOf(id), { typical, ...isListed }).find((one) => one.label === label);
    if (violation === undefined) throw new Error(`there is no violation "${label}"`);
    const variation = { body: encoded(violation.apply(sibling)), asks, about: label };
    const answer = await session.probe(session.builder.request(id, variation), sibling, 'rejection');
    if (answer.accepted && field !== '') await restoreField(session, id, field, valueFor(values, field));
  });
}

/** The fields to send alone; a trunk's name is sent alone where its new value is read afterwards. */
function fieldsAlone(id: Update): readonly string[] {
  return fieldsOf(id).filter((field) => id !== 'updateTrunk' || field !== 'name');
}

/** Every field of the updates. */
export function updateFields(): readonly Sequence[] {
  return UPDATES.flatMap((id) => {
    const broken = violations(schemaOf(id)).flatMap((violation) => {
      const asks = claimsOf(id, violation, violation.label);
      return asks.length === 0 ? [] : [invalid(id, violation, asks)];
    });
    return [...fieldsAlone(id).map((field, at) => fieldAlone(id, field, at)), ...broken];
  });
}

/** A change of the trunk's name, and the read that shows it. */
export function visibleChange(): Sequence {
  const id = 'updateTrunk';
  const nameAlone = ask('UPDATE-FIELD-ALONE', '/name');
  const asks = [ask('UPDATE-VISIBLE')];
  return onNamed(
    id,
    'read after it',
    { asks: [...asks, nameAlone], mayAsk: [ask('UPDATES-AT-ONCE')] },
    async (session) => {
      const { builder } = session;
      const name = `${builder.mark} visible`;
      const change = { role: 'change', about: 'nothing but /name' } as const;
      let answer = await sendTo(session, id, { json: { name }, asks: [nameAlone], ...change });
      if (!answer.accepted) {
        const json = { ...Object(baseOf(session, id)), name };
        answer = await sendTo(session, id, { json, ...change, about: 'another name' });
      }
      let looks = 0;
      const read = (): Promise<Answer> => {
        looks += 1;
        const about = `the trunk after a change${looks > 1 ? ', again' : ''}`;
        return sendValid(session, 'getTrunk', { asks, role: 'after', about });
      };
      // A replica or a cache may be behind: the last read decides.
      const last = await settled(session, read, ({ exchange }) => {
        const shown = shownName(exchange);
        return answer.accepted && shown !== undefined && shown !== writtenName(answer.exchange);
      });
      if (looks > 1) noteLag(session, answer, last);
    },
  );
}
