/** `pcs-conformance list` and `explain`: requirements, gaps and readings, from the catalogue that the build wrote. */

import { readFileSync } from 'node:fs';
import { groupBy } from '../../contract/lists.ts';
import type { Level } from '../../contract/operations.ts';
import { unknownName } from '../../contract/usage-error.ts';
import { COMMAND } from '../../report/command-line.ts';
import { EXIT_CODES, type ExitCode, packageFile, type Terminal } from '../terminal.ts';

interface ListOptions {
  readonly level?: Level;
  readonly json?: true;
  readonly scenarios?: true;
}

/**
 * What `scripts/traceability.ts` knows of the interface page, the plan against the reference service and the planted
 * faults. It depends on no environment, no `.env` and no target.
 */
export interface Catalogue {
  /** In the order of the contract: the columns of `list`, and the object of `list --json`. */
  readonly requirements: readonly {
    readonly columns: readonly string[];
    readonly facts: { readonly level: Level };
  }[];
  /** By operation: what is sent, in words, and what must follow. */
  readonly scenarios: readonly {
    readonly operation: string;
    readonly requirement: string;
    readonly level: Level;
    readonly expected: string;
    readonly sent: readonly string[];
  }[];
  /** Every line of the explanations, once. */
  readonly lines: readonly string[];
  /** By the id of a requirement, a case, a gap or a reading: places in `lines`. */
  readonly explanations: Readonly<Record<string, readonly number[]>>;
}

const catalogue = (): Catalogue => JSON.parse(readFileSync(packageFile('dist/catalogue.json'), 'utf8'));

/** Prints the scenarios of each operation in plain words, or as JSON. */
function listScenarios({ level, json }: ListOptions, terminal: Terminal, { scenarios }: Catalogue): ExitCode {
  const wanted = scenarios.filter((scenario) => level === undefined || scenario.level === level);
  if (json === true) terminal.out(JSON.stringify(wanted, null, 2));
  for (const [operation, rows] of json === true ? [] : groupBy(wanted, (scenario) => scenario.operation)) {
    terminal.out(operation);
    for (const { requirement, level: how, expected, sent } of rows) {
      terminal.out(`  ${expected} (${how}, ${requirement})`);
      terminal.out(`    sent: ${sent.join('; ')}`);
    }
  }
  return EXIT_CODES.conformant;
}

/** Prints each requirement with its operations, probes and faults, or each operation's scenarios; or JSON. */
export function listRequirements(options: ListOptions, terminal: Terminal, known = catalogue()): ExitCode {
  const { level, json, scenarios } = options;
  if (scenarios === true) return listScenarios(options, terminal, known);
  const { requirements } = known;
  const rows = requirements.filter(({ facts }) => level === undefined || facts.level === level);
  if (json === true)
    terminal.out(
      JSON.stringify(
        rows.map(({ facts }) => facts),
        null,
        2,
      ),
    );
  const widthOf = (column: number): number => Math.max(...rows.map(({ columns }) => columns[column]?.length ?? 0));
  const widths = rows[0]?.columns.map((_, column) => widthOf(column)) ?? [];
  for (const { columns } of json === true ? [] : rows) {
    terminal.out(
      columns
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
  return EXIT_CODES.conformant;
}

/** Prints a requirement, one of its cases (`AUTH-SCHEME/createCall`), a gap or a reading. Throws `UsageError`. */
export function explain(
  id: string,
  _options: object,
  terminal: Terminal,
  { lines, explanations } = catalogue(),
): ExitCode {
  if (!Object.hasOwn(explanations, id)) {
    const problem = `Unknown requirement, case, gap or reading ${JSON.stringify(id)}`;
    throw unknownName(problem, id, Object.keys(explanations), `see ${COMMAND} list`);
  }
  for (const at of explanations[id] ?? []) terminal.out(lines[at] ?? '');
  return EXIT_CODES.conformant;
}
