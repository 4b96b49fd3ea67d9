/** Invalid bodies of the three updates: each field of the wrong type and null, and bytes that only some readers take for JSON (section 2). */

import { noOccasion, type SuiteRequest, unset } from '../../src/client/request.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import { ambiguities, type Malformation } from '../../src/generate/malformations.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import { demandNamed, type Independent, type Sequence, type Session } from '../../src/run/sequence.ts';
import { encoded, malformed, objectBase, schemaOf, siblingFor, typicalFields } from '../bodies.ts';
import type { Update } from '../operations.ts';
import { compared, independent } from './sending.ts';
import { restoreField } from './shown.ts';
import { besideBody, sendSiblings } from './siblings.ts';
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
export function valueFor(values: Values, field: string): JsonValue {
  if (values[field] !== undefined) return values[field];
  if (field === 'caller_id') throw unset('no number to call from is set', 'PCS_CALL_FROM');
  throw noOccasion(`getTrunk does not show the ${field} of the trunk, so nothing is written to it`);
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
  const request = async (session: Session): Promise<SuiteRequest> => {
    demandNamed(session, id);
    const values = valuesFor(session, id);
    const sibling = await siblingFor(session, id, pointer, bodiesWith(session, id, values, field));
    const typical = Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, value]));
    // Some readers take [] for {}. Where every member is required that fails anyway, so the list holds the values instead.
    const isListed = id === 'setInboundAuth' ? ({ isListed: true } as const) : {};
    const violation = violations(schemaOf(id), { typical, ...isListed }).find((one) => one.label === label);
    if (violation === undefined) throw new Error(`there is no violation "${label}"`);
    const variation = { body: encoded(violation.apply(sibling)), asks, about: label };
    return besideBody(session.builder.request(id, variation), sibling);
  };
  const note: Independent['note'] = async (session, answer, request) => {
    await sendSiblings(session, [{ request, answer, due: 'rejection' }]);
    const isStored = answer.accepted && field !== '';
    if (isStored) await restoreField(session, id, field, valueFor(valuesFor(session, id), field));
  };
  const made = independent(id, `invalid: ${label}`, { asks, stimulus: `body ${kind}` }, { request, note });
  const { independent: _, ...alone } = made;
  // What a trunk accepts for its status and direction is restored before anything else is sent.
  return id === 'updateTrunk' ? alone : made;
}

/** The accepted body with bytes that only some readers take for JSON. */
function malformedUpdate(id: Update, { kind, label }: Malformation, asks: readonly Ask[]): Sequence {
  return compared(id, `invalid: ${label}`, { asks, stimulus: `body ${kind}` }, (base) => ({
    body: malformed(base, kind),
    about: label,
  }));
}

/** The invalid bodies of an update: every field, and bytes that only some readers take for JSON. */
export function invalidUpdates(id: Update): readonly Sequence[] {
  const broken = violations(schemaOf(id)).flatMap((violation) => {
    const asks = claimsOf(id, violation, violation.label);
    return asks.length === 0 ? [] : [invalid(id, violation, asks)];
  });
  const beyond = ambiguities('{}').flatMap((malformation) => {
    const asks = claimsOf(id, { pointer: '', kind: malformation.kind, syntax: 'invalid' }, malformation.label);
    return asks.length === 0 ? [] : [malformedUpdate(id, malformation, asks)];
  });
  return [...broken, ...beyond];
}
