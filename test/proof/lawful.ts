/**
 * Lawful services as one covering array: any two of a kind of service, a kind of gateway, a lateness and a lock-out meet in
 * a row. The services and the gateways of a kind take turns from row to row.
 */

import { expect, test } from 'vitest';
import { drawnGateways } from '../../fixtures/gateways/drawn.ts';
import {
  bucket,
  delaying,
  failing,
  type Gateway,
  lockingOut,
  maintenance,
  narrow,
  outage,
  postponing,
  replicating,
  throttling,
  windowed,
} from '../../fixtures/gateways/gateways.ts';
import { RULES } from '../../fixtures/variants/rules.ts';
import { DEVIATION_POINTS, VARIATION_POINTS } from '../../fixtures/variants/variation-points.ts';
import { casesOf, isBroken, isMust } from '../selftest/judged.ts';
import { pairwiseRows } from '../selftest/pairwise.ts';
import { choicesFor, ruleServices, spelledRules } from '../selftest/rules.ts';
import { type Choices, pairwiseVariants, singleVariants } from '../selftest/sample.ts';
import { judgeBehind, type Lawful, problemsWith } from './gateways.ts';
import { caching, HABITS, type Habit } from './habits.ts';
import { readsBehind } from './late-reads.ts';

type Part = readonly [name: string, parts: Partial<Lawful>];
type Level = (row: number) => Part;

const SEED = 20_250_102;

const taking =
  <Item>(items: readonly Item[], partOf: (item: Item) => Part): Level =>
  (row) => {
    const item = items[row % items.length];
    return item === undefined ? ['nothing', {}] : partOf(item);
  };

/** The choices that are not those of the reference service. */
const inWords = (choices: Choices): string =>
  VARIATION_POINTS.flatMap(({ name, choices: [usual] }) => {
    const choice = choices[name] ?? usual?.name;
    return choice === usual?.name ? [] : [`${name}: ${choice}`];
  }).join(', ');
const variant = (choices: Choices): Part => [inWords(choices), { choices }];
const behind =
  (name: string, ...gateways: readonly Gateway[]): Level =>
  () => [name, { gateways }];

const ANY_ID: Choices = { 'call-references': 'any', 'foreign-from': 'taken' };
const EVERY_DEVIATION: Choices = Object.fromEntries(
  DEVIATION_POINTS.map(({ name, choices }) => [name, choices[1]?.name ?? '']),
);

const SERVICES: readonly Level[] = [
  () => ['the reference service', {}],
  taking(pairwiseVariants(), variant),
  taking(singleVariants(), variant),
  taking(ruleServices(3_000, SEED), (rules) => [spelledRules(rules), { rules, choices: choicesFor(rules) }]),
  taking([ANY_ID, EVERY_DEVIATION, { ...ANY_ID, ...EVERY_DEVIATION }], variant),
  taking(HABITS, ([name, habit]) => [name, { gateways: [habit] }]),
];

const NEAR = delaying(10, 30);

/** Gateways of one kind take turns, as services do. */
const turns =
  (...gateways: readonly Level[]): Level =>
  (row) =>
    gateways[row % gateways.length]?.(row) ?? ['nothing', {}];

const GATEWAYS: readonly Level[] = [
  behind('no gateway'),
  turns(
    behind('eight requests a second', NEAR, bucket(8, 40, 'seconds')),
    behind('eight requests a second, and no word of when', NEAR, bucket(8, 40, 'none')),
    behind('300 requests a minute', NEAR, windowed(300, 60_000, 'date')),
  ),
  turns(behind('one request at a time', NEAR, narrow(1, 429)), behind('four connections', NEAR, narrow(4, 'reset'))),
  turns(
    behind('three seconds of 503 as a page', NEAR, outage(200, 3_000, 503, 'text/html')),
    behind('three seconds of 500 in plain text', NEAR, outage(200, 3_000, 500, 'text/plain')),
    behind('half a minute of maintenance', NEAR, maintenance(300, 30_000, 'seconds')),
  ),
  turns(
    behind('one 500 in a hundred', NEAR, failing(0.01, 500, 'text/html')),
    behind('one reset in a hundred', NEAR, failing(0.01, 'reset', '')),
  ),
  turns(
    behind('every 40th request has to wait', NEAR, postponing(40, 423, 3_000, 'date')),
    behind('thirty rejected credentials in ten seconds', NEAR, throttling(30, 10_000)),
  ),
  (row) => {
    const { name, gateways } = drawnGateways(row);
    return [name, { gateways }];
  },
];

const LATENESS: readonly Level[] = [
  behind('at once'),
  behind('reads two seconds behind', readsBehind(1_900)),
  behind('calls known after two seconds', replicating(1_949)),
  behind('slow', delaying(500, 2_000)),
];

const LOCK_OUTS: readonly Level[] = [
  behind('no lock-out'),
  behind('a lock-out of 20 seconds (401)', lockingOut(20, 20_000, 401, 'none')),
  behind('a lock-out of 45 seconds (403)', lockingOut(40, 45_000, 403, 'seconds')),
];

const AXES = [SERVICES, LATENESS, LOCK_OUTS, GATEWAYS];

/** A row of the array. */
interface LawfulRow {
  readonly name: string;
  readonly service: Lawful;
}

