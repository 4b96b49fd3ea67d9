/** What the stub suites are told, and what they report. */

export interface StubInput extends Readonly<Record<string, unknown>> {
  readonly does: 'pass' | 'fail' | 'wait' | 'break' | 'leave' | 'reject';
  readonly events: number;
}

export interface StubEvent {
  readonly is: string;
  readonly at: number;
}
