/** What one sequence leaves for the next: accepted bodies and calls. It steers what is sent, never what is judged. */

import type { OperationId } from '../contract/operations.ts';
import type { CredentialForm } from '../exchange/exchange.ts';
import type { JsonValue } from '../generate/json.ts';

/** Memory of a run. */
export class Memory {
  /** For an operation the first body that was accepted. */
  readonly bases = new Map<OperationId, JsonValue>();
  /** A read that the good credential was seen to be accepted for. */
  pulse: OperationId = 'listTrunks';
  /** A call of this run that was hung up. */
  endedCall: string | null = null;
  /** Whether the first hang-up of the call that others tried to control was refused: somebody ended it, or it did itself. */
  isHangUpRefused = false;
  /** Whether the ringing call of the settings was answered, so that it is the run's to end. */
  isRingingAnswered = false;
  /** Operations that may have changed something: an update was sent and not refused. */
  readonly written = new Set<OperationId>();
  /** Sentences: what was changed on the target and not put back. */
  readonly changed: string[] = [];
  /** Members of the trunk as getTrunk showed them before anything was changed. */
  trunk: Readonly<Record<string, string | number>> | null = null;
  /** The carrier connection of the number as a list showed it before anything was changed; `null` for none. */
  assignment: string | null | undefined = undefined;
  /** Members of the voice application as the answer to an empty update showed them. */
  application: Readonly<Record<string, string | number>> | null = null;
  /** Fields of the voice application to which an observation wrote a value that was accepted. */
  readonly observed = new Set<string>();
  /** For an operation: statuses of the good credential, and of each bad form, for the same request. */
  readonly refusals = new Map<OperationId, { readonly good: Set<number>; readonly bad: Map<CredentialForm, number> }>();

  /** Notes a status of the good credential, or of a bad form. */
  noteStatus(id: OperationId, form: CredentialForm, status: number | null): void {
    const seen = this.refusals.get(id) ?? { good: new Set(), bad: new Map() };
    this.refusals.set(id, seen);
    if (status === null) return;
    if (form === 'valid') seen.good.add(status);
    else seen.bad.set(form, status);
  }
  /** Operations served at their other slash form too, where a bad credential got there what the good one got. */
  readonly openAliases = new Set<OperationId>();
  /** For a route that nobody documented: whether a read of it was accepted. */
  readonly unknownRoutes = new Map<string, boolean>();
  /** For an element of valid create-call bodies: whether a body with it was accepted, or it alone was refused. */
  readonly elements = new Map<string, boolean>();
  /** For a trial of exotic create-call values: whether it was accepted. */
  readonly exotic = new Map<string, boolean>();
  /** Whether the last of those trials got no answer. */
  isExoticCut = false;
  /** Whether exotic create-call bodies wait until no other request can need the calls that are left. */
  isExoticDue = false;
  /** For a requirement: how many invalid create-call bodies were accepted, each of which placed a call. */
  readonly acceptedInvalid = new Map<string, number>();
}
