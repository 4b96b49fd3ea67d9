/**
 * A run that is killed at any of its requests leaves a journal that names each open call and each change. What it leaves is what
 * the journal held at that moment, so one run shows all of them: before a request arrives, and after it was carried out.
 */

import { expect, test } from 'vitest';
import type { UpdateId } from '../../src/contract/operations.ts';
import { readJournal } from '../../src/run/journal.ts';
import { leftOver } from '../../src/run/left-behind.ts';
import { World } from '../proof/simulation.ts';

const JOURNAL = 'conformance-report/journal.ndjson';

/** What the service says at one moment, and how much of the journal was written then. */
interface Moment {
  readonly written: number;
  readonly open: readonly string[];
  readonly changed: readonly string[];
}

test('whenever a run is killed, its journal names each call that is open and each record that is changed', async () => {
  const moments: Moment[] = [];
  const world = new World();
  const { inspect, settings } = world.reference;
  const before = inspect().restorable;
  const look = (): null => {
    const { restorable, calls } = inspect();
    const open = calls.filter(
      ({ direction, status }) => status !== 'ended' && (direction === 'outbound' || status !== 'ringing'),
    );
    const changed = Object.keys(before).filter(
      (key) => JSON.stringify(restorable[key]) !== JSON.stringify(before[key]),
    );
    const written = world.disk.files.get(JOURNAL)?.text.length ?? 0;
    moments.push({ written, open: open.map(({ id }) => id), changed: changed.map((key) => key.split(' ')[0] ?? key) });
    return null;
  };
  await world.run(['run', '--profile', 'full', '--explore', '0'], { request: look });
  const journal = world.disk.files.get(JOURNAL)?.text ?? '';
  const writers: Readonly<Record<string, UpdateId>> = {
    [settings.PCS_TRUNK_ID]: 'updateTrunk',
    [settings.PCS_VOICE_APPLICATION_ID]: 'updateVoiceApplication',
    [settings.PCS_CARRIER_CONNECTION_ID]: 'setInboundAuth',
    [settings.PCS_NUMBER_ID]: 'assignNumber',
  };
  const complaints: string[] = [];
  const seen = new Set<string>();
  for (const { written, open, changed } of moments) {
    // Only a call or a record that is there asks for anything.
    const moment = JSON.stringify([written, open, changed]);
    if (seen.has(moment) || open.length + changed.length === 0) continue;
    seen.add(moment);
    const left = leftOver(readJournal(journal.slice(0, written)).entries);
    const ids = left.open.flatMap((call) => call.ids);
    const unknown = open.filter((id) => !ids.includes(id)).slice(left.possiblyOpen.length);
    const lost = changed.filter((id) => !left.written.some((one) => one === writers[id]));
    for (const id of [...unknown, ...lost]) complaints.push(`after ${written} letters: ${id}`);
  }
  expect(complaints).toEqual([]);
  // The number goes to the connection that it had, so that the service shows no change of it.
  const { [settings.PCS_NUMBER_ID]: _, ...others } = writers;
  expect(new Set(moments.flatMap(({ open }) => open)).size).toBeGreaterThan(10);
  expect(new Set(moments.flatMap(({ changed }) => changed))).toEqual(new Set(Object.keys(others)));
});
