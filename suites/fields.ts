/** The fields of the three updates: alone, of the wrong type, null; and bodies that are no object (section 2). */

import { Withheld } from '../src/client/stimulus.ts';
import { type BodySchemaName, operationById } from '../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { type Breach, breaches } from '../src/generate/breach.ts';
import type { FlawKind } from '../src/generate/flaw.ts';
import { isObject, type JsonValue } from '../src/generate/json.ts';
import type { BreachOptions } from '../src/generate/wrong.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/run/sequence.ts';
import { baseOf } from './controls.ts';
import { fieldsToWrite, isAccountedFor, noteChanged, putBack, UPDATES, type Update, type Written } from './written.ts';

/**
 * One wrong type a field, the one that a coercing reader would most likely take; that of an address, of a secret and
 * of a trunk's state holds the right value in an array, so that whoever takes it writes nothing strange.
 */
const WRONG: Readonly<Record<string, FlawKind>> = {
  '/ring_timeout_seconds': 'string',
  '/caller_id': 'array',
  '/voice_url': 'array',
  '/callback_url': 'object',
  '/method': 'boolean',
  '/username': 'integer',
  '/realm': 'object',
  '/secret': 'array',
  '/direction': 'array',
  '/status': 'array',
  '/name': 'integer',
};

const encoder = new TextEncoder();

const schemaOf = (id: Update) => BODY_SCHEMAS[operationById(id).body as BodySchemaName];

/** The fields to send alone; a trunk's name is sent so where its new value is then read. */
function fieldsOf(id: Update): readonly string[] {
  const fields = Object.keys(schemaOf(id).properties ?? {});
  return id === 'updateTrunk' ? fields.filter((field) => field !== 'name') : fields;
}

interface Probe {
  readonly id: Update;
  readonly name: string;
  readonly ask: string;
  readonly run: (talk: Talk) => Promise<void>;
}

function sequenceOf(kit: Kit, { id, name, ask, run }: Probe): Sequence {
  const phase = 'main';
  const lane = UPDATES[id];
  return {
    name: `${id}/${name}`,
    operation: id,
    lane,
    phase,
    serves: [ask],
    run: async (talk) => {
      demandNamed(kit, id);
      await run(talk);
    },
  };
}

/** The value that may be written to a field; throws `Withheld` where there is none. */
function valueFor(written: Written, field: string): JsonValue {
  if (written[field] !== undefined) return written[field];
  const why = field === 'caller_id' ? 'no number is named' : `getTrunk does not show the ${field} of the trunk`;
  throw new Withheld(`${why}, so nothing is written to it`);
}

function alone(kit: Kit, id: Update, field: string): Probe {
  const ask = `UPDATE-FIELD-ALONE#/${field}`;
  return {
    id,
    name: `/${field} alone`,
    ask,
    run: async (talk) => {
      const value = valueFor(fieldsToWrite(talk, id), field);
      const about = `nothing but /${field}`;
      const json = { [field]: value };
      const answer = await talk.send(kit.request(id, { json, asks: [ask], step: 'alone', about }));
      if (answer.accepted && !isAccountedFor(talk, id, field, value)) noteChanged(talk, id, field);
    },
  };
}

function optionsFor(written: Written): BreachOptions {
  return { plain: Object.fromEntries(Object.entries(written).map(([field, value]) => [`/${field}`, value])) };
}

/** One more wrong value, which readers of integers often take: a number with a fraction. */
const ALSO_WRONG = { pointer: '/ring_timeout_seconds', kind: 'fraction' } as const;

function requirementOf({ pointer, kind }: Breach): string | null {
  if (pointer === ALSO_WRONG.pointer && kind === ALSO_WRONG.kind) return 'UPDATE-FIELD-TYPES';
  if (pointer === '') return kind === 'array' ? 'UPDATE-BODY-OBJECT' : null;
  if (kind === 'null') return 'NULL-REFUSED';
  return WRONG[pointer] === kind ? 'UPDATE-FIELD-TYPES' : null;
}

function broken(kit: Kit, id: Update, { label, pointer }: Breach, requirement: string): Probe {
  const ask = `${requirement}#${label}`;
  const field = pointer.slice(1);
  return {
    id,
    name: `invalid: ${label}`,
    ask,
    run: async (talk) => {
      const written = fieldsToWrite(talk, id);
      if (field !== '') valueFor(written, field);
      const base = baseOf(talk, id);
      const breach = breaches(schemaOf(id), optionsFor(written)).find((one) => one.label === label);
      const value = breach?.apply(isObject(base) ? base : {});
      if (value === undefined) throw new Error(`the breach "${label}" does not fit the base body`);
      const body = encoder.encode(JSON.stringify(value));
      const variation = { body, contentType: 'application/json', asks: [ask], step: 'invalid', about: label };
      const answer = await talk.send(kit.request(id, variation));
      if (answer.accepted && field !== '') await putBack(talk, id, field, valueFor(written, field));
    },
  };
}

function probesOf(kit: Kit, id: Update): readonly Probe[] {
  const wrong = breaches(schemaOf(id)).flatMap((breach) => {
    const requirement = requirementOf(breach);
    return requirement === null ? [] : [broken(kit, id, breach, requirement)];
  });
  return [...fieldsOf(id).map((field) => alone(kit, id, field)), ...wrong];
}

/** Every field of the updates. */
export const FIELD_SUITE: Suite = {
  name: 'fields',
  sequences: (kit) =>
    (Object.keys(UPDATES) as readonly Update[]).flatMap((id) =>
      probesOf(kit, id).map((probe) => sequenceOf(kit, probe)),
    ),
};
