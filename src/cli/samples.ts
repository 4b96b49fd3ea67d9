/** The file of `--samples`: bodies that a target is known to accept, checked before anything is sent. */

import { readFileSync } from 'node:fs';
import { OPERATION_IDS, type OperationId } from '../contract/operations.ts';
import { SETTING_OF, type TargetSettingName } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { schemaFault } from '../regression/own-files.ts';
import type { RunOptions } from '../run/options.ts';
import type { Settings } from '../settings/settings.ts';

/** Where a value stands: JSON Pointer, operation and, in lower case, the name of the member that holds it. */
interface Place {
  readonly pointer: string;
  readonly operation: string;
  readonly name: string;
}

/** What is wrong with a value, and what to write instead. */
interface Fault {
  readonly pointer: string;
  readonly value: unknown;
  readonly remedy: string;
}

/** The value that a member has to have, with the setting that it comes from. */
interface Own {
  readonly setting: TargetSettingName;
  readonly value: string | undefined;
}

const LONGEST_QUOTE = 80;

/** A number in the form of E.164, or an address with one, however it is grouped. */
const PHONE_NUMBER = /^\s*(?:(?:tel|sips?):)?\+[0-9][0-9 ().-]{5,}(?:@.*)?$/i;

/** What a schema asks for, as what to do. */
function remedyOfSchema(keyword: string, params: Readonly<Record<string, unknown>>): string {
  if (keyword === 'required') return `add ${JSON.stringify(params['missingProperty'])}`;
  if (keyword === 'additionalProperties') {
    return `use ${OPERATION_IDS.join(', ')} instead of ${JSON.stringify(params['additionalProperty'])}`;
  }
  const types = [params['type']].flat().map((type) => (type === 'object' ? 'a JSON object' : `a JSON ${type}`));
  return `write ${types.join(' or ')} there`;
}

const segmentOf = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The scalar values of a sample with their places. */
function scalarsIn(value: unknown, place: Place): readonly (readonly [Place, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = Array.isArray(value) ? place.name : name.toLowerCase();
    return scalarsIn(member, { ...place, pointer: `${place.pointer}/${segmentOf(name)}`, name: inside });
  });
}

/** The value that has to stand in a place, if the settings fix it. */
function ownOf({ operation, name }: Place, { call, resources }: Settings): Own | null {
  if (name === 'caller_id') return { setting: 'PCS_CALL_FROM', value: call.from };
  if (operation === 'createCall' && name === 'from') return { setting: 'PCS_CALL_FROM', value: call.from };
  if (operation === 'createCall' && name === 'to') return { setting: 'PCS_CALL_TO', value: call.to };
  const kind = ID_MEMBERS[name];
  return kind === undefined ? null : { setting: SETTING_OF[kind], value: resources[kind] };
}

const ID_MEMBERS: Readonly<Record<string, 'voiceApplication' | 'trunk' | 'carrierConnection'>> = {
  application_id: 'voiceApplication',
  trunk_id: 'trunk',
  carrier_connection_id: 'carrierConnection',
};

/** Nothing is dialled and nothing written to but what the settings name, whatever the file says. */
function faultOfScalar([place, value]: readonly [Place, unknown], settings: Settings): Fault | null {
  const { pointer } = place;
  const own = ownOf(place, settings);
  if (own === null) {
    const isNumber = typeof value === 'string' && PHONE_NUMBER.test(value);
    return isNumber ? { pointer, value, remedy: 'leave it out: numbers may stand only under from and to' } : null;
  }
  const isId = place.name in ID_MEMBERS;
  if (isId && value === null) return null;
  const { setting } = own;
  if (own.value === undefined) return { pointer, value, remedy: `set ${setting} to it, or leave it out` };
  const isOwn = isId ? String(value).toLowerCase() === own.value.toLowerCase() : value === own.value;
  return isOwn ? null : { pointer, value, remedy: `write ${setting} (${own.value}) there` };
}

function faultIn(samples: unknown, settings: Settings): Fault | null {
  const wrong = schemaFault('samples', samples);
  if (wrong !== null) {
    const { pointer, value, keyword, params } = wrong;
    return { pointer, value, remedy: remedyOfSchema(keyword, params) };
  }
  const scalars = Object.entries(samples as object).flatMap(([operation, body]) =>
    scalarsIn(body, { pointer: `/${operation}`, operation, name: '' }),
  );
  return scalars.map((one) => faultOfScalar(one, settings)).find((fault) => fault !== null) ?? null;
}

/** A value as the sentence quotes it; a secret is never quoted. */
function quoted({ pointer, value }: Fault): string {
  if (pointer.endsWith('/secret')) return 'not a string';
  const text = JSON.stringify(value);
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** The bodies in the samples file of the settings. Throws `UsageError` naming file, place, value and remedy. */
export function samplesOf(settings: Settings): RunOptions['samples'] {
  const { samples: file } = settings;
  if (file === undefined) return {};
  const read = parsed(readFileSync(file, 'utf8'), file);
  const fault = faultIn(read, settings);
  if (fault !== null) {
    throw new UsageError(`--samples ${file}: ${fault.pointer || 'the file'} is ${quoted(fault)}`, fault.remedy);
  }
  const { $schema: _, ...samples } = read as { readonly $schema?: string };
  return samples as Partial<Record<OperationId, never>>;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--samples ${file} is not JSON`, 'write one body for each operation');
  }
}
