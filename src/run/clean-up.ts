/** Cleans up after a killed run: hangs up its calls, through the same client as a run, and restores what it wrote. */

import type { HangUpAnswer } from '../client/safety/call-end.ts';
import type { Call } from '../client/safety/call-ledger.ts';
import type { UpdateId } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isAccepted, statusOf } from '../verdict/answer.ts';
import { Judgements } from '../verdict/record.ts';
import { RequestBuilder } from './builder.ts';
import { exchangesIn, type JournalEntry } from './journal.ts';
import { ledgerIn, stateIn } from './left-behind.ts';
import type { RunOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Suite } from './requirement.ts';
import { sentenceOf } from './run.ts';
import { clientOf } from './run-client.ts';
import { Sender } from './sender.ts';
import { type Restoration, toldWith } from './state.ts';
import { restoreName, writtenSentence } from './written.ts';

const UNAUTHORIZED = 401;
const CHECK_TOKEN = ': check PCS_ACCESS_TOKEN';

/** The outcome for one call. */
export interface Cleaned {
  readonly call: Call;
  /** `null` if the call was hung up or had ended; otherwise a sentence. */
  readonly doubt: string | null;
  /** The target answered and accepted the credential, so nothing more can be done. */
  readonly isSeen: boolean;
}

/** Hangs up each call, with the credential that placed it, then with the valid one. */
export async function cleanUp(calls: readonly Call[], options: RunOptions, ports: Ports): Promise<readonly Cleaned[]> {
  const learned = calls.map(({ ids }) => ({ callIds: ids }));
  const client = clientOf(options, ports, `s${ports.random(16)}`, {}, learned);
  // The run that placed these calls has seen that the target is the service.
  client.admission.open();
  const startedAt = ports.clock.now();
  for (const call of calls) {
    client.ledger.adopt({ ...call, createdAt: call.createdAt - startedAt, stage: 'open', attempts: [] });
    await client.hangUp();
  }
  await client.closeRemaining();
  const { ledger } = client;
  return calls.map((call) => {
    const answers = ledger.of(call)?.attempts.at(-1)?.answers ?? [];
    const doubt = ledger.doubtOf(call);
    const advice = answers.includes(UNAUTHORIZED) ? CHECK_TOKEN : '';
    return { call, doubt: doubt && `${doubt}${advice}`, isSeen: answers.some(isOfRequest) };
  });
}

/** Statuses about the caller or a temporary state: a later `clean` may get another. */
const MAY_CHANGE_LATER: readonly HangUpAnswer[] = [401, 403, 408, 425, 429];
const isOfRequest = (answer: HangUpAnswer): boolean =>
  typeof answer === 'number' && answer < 500 && !MAY_CHANGE_LATER.includes(answer);

/** The outcome of restoring an update; `isSeen`: the target answered and accepted the credential, so it is final. */
export interface Restored extends Restoration {
  readonly id: UpdateId;
  readonly isSeen: boolean;
}

/** Restores what the operations wrote, with the sequences of the last phase and what the journal says. */
export async function restoreLeft(
  entries: readonly JournalEntry[],
  operations: readonly UpdateId[],
  options: RunOptions,
  suite: Suite,
  ports: Ports,
): Promise<readonly Restored[]> {
  const state = stateIn(entries);
  const learned = exchangesIn(entries).flatMap(({ response }) => response?.learned ?? []);
  const first = state.facts.assignment === undefined ? [] : [{ assignment: state.facts.assignment }];
  const secret = `s${ports.random(16)}`;
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange): void => void exchanges.push(exchange);
  const client = clientOf(options, ports, secret, { onExchange }, [...first, ...learned]);
  // The killed run has seen that the target is the service.
  client.admission.open();
  const builder = new RequestBuilder(options, secret, suite.requirements);
  const skipped = new Map<string, string>();
  const sender = new Sender({
    client,
    builder,
    state,
    ledger: ledgerIn(entries),
    judgements: new Judgements(),
    end: () => undefined,
    skip: ({ sequence, reason }) => skipped.set(sequence, reason),
    broke: ({ sequence }, error) => skipped.set(sequence, sentenceOf(error)),
  });
  const names = operations.map(restoreName);
  for (const sequence of suite.sequences(builder)) if (names.includes(sequence.name)) await sender.send(sequence);
  // Only the run had the secret, so `clean` cannot send the restoring write.
  const wasTold = entries.some((entry) => entry.kind === 'plan' && entry.inputs?.inbound.secret !== undefined);
  const isSecretGone = wasTold && options.inbound.secret === undefined;
  return operations.map((id) => {
    const name = restoreName(id);
    const unsent = [writtenSentence(id)];
    const outcome: Restoration = state.restored.get(id) ?? { restored: null, left: unsent, failed: unsent };
    const { restored, left, failed = [] } = outcome;
    const sent = exchanges.filter(({ tag }) => tag.sequence === name);
    const reason = skipped.get(name) ?? (failed.length > 0 ? gotPhrase(sent) : undefined);
    const why = toldWith(left, reason ?? outcome.got);
    const isFailed = failed.length > 0 || (isSecretGone && id === 'setInboundAuth');
    const isSeen = exchanges.some(isAccepted) && sent.every(({ failure }) => failure === null);
    return { id, restored, left: why, failed: isFailed ? why : [], isSeen };
  });
}

/** The answer to the last rejected write, or else to the first read that was not accepted; `undefined` without. */
function gotPhrase(sent: readonly Exchange[]): string | undefined {
  const rejected = sent.filter((exchange) => !isAccepted(exchange));
  const telling = rejected.findLast(({ request }) => request.method !== 'GET') ?? rejected[0];
  const status = telling && statusOf(telling);
  return telling && (telling.failure?.detail ?? `status ${status}${status === UNAUTHORIZED ? CHECK_TOKEN : ''}`);
}
