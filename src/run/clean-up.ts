/** Sees to what a killed run left: hangs up its calls, through the same client as in a run, and restores what it wrote. */

import { type Place, Skipped, type SuiteRequest, type Target, Unrecorded } from '../client/request.ts';
import type { Call } from '../client/safety/call-ledger.ts';
import type { OperationId } from '../contract/operations.ts';
import { isSuccess } from '../contract/statuses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { CONFIGURED_SECRET } from './inputs.ts';
import type { RunOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Suite } from './requirement.ts';
import { type Recorded, recordedOptions, recordedPorts, recordedTarget } from './rerun.ts';
import { runSuites } from './run.ts';
import { clientOf, liveTarget } from './run-client.ts';

/** What became of one call. */
export interface Cleaned {
  readonly call: Call;
  /** `null` where it was hung up, or had ended; otherwise one sentence. */
  readonly doubt: string | null;
}

/** Hangs up each call, with the credential that placed it, then with the valid one. */
export async function cleanUp(calls: readonly Call[], options: RunOptions, ports: Ports): Promise<readonly Cleaned[]> {
  const onExchange: NonNullable<Ports['onExchange']> = (exchange) => ports.onExchange?.(exchange);
  const learned = calls.map(({ ids }) => ({ callIds: ids }));
  const client = clientOf(options, ports, `s${ports.random(16)}`, onExchange, learned);
  // The run that placed these calls has seen that the target is the service.
  client.admit();
  const startedAt = ports.clock.now();
  for (const call of calls) {
    client.adopt({ ...call, createdAt: call.createdAt - startedAt });
    await client.hangUp();
  }
  await client.closeRemaining();
  return calls.map((call) => ({ call, doubt: client.slot.ledger.doubtOf(call) }));
}

/** What came of restoring. */
export interface Restoration {
  readonly restored: readonly OperationId[];
  /** Sentences: what remains changed. */
  readonly changed: readonly string[];
}

/**
 * Restores what the operations wrote. The killed run is run again from its journal, so that it knows what it knew, and
 * where the journal ends it restores: these requests are sent, and nothing else.
 */
export async function restoreLeft(
  recorded: Recorded,
  operations: readonly OperationId[],
  options: RunOptions,
  suite: Suite,
  ports: Ports,
): Promise<Restoration> {
  const restored = new Set<OperationId>();
  const note = ({ tag, response }: Exchange): void => {
    const operation = operations.find((id) => id === tag.operation);
    if (tag.role === 'restore' && operation !== undefined && isSuccess(response?.status ?? null))
      restored.add(operation);
  };
  const own = { ...recordedOptions(recorded), credentials: options.credentials, baseUrl: options.baseUrl };
  const learned = recorded.exchanges.flatMap(({ response }) => response?.learned ?? []);
  const live = liveTarget(own, ports, `s${ports.random(16)}`, note, learned);
  // The killed run has seen that the target is the service.
  live.admission.open();
  const exchanges = recorded.exchanges.filter(({ tag }) => tag.role !== 'restore');
  const target = (onExchange: (exchange: Exchange) => void): Target => {
    const record = recordedTarget({ ...recorded, exchanges }, recordedOptions(recorded), onExchange);
    return {
      admission: record.admission,
      send: async (request, place) => {
        try {
          return await record.send(request, place);
        } catch (error) {
          return sendLive(request, place, error);
        }
      },
    };
  };
  const sendLive = (request: SuiteRequest, place: Place, missing: unknown): Promise<Exchange> => {
    const { operation } = request;
    const isWanted = operations.some((id) => id === operation || place.sequence.startsWith(`${id}/`));
    if (place.cleanUp === true && operation !== 'hangUpCall' && isWanted) {
      return live.send(withSecret(request, options.inbound.secret), place);
    }
    // This update may have been under way when the run was killed.
    if (operations.some((id) => id === operation)) throw new Unrecorded(missing, 0, { kind: 'rejected' });
    throw missing instanceof Skipped && place.cleanUp !== true
      ? missing
      : new Skipped('the journal ends here', undefined, 'stopped');
  };
  const { changed } = await runSuites(
    recordedOptions(recorded),
    suite,
    recordedPorts(recorded, target),
    recorded.inputs.sequences,
  );
  return { restored: operations.filter((id) => restored.has(id)), changed };
}

/** The journal holds a placeholder for the secret. Throws `Skipped` where the settings do not name it. */
function withSecret(request: SuiteRequest, secret: string | undefined): SuiteRequest {
  const text = new TextDecoder().decode(request.body ?? new Uint8Array());
  if (!text.includes(CONFIGURED_SECRET)) return request;
  if (secret === undefined) throw new Skipped('PCS_INBOUND_SECRET is not set');
  const body = text.replace(CONFIGURED_SECRET, JSON.stringify(secret).slice(1, -1).replaceAll('$', '$$$$'));
  return { ...request, body: new TextEncoder().encode(body) };
}
