/** A terminal and commands that the tests of the command line watch and drive. */

import { catalogueOf, traceOf } from '../../../scripts/traceability.ts';
import { explain, listRequirements } from '../../../src/cli/commands/catalogue.ts';
import { type ServeOptions, serve, type startServed } from '../../../src/cli/commands/serve.ts';
import type { Commands } from '../../../src/cli/program.ts';
import type { ProcessEvent, Terminal } from '../../../src/cli/terminal.ts';
import { type Variables, variablesOnly } from '../../../src/settings/environment.ts';

export interface Stage {
  readonly terminal: Terminal;
  readonly out: string[];
  readonly err: string[];
  readonly exits: number[];
  /** Sends a signal at a moment in milliseconds. */
  readonly send: (event: ProcessEvent, at: number, cause?: unknown) => void;
  /** How many listeners there are for signals. */
  readonly listeners: () => number;
}

export function stage(env: Variables = {}): Stage {
  const out: string[] = [];
  const err: string[] = [];
  const exits: number[] = [];
  const listening: (readonly [ProcessEvent, (cause: unknown) => void])[] = [];
  let now = 0;
  const terminal: Terminal = {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    environment: () => variablesOnly(env),
    signals: {
      on: (signal, listener) => listening.push([signal, listener]),
      off: (signal, listener) => {
        const at = listening.findIndex(([name, kept]) => name === signal && kept === listener);
        if (at >= 0) listening.splice(at, 1);
      },
    },
    now: () => now,
    exit: (code) => exits.push(code),
  };
  const send: Stage['send'] = (signal, at, cause) => {
    now = at;
    for (const [name, listener] of [...listening]) if (name === signal) listener(cause);
  };
  return { terminal, out, err, exits, send, listeners: () => listening.length };
}

const REQUIREMENT = {
  id: 'CALL-CREATE-STATUS',
  level: 'must',
  section: '4',
  statement: 'A created call is answered 201.',
  operations: ['createCall'],
  expect: () => ({ kind: 'pass' as const }),
  reading: 'R9',
} as const;

const READING = {
  id: 'R9',
  sections: ['4'],
  question: 'Is it 201?',
  readings: ['Yes.', 'No.'],
  why: 'It says so.',
} as const;

const asks = (variation: string) => ({ id: 'CALL-CREATE-STATUS', variation });

const TRACE = traceOf({
  statements: [
    { section: '4', quote: 'It answers 201.', ids: ['CALL-CREATE-STATUS'] },
    { section: '9', quote: 'It is open.', ids: ['GAP-OPEN'] },
  ],
  requirements: [REQUIREMENT, { ...REQUIREMENT, id: 'PATH', level: 'should' }],
  gaps: [{ id: 'GAP-OPEN', section: '9', question: 'What is open?', reason: 'It is not known.' }],
  readings: [READING],
  sequences: [
    { name: 'createCall/one', operation: 'createCall', asks: [asks('a'), asks('b')] },
    { name: 'createCall/two', operation: 'createCall', asks: [asks('')] },
  ],
  faults: [{ name: 'created-200', defect: 'Answers 200.', breaks: ['CALL-CREATE-STATUS'] }],
});

const CATALOGUE = catalogueOf(TRACE);

/** A reference service that listens nowhere. */
export const stubReference: typeof startServed = async ({ host, port }) => ({
  url: `http://${host}:${port}`,
  settings: { PCS_ACCESS_TOKEN: 'ref_org_1', PCS_INBOUND_SECRET: 'two words #1', PCS_RINGING_CALL_ID: undefined },
  close: async () => undefined,
});

/** `serve` with another way to start the service. */
export const serveWith =
  (start: typeof startServed): Commands['serve'] =>
  async () =>
  (options: ServeOptions, terminal: Terminal) =>
    serve(options, terminal, start);

/** Commands that need neither a target nor the whole catalogue. */
export const STUBS = {
  list: async () => (options, terminal) => listRequirements(options, terminal, CATALOGUE),
  explain: async () => (id, options, terminal) => explain(id, options, terminal, CATALOGUE),
  serve: serveWith(stubReference),
} as const satisfies Partial<Commands>;
