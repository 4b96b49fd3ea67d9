/** `pcs-conformance selftest`: tests the suite itself, offline, with services made for it. */

import { availableParallelism } from 'node:os';
import { UsageError } from '../../contract/usage-error.ts';
import { type Extent, type OnProved, type Proved, proveAll } from '../../selftest/workload.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';

type SelftestOptions = Readonly<Record<keyof Extent, string>>;

/** Broken services that are printed with their problems; the others are counted. */
const MOST_SHOWN = 20;

/** Runs the proof and prints its figures. Exits 0, or 4 if the proof is broken. */
export async function selftest(options: SelftestOptions, terminal: Terminal, prove = proveAll): Promise<ExitCode> {
  const extent = extentOf(options);
  const threads = Math.max(1, Math.min(4, availableParallelism()));
  const started = terminal.now();
  const progress = progressOn(terminal);
  const proved = await prove(extent, threads, progress.show).finally(progress.end);
  for (const line of figures(proved)) terminal.out(line);
  const broken = proved.filter(({ proof }) => proof.kind === 'broken');
  for (const line of broken.slice(0, MOST_SHOWN).flatMap(problemsOf)) terminal.out(line);
  if (broken.length > MOST_SHOWN) terminal.out(`and ${broken.length - MOST_SHOWN} more`);
  const seconds = ((terminal.now() - started) / 1_000).toFixed(1);
  const how = `seed ${extent.seed}, ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${seconds} s`;
  const outcome = broken.length === 0 ? 'holds' : `is broken: ${broken.length} of ${proved.length} services`;
  terminal.out(`The proof ${outcome} (${how}).`);
  return broken.length === 0 ? EXIT_CODES.conformant : EXIT_CODES.void;
}

/** How often a terminal is told, and how often a pipe, in milliseconds. */
const REDRAW = 100;
const REPORT = 10_000;

/** One line that is drawn again on a terminal; a line every ten seconds in a pipe. */
function progressOn({ redraw, err, now }: Terminal): { readonly show: OnProved; readonly end: () => void } {
  const every = redraw === undefined ? REPORT : REDRAW;
  let told = now();
  const show: OnProved = (done, all) => {
    if (now() - told < every) return;
    told = now();
    (redraw ?? err)(`${done} of ${all} services judged`);
  };
  return { show, end: () => redraw?.('') };
}

function extentOf({ variants, rules, pairs, seed }: SelftestOptions): Extent {
  return {
    variants: numberOf('--variants', variants, 100_000),
    rules: numberOf('--rules', rules, 100_000),
    pairs: numberOf('--pairs', pairs, 100_000),
    seed: numberOf('--seed', seed, 2_147_483_647),
  };
}

function numberOf(flag: string, text: string, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new UsageError(
    `${flag} (${JSON.stringify(text)}) is not such a number`,
    `write a whole number from 0 to ${most}`,
  );
}

function figures(proved: readonly Proved[]): readonly string[] {
  const of = (kind: Proved['kind']): readonly Proved[] => proved.filter((one) => one.kind === kind);
  const count = (rows: readonly Proved[], kind: Proved['proof']['kind']): number =>
    rows.filter(({ proof }) => proof.kind === kind).length;
  const [faults, variants, rules] = [of('fault'), of('variant'), of('rules')];
  const [pairs, nulls] = [of('pair'), of('null')];
  const real = pairs.length - count(pairs, 'idle');
  return [
    `faults         ${count(faults, 'holds')} of ${faults.length} caught, each with exactly the requirements that it breaks`,
    `variants       ${variants.length} judged, ${count(variants, 'broken')} accused or inconclusive without a reason`,
    `rules          ${rules.length} judged, ${count(rules, 'broken')} accused or open without a true remedy`,
    `pairs          ${count(pairs, 'holds')} of ${real} caught; in ${count(pairs, 'idle')} more the variant hides the fault`,
    `null services  ${nulls.length} judged, ${count(nulls, 'broken')} with an unexplained pass`,
  ];
}

function problemsOf({ kind, name, proof }: Proved): readonly string[] {
  return proof.kind === 'broken' ? [`${kind} ${name}`, ...proof.problems.map((problem) => `  ${problem}`)] : [];
}
