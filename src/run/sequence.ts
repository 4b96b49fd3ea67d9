/** A sequence: requests that belong together, are repeated together and serve the same cases. */

import { type Answer, type SuiteRequest, unset } from '../client/request.ts';
import { type CaseOperation, ON_CALLS, type OperationId, operationById } from '../contract/operations.ts';
import { SETTING_OF, type TargetSettingName } from '../contract/settings.ts';
import type { Ask, Exchange } from '../exchange/exchange.ts';
import type { RequestForm } from '../exchange/message.ts';
import type { Session } from './session.ts';

export type { Session } from './session.ts';

/**
 * Phases run one after the other. The voice application is written after the calls that use it, since its URLs lead
 * nowhere; invalid credentials come late, with no call open; values that may crash a fragile target come after
 * everything ordinary, and exploration after them. The state of the trunk is written when nothing needs the trunk any
 * more. Only the last phase is clean-up, which goes on after a run has ended early.
 */
export const PHASES = [
  'main',
  'application',
  'credentials',
  'hazards',
  'exploration',
  'trunk state',
  'restore',
] as const;

/** One of the phases. */
export type Phase = (typeof PHASES)[number];

/** A walk of an exploration, or a part of one. */
export interface Walk {
  /** How many commands it sends. */
  readonly commands: number;
  /** The same walk with the commands that make new pairs behind what was sent so far. */
  readonly chosen: (sent: readonly Exchange[]) => WalkSequence;
  /** The smaller walk that sends only some of its commands. */
  readonly part: (places: readonly number[]) => WalkSequence;
}

/** The sequence of a walk. */
export type WalkSequence = Sequence & { readonly walk: Walk };

/** Whether walks build on a sequence: the reads and valid updates at the beginning of a run, but not its calls. */
export const isWalkBase = ({ operation, isControl, phase }: Sequence): boolean =>
  isControl === true &&
  (phase === 'main' || phase === 'application') &&
  operation !== 'createCall' &&
  !ON_CALLS.some((id) => id === operation);

/** A sequence that begins with one request, in two steps. */
export interface Independent {
  /** May first send what the request is compared with. */
  readonly request: (session: Session) => SuiteRequest | Promise<SuiteRequest>;
  readonly note?: (session: Session, answer: Answer, request: SuiteRequest) => void | Promise<void>;
}

/** One entry of the plan of requests. */
export interface Sequence {
  /** Unique and stable. */
  readonly name: string;
  readonly operation: CaseOperation;
  /** Sequences that share controls, and keep their order when a certification draws one; `null`: it stands alone. */
  readonly lane: string | null;
  readonly phase: Phase;
  readonly asks: readonly Ask[];
  /**
   * Why it may end without having answered some of these questions, or its `asks` alone: an answer settled them, unless
   * another reason is given.
   */
  readonly otherwise?: { readonly reason: string; readonly why?: 'occasion' | 'step'; readonly asks?: readonly Ask[] };
  /** The setting without which it is planned and not sent. */
  readonly needs?: TargetSettingName;
  /** Calls that it places on a conformant target; none unless given. */
  readonly calls?: number;
  /** Another lane whose controls it needs. */
  readonly dependsOn?: string;
  /** Runs even if none of its cases is selected, because other sequences of its lane need it. */
  readonly isControl?: true;
  /** Its first request, which does no harm and depends on no other: neighbours with one are sent together. */
  readonly independent?: Independent;
  /** Set for a walk of an exploration. */
  readonly walk?: Walk;
  /**
   * What it sends that the target has to reject, in a phrase: a form of credential, a way to break a body, a kind of
   * id. In the phases `credentials` and `hazards`, the same code of the target may read it for every operation.
   */
  readonly stimulus?: string;
  /** The form of its probes, if not the usual form. */
  readonly form?: RequestForm;
  readonly run: (session: Session) => Promise<void>;
}

const RESOURCE_LANES = {
  call: 'call',
  voiceApplication: 'voice application',
  carrierConnection: 'carrier connection',
  trunk: 'trunk',
  number: 'number',
  conference: 'conference',
  participant: 'conference',
  carrierProvider: null,
} as const;

/** The lane of an operation: that of the resource it acts on; lists have none. */
export function laneOf(id: OperationId): string | null {
  if (id === 'createCall') return 'call';
  const [kind] = operationById(id).resources;
  return kind === undefined ? null : RESOURCE_LANES[kind];
}

/** Throws `Skipped`, naming the setting, unless every resource in the operation's path is named. */
export function demandNamed({ builder }: Session, id: OperationId): void {
  const missing = operationById(id).resources.filter((kind) => builder.named(kind) === undefined);
  const [kind, ...more] = missing;
  if (kind === undefined) return;
  throw unset(`${SETTING_OF[kind]} is not set`, SETTING_OF[kind], ...more.map((further) => SETTING_OF[further]));
}
