/**
 * The holder of the signing key leaves out, reorders, relabels or repeats exchanges of a faulty service, and signs again:
 * correct digests, and the true key. The rerun rejects it, or the failure is there all the same.
 */

import { expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Bundle } from '../../src/certificate/bundle.ts';
import { type Certification, Disagreement } from '../../src/certificate/bundle-files.ts';
import type { Exchange, RecordedBody } from '../../src/exchange/exchange.ts';
import { holdsPlaceholder } from '../../src/exchange/facts.ts';

import type { RunRecord, SkippedNote } from '../../src/verdict/record.ts';
import type { Results } from '../../src/verdict/results.ts';
import { resultsOf } from '../../suites/index.ts';
import { optionsFrom } from '../selftest/harness.ts';
import { isBinding, isBroken } from '../selftest/judged.ts';
import {
  bytesOf,
  certificationOf,
  certifyingWith,
  NONCE,
  newKeys,
  signedAnyway,
  verified,
} from '../unit/certificate/certified.ts';

/** A certification, and its exchanges that show a failure. */
interface Attacked {
  readonly whole: Certification;
  readonly failing: readonly Exchange[];
}

/** What is made of a certification. */
type Edit = (attacked: Attacked) => Certification;

/** How often exchanges that still fail are looked for: some show only once others are gone. */
const ROUNDS = 6;

/** The numbers of the exchanges that show a failure. */
const failuresOf = (results: Results): ReadonlySet<number> =>
  new Set(
    results.requirements.flatMap(({ cases }) =>
      cases.filter(isBroken).flatMap(({ findings }) => findings.map(({ example }) => example)),
    ),
  );

/** Every exchange of the record that shows a failure, also behind those that hide it. */
function failingIn(whole: Certification): readonly Exchange[] {
  const found = new Set<Exchange>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const exchanges = whole.record.exchanges.filter((one) => !found.has(one));
    const examples = failuresOf(resultsOf({ ...whole.record, exchanges }));
    if (examples.size === 0) break;
    for (const one of exchanges) if (examples.has(one.seq)) found.add(one);
  }
  return [...found];
}

const numbered = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.map((one, at) => ({ ...one, seq: at + 1 }));

/** The record with other exchanges, numbered again. */
const withExchanges = (
  { whole }: Attacked,
  exchanges: readonly Exchange[],
  changes: Partial<RunRecord> = {},
): Certification => ({ ...whole, record: { ...whole.record, ...changes, exchanges: numbered(exchanges) } });

/** Each failing exchange replaced. */
const replacing =
  (replace: (one: Exchange, attacked: Attacked) => Exchange): Edit =>
  (attacked) =>
    withExchanges(
      attacked,
      attacked.whole.record.exchanges.map((one) => (attacked.failing.includes(one) ? replace(one, attacked) : one)),
    );

const retagged = (change: (one: Exchange) => Partial<Exchange['tag']>): Edit =>
  replacing((one) => ({ ...one, tag: { ...one.tag, ...change(one) } }));

const rebodied = (change: (body: RecordedBody) => Partial<RecordedBody>): Edit =>
  replacing((one) => {
    const { body } = one.request;
    return body === null ? one : { ...one, request: { ...one.request, body: { ...body, ...change(body) } } };
  });

const leaving =
  (leave: (one: Exchange, attacked: Attacked) => boolean, changes: (attacked: Attacked) => Partial<RunRecord>): Edit =>
  (attacked) =>
    withExchanges(
      attacked,
      attacked.whole.record.exchanges.filter((one) => !leave(one, attacked)),
      changes(attacked),
    );

const nothing = () => ({});
const isFailing = (one: Exchange, { failing }: Attacked): boolean => failing.includes(one);
const inFailingSequence = ({ tag }: Exchange, { failing }: Attacked): boolean =>
  failing.some((one) => one.tag.sequence === tag.sequence);
const ofFailingOperation = ({ tag }: Exchange, { failing }: Attacked): boolean =>
  failing.some((one) => one.tag.operation === tag.operation);