/** The array, so many times over: each time with the next services of each kind. */
export function lawfulRows(rounds: number): readonly LawfulRow[] {
  const rows = pairwiseRows(AXES.map(({ length }) => length));
  return Array.from({ length: rounds * rows.length }, (_, at) => {
    // In another round other services and gateways meet.
    const turn = at + Math.floor(at / rows.length);
    const levels = rows[at % rows.length] ?? [];
    const parts = levels.map((level, axis) => AXES[axis]?.[level]?.(turn) ?? (['', {}] as const));
    const all = parts.map(([, part]) => part);
    const gateways = all.flatMap((part) => part.gateways ?? []);
    return {
      name: parts.map(([name]) => name).join('; '),
      service: Object.assign({}, ...all, { gateways, seed: at + 1 }),
    };
  });
}

/** The service with these business rules for calls. */
const ruled = (...names: readonly string[]): LawfulRow => {
  const rules = RULES.filter((rule) => rule.operation === 'createCall' && names.includes(rule.name));
  return { name: names.join(', and '), service: { rules, choices: choicesFor(rules), gateways: [] } };
};

/** Rows of later rounds that the suite once accused, or left open with a remedy that did not help. */
export const ONCE_WRONG: readonly LawfulRow[] = [
  // `{}` lacks what the rule wants, so its 402 is not about the types.
  ruled('application_id is named (402, before-types)'),
  // The trunk is accepted beside an application alone: as a finding, and where the operator names both.
  ruled('trunk_id comes with application_id (422, before-types)'),
  ruled('trunk_id comes with application_id (409, before-types)'),
  // The 402 of calls without the trunk was taken for the application's, which was then tried in no other company.
  ruled('application_id comes with privacy (400, after-types)', 'trunk_id is there and true (402, before-types)'),
  // An object there got the 409 of `true`.
  ruled('privacy is named (402, before-types)', 'privacy, if true, comes with trunk_id (409, before-types)'),
  {
    // A call to an application of somebody else: 409, 503, 409, 409, and 503 was the last.
    name: 'every third call is put off, and unknown ids are 409',
    service: { choices: { shortage: 'every-third-call', 'unknown-reference': '409' }, gateways: [], seed: 1 },
  },
  {
    // The list of numbers gets 403 at any time, and a second 403 by the lock-out: what that rejected is asked again.
    name: 'no scope for the numbers, behind a lock-out of 45 seconds (403)',
    service: { choices: { scope: 'no-number-list' }, gateways: [lockingOut(36, 45_000, 403, 'seconds')] },
  },
  {
    // The number search answers 503 at any time, so only `Retry-After` tells a 403 of the lock-out.
    name: 'no inventory, behind a lock-out of 45 seconds (403)',
    service: { choices: { 'number-search': 'no-inventory' }, gateways: [lockingOut(40, 45_000, 403, 'seconds')] },
  },
  {
    // Unknown ids get 403 at any time, so a 403 with Retry-After to our credential was waited for, and no lock-out: the remedy was a right.
    name: 'unknown ids are 403, behind a lock-out of 45 seconds (403), eight requests a second',
    service: {
      choices: { 'unknown-id-status': '403' },
      gateways: [lockingOut(40, 45_000, 403, 'seconds'), bucket(8, 40, 'none')],
    },
  },
  {
    name: 'a limit that names its reset as an epoch, two seconds behind',
    service: { choices: { 'rate-limit': 'epoch' }, gateways: [readsBehind(1_900)] },
  },
  { name: 'reads from a cache, two seconds behind', service: { gateways: [caching, readsBehind(1_900)] } },
];

/** Registers the proof that the services of these rows are not accused, and that what is open has a remedy that helps. */
export function proveLawful(rows: readonly LawfulRow[], words: string): void {
  test.each(rows)(`$name is not accused, and what is open says what helps (${words})`, async ({ service }) => {
    expect(await problemsWith(service)).toEqual([]);
  });
}

/** Registers the proof that these habits leave a run nothing to say, and that what is changed is named. */
export function proveConformant(habits: readonly Habit[], words: string): void {
  test.each(habits)(`%s: conformant, and nothing is left (${words})`, async (_, habit) => {
    const { results, record, callsOpen, changedIds } = await judgeBehind({ gateways: [habit] });
    const { possiblyOpen, unrestored = [], errors, changed } = record;
    const accused = casesOf(results).flatMap((one) =>
      isBroken(one) && isMust(one) ? [`${one.id}: ${one.reason}`] : [],
    );
    const unnamed = changedIds.filter((id) => !changed.some((sentence) => sentence.includes(id)));
    expect([accused, errors, possiblyOpen, unrestored, unnamed].flat()).toEqual([]);
    expect([results.verdict, callsOpen]).toEqual(['conformant', 0]);
  });
}

/** Registers the proof that these habits break nothing, not even what is only advised. */
export function proveWithoutWarning(habits: readonly Habit[], words: string): void {
  test.each(habits)(`%s: conformant, without a warning (${words})`, async (_, habit) => {
    const { results } = await judgeBehind({ gateways: [habit] });
    const broken = casesOf(results).flatMap((one) => (isBroken(one) ? [`${one.id}: ${one.reason}`] : []));
    expect([results.verdict, ...broken]).toEqual(['conformant']);
  });
}
