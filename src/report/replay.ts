/** Commands that a reader can paste: replay a case, repeat the run, send one request with curl. */

import { RUN_DEFAULTS } from '../contract/settings.ts';
import { curlCommand, singleQuoted } from '../exchange/curl.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';
import { exampleOf } from './cases.ts';
import { visibleShell } from './text.ts';

const DEFAULT_FOLDER = 'conformance-report';

function shellLine(words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w./:@,-]+$/.test(word) ? word : singleQuoted(word)));
  return visibleShell(['npx', 'pcs-conformance', ...quoted].join(' '));
}

/** The command that repeats a run with the same settings, of all cases or of these alone. */
export function runCommand(results: Results, only: readonly string[], reportDir?: string): string {
  const { profile, without, strict, requireComplete, seed, explore, shard } = results;
  return shellLine([
    ...['run', ...targetOf(results), '--profile', profile],
    ...(without.length === 0 ? [] : ['--without', without.join(',')]),
    ...(only.length === 0 ? [] : ['--only', only.join(',')]),
    ...['--seed', String(seed)],
    ...(explore === RUN_DEFAULTS.explore ? [] : ['--explore', String(explore)]),
    ...(shard === undefined ? [] : ['--shard', `${shard.index}/${shard.count}`]),
    ...(strict ? ['--strict'] : []),
    ...(requireComplete === true ? ['--require-complete'] : []),
    ...(reportDir === undefined ? [] : ['--report-dir', reportDir]),
  ]);
}

/** A pasted command needs no settings but the credential; a token in the address was redacted, and must be configured. */
const targetOf = ({ target }: Results): readonly string[] => (target.includes('⟦') ? [] : ['--base-url', target]);

/** The command that judges a case again; the reports of the run stay as they are. */
export function replayCommand(one: CaseResult, run: RunArtefacts): string {
  const folder = (run.folder ?? DEFAULT_FOLDER).replace(/(?<=.)\/+$/, '');
  // `replay` needs a recorded failure in a folder.
  return run.folder !== null && exampleOf(one.findings[0], run) !== undefined
    ? shellLine(['replay', folder, one.id, ...targetOf(run.results)])
    : runCommand(run.results, [one.id], `${folder}/rerun`);
}

/** Header fields that name the run; a line to try by hand is shorter without them. */
const RUN_FIELDS: readonly string[] = ['user-agent', 'x-conformance-case', 'traceparent'];

/** The id under which the service's own traces show a request, or nothing in a certification. */
export const traceOf = ({ request }: Exchange): string | undefined =>
  headerValue(request.headers, 'traceparent')?.split('-')[1];

/** Takes a variable from `.env` where the shell does not have it, so that a line works as it is pasted. */
const fromFile = (name: string): string => `: "\${${name}:=$(sed -n 's/^${name}=//p' .env | tr -d \\'\\"\\\\r)}"; `;

/** The request of an exchange as a shell command; the credential comes from the environment, or from `.env`. */
export function curlLine(exchange: Exchange, results: Results): string {
  const headers = exchange.request.headers.filter(([name]) => !RUN_FIELDS.includes(name.toLowerCase()));
  const line = curlCommand({ ...exchange.request, headers }, results.target);
  const names = new Set([...line.matchAll(/\$\{?(PCS_[A-Z_]+)/g)].map(([, name = '']) => name));
  return visibleShell(`${[...names].map(fromFile).join('')}${line}`);
}