const excusing = (why: SkippedNote['why']) => (attacked: Attacked) => {
  const sequences = [...new Set(attacked.failing.map(({ tag }) => tag.sequence))];
  const notes = sequences.map((sequence): SkippedNote => {
    const [first] = attacked.failing.filter(({ tag }) => tag.sequence === sequence);
    const operation = (first?.tag.operation ?? 'undocumented') as SkippedNote['operation'];
    return { sequence, operation, asks: first?.tag.asks ?? [], why, reason: 'it was skipped' };
  });
  return { skipped: [...attacked.whole.record.skipped, ...notes] };
};

/** An answer to the same request is taken for another one: that is inventing it. */
const isSameRequest = ({ request: one }: Exchange, { request: other }: Exchange): boolean =>
  one.path === other.path && one.credential === other.credential && JSON.stringify(one) === JSON.stringify(other);

/** The other exchange that is most like this one, asks something else, and does not fail. */
function likest(one: Exchange, { whole, failing }: Attacked): Exchange {
  const others = whole.record.exchanges.filter((other) => !isSameRequest(one, other) && !failing.includes(other));
  const likeness = (other: Exchange): number =>
    [
      other.request.method === one.request.method,
      other.request.path === one.request.path,
      other.request.credential === one.request.credential,
      other.request.body?.text === one.request.body?.text,
      other.tag.sequence === one.tag.sequence,
      other.tag.asks[0]?.id === one.tag.asks[0]?.id,
    ].filter(Boolean).length;
  return others.reduce((best, other) => (likeness(other) > likeness(best) ? other : best), others[0] ?? one);
}

const without =
  (names: (attacked: Attacked) => { readonly header?: object; readonly inputs?: object }) => (attacked: Attacked) => {
    const { header, inputs } = names(attacked);
    const { record } = attacked.whole;
    return { header: { ...record.header, ...header }, inputs: { ...record.inputs, ...inputs } };
  };

const narrower = without(({ whole: { record }, failing }) => ({
  header: { without: [...record.header.without, ...new Set(failing.map(({ tag }) => tag.operation ?? ''))] },
}));
const withoutForms = without(({ whole: { record }, failing }) => {
  const forms = new Set(failing.map(({ request }) => request.credential));
  return { inputs: { forms: record.inputs.forms.filter((form) => form === 'valid' || !forms.has(form)) } };
});

