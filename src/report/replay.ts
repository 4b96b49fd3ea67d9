/** How a case is judged again: the command, and a curl line for its smallest request. */

import { curlCommand, singleQuoted } from '../exchange/curl.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Origin, randomOriginOf } from '../run/replay.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';
import { exampleOf } from './cases.ts';
import { visibleShell } from './visible.ts';

const word = (text: string): string => (/^[\w./:@,-]+$/.test(text) ? text : singleQuoted(text));

/** The random value that the smallest example of a case holds: its seed and its path, or `undefined`. */
export function randomOf(one: CaseResult, run: RunArtefacts): Required<Origin> | undefined {
  const [finding] = one.findings;
  const example = finding === undefined ? undefined : exampleOf(finding, run);
  return example === undefined ? undefined : randomOriginOf(example);
}

/**
 * The command that judges these requirements or cases alone, with the settings of the run; of the random values the one
 * that is given.
 */
export function replayCommand(results: Results, only: readonly string[], random?: Required<Origin>): string {
  const { target, profile, without, strict } = results;
  const { seed, runs } = random === undefined ? results : { seed: random.seed, runs: 1 };
  const words = [
    ...['pcs-conformance', 'run', '--base-url', target, '--profile', profile],
    ...(without.length === 0 ? [] : ['--without', without.join(',')]),
    ...(only.length === 0 ? [] : ['--only', only.join(',')]),
    ...['--seed', String(seed)],
    ...(runs === 0 ? [] : ['--runs', String(runs)]),
    ...(random === undefined ? [] : ['--path', random.path]),
    ...(strict ? ['--strict'] : []),
  ];
  return visibleShell(words.map(word).join(' '));
}

/** Fields that name the run and not what is asked; a line to try by hand is shorter without them. */
const RUN_FIELDS: readonly string[] = ['user-agent', 'x-conformance-case'];

/** The request of an exchange as a line for a shell; the credential comes from the environment. */
export function curlLine(exchange: Exchange, results: Results): string {
  const headers = exchange.request.headers.filter(([name]) => !RUN_FIELDS.includes(name.toLowerCase()));
  return visibleShell(curlCommand({ ...exchange.request, headers }, results.target));
}
