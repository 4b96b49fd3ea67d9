/** First contact: the ids that the lists of our own organization show, from address and credential alone. */

import { plannerFor } from '../../suites/index.ts';
import type { OperationId } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { parsedJson } from '../exchange/json-text.ts';
import { clientOf } from '../run/run-client.ts';
import { KINDS } from '../settings/kinds.ts';
import type { Settings } from '../settings/table.ts';
import { connectionOf } from './engine.ts';
import { type Machine, packageVersion } from './terminal.ts';

/** A resource that a list shows, by the setting that may name it. */
export interface Listed {
  readonly setting: string;
  readonly id: string;
  /** Its name or number, if the list shows one. */
  readonly name?: string;
}

/** The lists, and what their items are. */
const LISTS = [
  { operation: 'listTrunks', kind: 'trunk', accepts: KINDS.uuid },
  { operation: 'listNumbers', kind: 'number', accepts: KINDS.id },
] as const satisfies readonly { readonly operation: OperationId; readonly [name: string]: unknown }[];

const NAMES: readonly string[] = ['name', 'friendly_name', 'phone_number', 'number', 'e164'];

/** The items of a list, whose shape the interface does not show: the first array of objects with an id. */
function itemsIn(value: unknown, depth = 0): readonly object[] {
  if (typeof value !== 'object' || value === null || depth > 4) return [];
  if (Array.isArray(value)) return value.filter((item) => typeof Object(item).id === 'string');
  return Object.values(value)
    .map((below) => itemsIn(below, depth + 1))
    .reduce<readonly object[]>((found, items) => (found.length > 0 ? found : items), []);
}

/** What the text of a list shows. */
export function listedIn(operation: string | null, text: string | undefined): readonly Listed[] {
  const list = LISTS.find((one) => one.operation === operation);
  if (list === undefined || text === undefined) return [];
  return itemsIn(parsedJson(text)).flatMap((item) => {
    const members = item as Readonly<Record<string, unknown>>;
    const { id } = members;
    if (typeof id !== 'string' || 'wrong' in list.accepts.read(id)) return [];
    const name = NAMES.map((key) => members[key]).find((one) => typeof one === 'string' && one !== '');
    return [{ setting: SETTING_OF[list.kind], id, ...(typeof name === 'string' ? { name } : {}) }];
  });
}

/**
 * The settings with a trunk that the list of trunks shows, where the read-only profile has none to read. Nothing is written
 * in that profile. Where the list cannot be read, the settings as they are: the run says why.
 */
export async function withListedTrunk(settings: Settings, { reach }: Machine, signal: AbortSignal): Promise<Settings> {
  const { profile, resources, without } = settings;
  const isLeftOut = without.includes('getTrunk') || without.includes('listTrunks');
  if (profile !== 'read-only' || resources.trunk !== undefined || isLeftOut) return settings;
  const options = { ...settings, maxWait: 0, fullEvidence: true };
  const { ports, close } = reach(options, { version: packageVersion(), connection: connectionOf(settings), signal });
  try {
    const client = clientOf(options, ports, `s${ports.random(16)}`, () => undefined);
    const request = plannerFor(options).request('listTrunks', { role: 'preflight', about: 'a harmless read' });
    const { exchange } = await client.send(request, { sequence: 'first contact', attempt: 0 });
    const [trunk] = listedIn('listTrunks', exchange.response?.body?.text);
    return trunk === undefined ? settings : { ...settings, resources: { ...resources, trunk: trunk.id } };
  } catch {
    return settings;
  } finally {
    await close();
  }
}
