/**
 * Runs a recorded run again without its target: the same suites against the recorded answers (model, section 9).
 * The reasons are in docs/design/certificates.md.
 */

import { NO_TIME } from '../client/client-options.ts';
import { RecordedWire, RecordMismatch } from '../client/recorded-wire.ts';
import { drawnUuid } from '../client/wire.ts';
import { withoutUndefined } from '../contract/lists.ts';
import { DRAWN_UUID } from '../contract/uuid.ts';
import type { Exchange, RecordedHeader } from '../exchange/exchange.ts';
import type { JudgedRecord, RunRecord } from '../verdict/record.ts';
import { recordedOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Suite } from './requirement.ts';
import { Run } from './run.ts';

/** The placeholder in the record for the inbound secret that the run drew. */
const INBOUND_SECRET = '⟦inbound secret⟧';

const unused = (): never => {
  throw new Error('a rerun reaches no target');
};

/** The fields that the user adds, as the first request shows them, since values are redacted; what was drawn for it is drawn again. */
function gatewayHeadersIn(
  [first]: readonly Exchange[],
  names: readonly string[],
  seed: number,
): readonly RecordedHeader[] {
  const headers = first?.request.headers ?? [];
  const shown = names.map((name) => headers.find(([field]) => field === name) ?? ([name, ''] as const));
  return shown.map(([name, value]) => [name, value.replaceAll(drawnUuid(1, seed), DRAWN_UUID)]);
}

/**
 * Runs it again. Throws `RecordMismatch` where a request differs, has no answer, or an answer is
 * left over.
 */
export async function rerun(record: Omit<RunRecord, 'plan'>, suite: Suite): Promise<RunRecord> {
  const again = await repeated(record, suite);
  demandSame(record, again);
  return again;
}

/**
 * The record of a killed run, judged as far as it goes. Throws `RecordMismatch` where this suite would
 * have sent another request.
 */
export async function judgedAsFar<Killed extends JudgedRecord>(record: Killed, suite: Suite): Promise<Killed> {
  const { judgements } = await repeated(record, suite, true);
  return { ...record, ...withoutUndefined({ judgements }) };
}

async function repeated(record: Omit<RunRecord, 'plan'>, suite: Suite, isCut = false): Promise<RunRecord> {
  const options = recordedOptions(record);
  const { header, inputs, exchanges } = record;
  const { version } = header.suite;
  const extraHeaders = gatewayHeadersIn(exchanges, inputs.gatewayHeaders, options.seed);
  let wire: RecordedWire | undefined;
  // No clock, no chance, and a target that is not reached.
  const ports: Ports = {
    transport: unused,
    recorder: unused,
    random: unused,
    secret: INBOUND_SECRET,
    inputs,
    clock: NO_TIME,
    version,
    extraHeaders,
    startedAt: record.startedAt ?? 0,
    wire: (how, onExchange) => {
      wire = new RecordedWire({ ...record, isCut, startedAt: record.startedAt ?? 0 }, how, onExchange);
      return wire;
    },
  };
  const run = new Run(options, suite, ports);
  const again = await run.record();
  // Past its end the record of a killed run has no answer to a hang-up either.
  const known = [...record.errors.map(({ message }) => message), ...(isCut ? [record.endedEarly] : [])];
  const broken = again.errors.find(({ message }) => !known.includes(message));
  if (broken !== undefined) throw new RecordMismatch(broken.message);
  // Of requests that were sent together, a killed run may have recorded the second alone.
  const [left] = isCut ? [] : (wire?.unused ?? []);
  if (left !== undefined) throw new RecordMismatch(`request ${left.seq} is not sent in the rerun`);
  return again;
}

function demandSame(record: Omit<RunRecord, 'plan'>, again: RunRecord): void {
  const { plan: _, exchanges: __, errors: ___, judgements: ____, ...facts } = again;
  const names = Object.keys(facts) as (keyof typeof facts)[];
  const different = names.find((name) => JSON.stringify(record[name]) !== JSON.stringify(again[name]));
  if (different === undefined) return;
  throw new RecordMismatch(`"${different}" of the record does not come out the same in the rerun`);
}