/** Every edit that we know of; none changes a response. */
const ATTACKS: Readonly<Record<string, Edit>> = {
  'failing exchanges are left out': leaving(isFailing, nothing),
  'failing sequences are left out': leaving(inFailingSequence, nothing),
  'failing operations are left out': leaving(ofFailingOperation, nothing),
  ...Object.fromEntries(
    (['step', 'calls', 'limit', 'hang', 'stopped', 'claimed', 'setting', 'occasion', 'answered'] as const).map(
      (why) => [`failing sequences are excused: ${why}`, leaving(inFailingSequence, excusing(why))],
    ),
  ),
  'failing exchanges ask nothing': retagged(() => ({ asks: [] })),
  'failing exchanges are undocumented': retagged(() => ({ operation: null, documented: false })),
  'failing exchanges are no controls': retagged(() => ({ control: false })),
  'failing exchanges are of malformed ids': retagged(() => ({ ids: 'malformed' })),
  'failing exchanges are health checks': retagged(() => ({ role: 'health-check', asks: [] })),
  'failing exchanges had the valid credential': replacing((one) => ({
    ...one,
    request: { ...one.request, credential: 'valid' },
  })),
  'failing exchanges had no credential': replacing((one) => ({
    ...one,
    request: { ...one.request, credential: 'none' },
  })),
  'another exchange is copied over a failing one': replacing(likest),
  'another exchange is copied over the request of a failing one': replacing((one, attacked) => {
    const { tag: _, ...copy } = likest(one, attacked);
    return { ...copy, tag: one.tag };
  }),
  'the order is reversed': (attacked) => withExchanges(attacked, attacked.whole.record.exchanges.toReversed()),
  'the order is doubled': (attacked) =>
    withExchanges(attacked, [...attacked.whole.record.exchanges, ...attacked.whole.record.exchanges]),
  'failing exchanges come first': (attacked) =>
    withExchanges(attacked, [
      ...attacked.failing,
      ...attacked.whole.record.exchanges.filter((one) => !isFailing(one, attacked)),
    ]),
  'failing exchanges come last': (attacked) =>
    withExchanges(attacked, [
      ...attacked.whole.record.exchanges.filter((one) => !isFailing(one, attacked)),
      ...attacked.failing,
    ]),
  'an old run has a new nonce': ({ whole }) => ({ ...whole, nonce: whole.nonce.replaceAll('0', '9') }),
  'the operations were never in the profile': leaving(ofFailingOperation, narrower),
  'the forms of the credential were never configured': leaving(
    ({ request }, { failing }) =>
      request.credential !== 'valid' && failing.some((one) => one.request.credential === request.credential),
    withoutForms,
  ),
  'failing exchanges are of an earlier attempt': (attacked) =>
    withExchanges(
      attacked,
      attacked.whole.record.exchanges.flatMap((one) =>
        isFailing(one, attacked) ? [one, { ...likest(one, attacked), tag: { ...one.tag, attempt: 1 } }] : [one],
      ),
    ),
  'failing exchanges are sent again': (attacked) =>
    withExchanges(
      attacked,
      attacked.whole.record.exchanges.flatMap((one) =>
        isFailing(one, attacked)
          ? [one, { ...likest(one, attacked), tag: { ...one.tag, resend: 1, replaces: one.seq } }]
          : [one],
      ),
    ),
  // A digest under the key of the run could as well have been another one.
  'failing requests had another body digest': rebodied((body) =>
    holdsPlaceholder(body) ? {} : { digest: '0000000000000000' },
  ),
  'failing requests had other members': rebodied(({ members }) => ({
    members: members.map((one) => ({ ...one, digest: '0000000000000000' })),
  })),
  'failing requests had no members': rebodied(() => ({ members: [], json: 'invalid' })),
  'all resends are left out': leaving(({ tag }) => tag.resend > 0, nothing),
  'all repetitions are left out': leaving(({ tag }) => tag.attempt > 0, nothing),
  'the run ended before the first failing exchange': (attacked) => {
    const first = Math.min(...attacked.failing.map(({ seq }) => seq));
    return withExchanges(
      attacked,
      attacked.whole.record.exchanges.filter(({ seq }) => seq < first),
      { endedEarly: null },
    );
  },
};

const keys = newKeys();

/** A certification sends one sequence after the other, so what fails only beside another does not show. */
const UNSEEN: readonly string[] = ['unguarded-under-load'];

/** Faults that break a binding requirement, and show it in a certification. */
export const BINDING_FAULTS: readonly Fault[] = FAULTS.filter(
  ({ name, breaks }) => breaks.some(isBinding) && !UNSEEN.includes(name),
);

/** What an edit can change. */
const stateOf = ({ record, nonce }: Certification): string => JSON.stringify([record, nonce]);

/** The outcome of a signed bundle, or `null` where it is rejected. */
async function outcomeOf(bundle: Bundle): Promise<string | null> {
  try {
    return (await verified(bytesOf(bundle), keys.known)).outcome.outcome;
  } catch (error) {
    if (error instanceof Disagreement) return null;
    throw error;
  }
}

/** Registers the proof that no edit of the record of these faults makes a conformant bundle. */
export function proveAttacks(faults: readonly Fault[]): void {
  test.each(faults.map((fault) => [fault.name, fault] as const))('the fault %s cannot be hidden', async (_, fault) => {
    const { service, settings } = planted(fault, createReference());
    const whole = await certificationOf(service, certifyingWith(optionsFrom(settings), NONCE));
    expect(await outcomeOf(signedAnyway(whole, keys.own))).toBe('non-conformant');
    const attacked = { whole, failing: failingIn(whole) };
    const before = stateOf(whole);
    const harmless: string[] = [];
    let rejected = 0;
    for (const [name, edit] of Object.entries(ATTACKS)) {
      const edited = edit(attacked);
      if (stateOf(edited) === before) continue;
      const outcome = await outcomeOf(signedAnyway(edited, keys.own));
      expect(outcome, name).not.toBe('conformant');
      if (outcome === null) rejected += 1;
      else harmless.push(name);
    }
    // Where a request was sent again, what came first may be missing; the failure is there all the same.
    expect(harmless.length, harmless.join(', ')).toBeLessThan(3);
    expect(rejected).toBeGreaterThan(Object.keys(ATTACKS).length / 2);
  });
}
