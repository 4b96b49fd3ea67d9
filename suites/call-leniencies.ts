/** What create call lets pass: all of it in one body first, so that a lenient target is asked with one call only. */

import { Withheld } from '../src/client/stimulus.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { type Breach, breaches } from '../src/generate/breach.ts';
import { isObject, type JsonObject, type JsonValue } from '../src/generate/json.ts';
import type { Kit, Variation } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
import { minimalCall } from './bases.ts';
import { callOptions } from './call-valid.ts';
import { baseOf } from './controls.ts';
import { bytesOf, OTHER_TYPE, withTrailingBytes } from './leniencies.ts';

const CREATE = 'createCall';
const PROTECTED = ['from', 'to', 'application_id', 'trunk_id'] as const;
/** Calls that later controls may need: the one that closes the bracket, and one for bad credentials on an open call. */
const RESERVED = 2;

/** One thing that create call may let pass. */
interface Leniency {
  readonly requirement: string;
  readonly label: string;
  readonly of: (base: JsonObject) => Variation;
}

function nulls(kit: Kit): readonly Breach[] {
  const options = { ...callOptions(kit), exclude: [] };
  return breaches(BODY_SCHEMAS['call-create'], options).filter(({ leniency }) => leniency === 'null');
}

function withNull(breach: Breach, base: JsonValue): JsonValue {
  const value = breach.apply(base);
  if (value === undefined) throw new Error(`the breach "${breach.label}" does not fit the base body`);
  return value;
}

/** Null everywhere, and in a map and a list rather than in their places. */
function allNulls(kit: Kit, base: JsonObject): JsonValue {
  const inner = nulls(kit).map(({ pointer }) => pointer);
  const holds = (pointer: string): boolean => inner.some((other) => other.startsWith(`${pointer}/`));
  return nulls(kit)
    .filter(({ pointer }) => !holds(pointer))
    .reduce<JsonValue>((body, breach) => withNull(breach, body), base);
}

function leniencies(kit: Kit): readonly Leniency[] {
  return [
    ...nulls(kit).map(
      (breach): Leniency => ({
        requirement: 'NULL-REFUSED',
        label: breach.label,
        of: (base) => ({ body: bytesOf(withNull(breach, base)) }),
      }),
    ),
    {
      requirement: 'TRAILING-BYTES-REFUSED',
      label: 'bytes follow the value',
      of: (base) => ({ body: withTrailingBytes(base, PROTECTED) }),
    },
    {
      requirement: 'CONTENT-TYPE-OTHER',
      label: `the body is labelled ${OTHER_TYPE}`,
      of: (base) => ({ body: bytesOf(base), contentType: OTHER_TYPE }),
    },
  ];
}

const TOGETHER = 'all leniencies together';
const askOf = ({ requirement, label }: Pick<Leniency, 'requirement' | 'label'>): string => `${requirement}#${label}`;

function togetherAsks(kit: Kit): readonly string[] {
  const requirements = [...new Set(leniencies(kit).map(({ requirement }) => requirement))];
  return requirements.map((requirement) => askOf({ requirement, label: TOGETHER }));
}

function spareCall(talk: Talk): void {
  if (talk.callsLeft <= RESERVED) throw new Withheld('the last calls are kept for the controls', 'raise --max-calls');
}

function objectBase(talk: Talk): JsonObject {
  const base = baseOf(talk, CREATE);
  return isObject(base) ? base : (minimalCall(talk.kit) ?? {});
}

function lenient(kit: Kit): Sequence {
  return {
    name: `${CREATE}/leniencies`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: [...togetherAsks(kit), ...leniencies(kit).map(askOf)],
    run: async (talk) => {
      const base = objectBase(talk);
      const send = async (variation: Variation, asks: readonly string[], about: string): Promise<boolean> => {
        spareCall(talk);
        const request = { contentType: 'application/json', ...variation, asks, step: about, about };
        return (await talk.send(kit.request(CREATE, request))).accepted;
      };
      const body = withTrailingBytes(allNulls(kit, base), PROTECTED);
      if (await send({ body, contentType: OTHER_TYPE }, togetherAsks(kit), TOGETHER)) return;
      const accepted = new Set<string>();
      for (const one of leniencies(kit)) {
        // Each accepted one is a call: a second would say no more of the requirement.
        if (accepted.has(one.requirement)) continue;
        if (await send(one.of(base), [askOf(one)], one.label)) accepted.add(one.requirement);
      }
    },
  };
}

/** Leniencies of create call, for a place before the call that closes the bracket. */
export const CALL_LENIENCY_SUITE: Suite = {
  name: 'leniencies of create call',
  sequences: (kit) => [lenient(kit)],
};
