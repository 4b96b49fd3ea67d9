/** The file of `--samples`: bodies that the target is known to accept, checked before the first request. */

import { SHOWN } from '../contract/limits.ts';
import { type OperationId, WITH_BODY } from '../contract/operations.ts';
import { SETTING_OF, type TargetSettingName } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { type SchemaError, valueAt } from '../contract/validators.ts';
import { parseJson } from '../exchange/json-text.ts';
import { schemaFault } from '../regression/own-files.ts';
import { readTextFile } from '../run/disk.ts';
import type { RunOptions } from '../run/options.ts';
import type { Settings } from '../settings/table.ts';

/** The place of a value: JSON Pointer, operation and, in lower case, the name of its member. */
interface SamplePlace {
  readonly pointer: string;
  readonly operation: string;
  readonly name: string;
}

/** Where something is wrong, what is written there, and what to write instead. */
interface Fault {
  readonly pointer: string;
  readonly what: string;
  readonly remedy: string;
}

/** A number in the form of E.164, or an address with one, however it is grouped. */
const PHONE_NUMBER = /^\s*(?:(?:tel|sips?):)?\+[0-9][0-9 ().-]{5,}(?:@.*)?$/i;

/** A value by its type: a misplaced one may be a secret. */
function typed(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : `a ${typeof value}`;
}

function faultOfSchema({ instancePath: pointer, keyword, params }: SchemaError, samples: unknown): Fault {
  const fault = { pointer, what: typed(valueAt(samples, pointer)) };
  if (keyword === 'required') return { ...fault, remedy: `add ${JSON.stringify(params['missingProperty'])}` };
  if (keyword === 'additionalProperties') {
    const place = `${pointer}/${pointerSegment(String(params['additionalProperty']))}`;
    return { pointer: place, what: 'not an operation with a body', remedy: `use ${WITH_BODY.join(', ')}` };
  }
  const types = [params['type']].flat().map((type) => (type === 'object' ? 'a JSON object' : `a JSON ${type}`));
  return { ...fault, remedy: `write ${types.join(' or ')} there` };
}

const pointerSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function scalarsIn(value: unknown, place: SamplePlace): readonly (readonly [SamplePlace, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = Array.isArray(value) ? place.name : name.toLowerCase();
    return scalarsIn(member, { ...place, pointer: `${place.pointer}/${pointerSegment(name)}`, name: inside });
  });
}

/** The value required in a place, if the settings fix it. */
function fixedBy(
  { operation, name }: SamplePlace,
  { call, resources }: Settings,
): { readonly setting: TargetSettingName; readonly value: string | undefined } | null {
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

/** Whatever the file says, only what the settings name is dialled or written to. */
function faultOfScalar([place, value]: readonly [SamplePlace, unknown], settings: Settings): Fault | null {
  const { pointer, operation } = place;
  const fixed = fixedBy(place, settings);
  const what = operation === 'setInboundAuth' ? typed(value) : quoted(value);
  if (fixed === null) {
    const isNumber = typeof value === 'string' && PHONE_NUMBER.test(value);
    return isNumber ? { pointer, what, remedy: 'leave it out: numbers may stand only under from and to' } : null;
  }
  const isId = place.name in ID_MEMBERS;
  if (isId && value === null) return null;
  const { setting } = fixed;
  if (fixed.value === undefined) return { pointer, what, remedy: `set ${setting} to it, or leave it out` };
  const isFixed = isId ? String(value).toLowerCase() === fixed.value.toLowerCase() : value === fixed.value;
  return isFixed ? null : { pointer, what, remedy: `write ${setting} (${fixed.value}) there` };
}

function faultIn(samples: unknown, settings: Settings): Fault | undefined {
  const wrong = schemaFault('samples', samples);
  if (wrong !== undefined) return faultOfSchema(wrong, samples);
  const scalars = Object.entries(samples as object).flatMap(([operation, body]) =>
    scalarsIn(body, { pointer: `/${operation}`, operation, name: '' }),
  );
  return scalars.flatMap((scalar) => faultOfScalar(scalar, settings) ?? [])[0];
}

/** A number or an id as written in the file. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN.word ? `${text.slice(0, SHOWN.word)}…` : text;
}

/** The bodies in the samples file of the settings. Throws `UsageError` naming file, place, value and remedy. */
export function samplesOf(settings: Settings): RunOptions['samples'] {
  const { samplesFile: file } = settings;
  if (file === undefined) return {};
  const text = readTextFile(file, `--samples ${file}`);
  const read = parseJson(text, `--samples ${file}`);
  const fault = faultIn(read, settings);
  if (fault !== undefined) {
    throw new UsageError(`--samples ${file}: ${fault.pointer || 'the file'} is ${fault.what}`, fault.remedy);
  }
  const { $schema: _, ...samples } = read as { readonly $schema?: string };
  return samples as Partial<Record<OperationId, never>>;
}
