/** Expectations: failures that are known, with a reason, an owner, an issue and a last day. */

import { requirementById } from '../contract/requirements/index.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { Signature } from './failures.ts';
import { jsonIn, textAt } from './run-folder.ts';
import { schemaProblem } from './schemas.ts';

/** One known failure. */
export interface Expectation extends Signature {
  readonly requirement: string;
  readonly operation: string;
  readonly reason: string;
  readonly owner: string;
  /** Address of the issue. */
  readonly issue: string;
  /** Last day in UTC, `2026-12-31`. */
  readonly expires: string;
}

const FORMAT = 'pcs-conformance/expectations@1';

/** What `expect add` leaves for a person to fill in is blank, and a run refuses it. */
const BLANKS = { reason: 'a reason', owner: 'an owner', issue: 'https://issue.invalid/' } as const;

/** The case that an expectation is about. */
export function caseOf({ requirement, operation }: Pick<Expectation, 'requirement' | 'operation'>): string {
  return `${requirement}/${operation}`;
}

/** A name for an entry in a sentence. */
export function entryName(entry: Expectation): string {
  return `${caseOf(entry)} (expected ${entry.expected}, got ${entry.actual})`;
}

interface Draft {
  readonly expectations?: readonly Readonly<Record<string, unknown>>[];
}

/** The same value with a stand-in for every blank, so that the rest of an unfinished file can be checked. */
function filledIn(value: unknown): unknown {
  const { expectations } = (value ?? {}) as Draft;
  if (!Array.isArray(expectations)) return value;
  const filled = (expectations as NonNullable<Draft['expectations']>).map((entry) => {
    const blank = Object.entries(BLANKS).filter(([name]) => entry?.[name] === '');
    return typeof entry === 'object' && entry !== null ? { ...entry, ...Object.fromEntries(blank) } : entry;
  });
  return { ...(value as object), expectations: filled };
}

function blankOf(value: unknown): string | undefined {
  const { expectations } = value as { readonly expectations: readonly Expectation[] };
  for (const entry of expectations) {
    const name = (Object.keys(BLANKS) as (keyof typeof BLANKS)[]).find((one) => entry[one] === '');
    if (name !== undefined) return `the entry for ${caseOf(entry)} has no ${name} yet: fill it in`;
  }
  return undefined;
}

/**
 * Expectations of a file's text. `unfinished` admits entries whose reason, owner or issue is still blank. Throws
 * `UsageError` naming the file.
 */
export function parseExpectations(text: string, path: string, unfinished = false): readonly Expectation[] {
  const value = jsonIn(text, path);
  const problem = schemaProblem('expectations', filledIn(value));
  if (problem !== null) throw new UsageError(`${path} does not keep to the schema of expectations: ${problem}.`);
  const blank = unfinished ? undefined : blankOf(value);
  if (blank !== undefined) throw new UsageError(`${path} is not finished: ${blank}.`);
  return (value as { readonly expectations: readonly Expectation[] }).expectations;
}

/** Reads a file of expectations. Throws `UsageError` where it cannot be used, also for an entry that names nothing. */
export function readExpectations(path: string): readonly Expectation[] {
  const text = textAt(path);
  if (text === undefined) throw new UsageError(`${path} cannot be read: name a file of expectations.`);
  const entries = parseExpectations(text, path);
  const idle = entries.find(namesNothing);
  if (idle !== undefined) {
    throw new UsageError(
      `${path} names ${caseOf(idle)}, and there is no such case: pcs-conformance list shows what there is.`,
    );
  }
  return entries;
}

/** Whether the catalogue has no such requirement, or not for that operation. */
export function namesNothing({ requirement, operation }: Expectation): boolean {
  return !(requirementById(requirement)?.operations as readonly string[] | undefined)?.includes(operation);
}

/** The text of a file with these entries. */
export function renderExpectations(entries: readonly Expectation[]): string {
  return `${JSON.stringify({ format: FORMAT, expectations: entries }, null, 2)}\n`;
}
