/** The commands that a reader can paste to see a finding again, and to take it off the list. */

import { ON_USED_CONNECTION } from '../../suites/expect/rejection.ts';
import { RUN_DEFAULTS } from '../contract/settings.ts';
import { curlCommand } from '../exchange/curl.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { COMMAND, shellWord } from './command-line.ts';
import type { GoneFailure } from './gate.ts';
import { exampleOf, type RunArtefacts } from './model.ts';
import { visibleShell } from './text.ts';

const DEFAULT_FOLDER = 'conformance-report';

function shellLine(words: readonly string[]): string {
  return visibleShell([COMMAND, ...words.map(shellWord)].join(' '));
}

/** What a command says besides: a walk instead of the whole exploration, a folder for its reports, a file of settings. */
type More = Partial<Readonly<Record<'path' | 'reportDir' | 'settingsFile', string | undefined>>>;

/** The command that repeats a run with the same settings, of all cases or of these alone. */
export function runCommand(results: Results, only: readonly string[], more: More = {}): string {
  const { path, reportDir, settingsFile } = more;
  const { without, strict, requireComplete, seed, explore, traffic } = results;
  if (traffic !== undefined && only.length === 0) return shellLine(['judge', ...traffic.files]);
  // Whether the target does it still, only a run can tell.
  const profile = traffic === undefined ? results.profile : 'full';
  return shellLine([
    ...['run', ...targetOf(results), '--profile', profile],
    ...(without.length === 0 ? [] : ['--without', without.join(',')]),
    ...(only.length === 0 ? [] : ['--only', only.join(',')]),
    ...(traffic === undefined ? ['--seed', String(seed)] : []),
    ...(path === undefined ? [] : ['--path', path]),
    ...(path !== undefined || explore === RUN_DEFAULTS.explore || traffic !== undefined
      ? []
      : ['--explore', String(explore)]),
    ...(strict ? ['--strict'] : []),
    ...(requireComplete === true ? ['--require-complete'] : []),
    ...(reportDir === undefined ? [] : ['--report-dir', reportDir]),
    ...(settingsFile === undefined ? [] : ['--settings', settingsFile]),
  ]);
}

/** A pasted command needs no settings but the credential; a token in the address was redacted, and must be configured. */
const targetOf = ({ target }: Results): readonly string[] => (target.includes('⟦') ? [] : ['--base-url', target]);

/** The command that judges a case again, by the walk that failed if it was one; the reports of the run stay as they are. */
export function rerunCommand(one: CaseResult, run: RunArtefacts): string {
  const { results, settingsFile } = run;
  const folder = (run.folder ?? DEFAULT_FOLDER).replace(/(?<=.)\/+$/, '');
  const path = exampleOf(one.findings[0], run)?.tag.origin?.path;
  return runCommand(results, [one.id], { path, reportDir: `${folder}/rerun`, settingsFile });
}

/** A known failure that is gone, with the line that takes it off the list. */
export function gonePhrase({ detail, remove, file }: GoneFailure, { folder }: Pick<RunArtefacts, 'folder'>): string {
  const reports = folder ?? DEFAULT_FOLDER;
  return remove === 'baseline'
    ? `${detail} and passes now: use ${reports} as the next baseline`
    : `${detail}: no longer so; remove the entry with ${shellLine(['expect', 'prune', reports, ...(file === undefined ? [] : ['--file', file])])}`;
}

/** Header fields that name the run; a line to try by hand is shorter without them. */
const RUN_FIELDS: readonly string[] = ['user-agent', 'x-conformance-case', 'traceparent'];

/** The id under which the service's own traces show a request, or nothing in a certification. */
export const traceOf = ({ request }: Exchange): string | undefined =>
  headerValue(request.headers, 'traceparent')?.split('-')[1];

/**
 * The request of an exchange as a shell command; credentials come from the environment, and without one nothing is sent: an
 * empty token would show 401 where the finding was 200. `where` a finding is says whether the valid request has to come first,
 * on the same connection.
 */
export function curlLine(exchange: Exchange, { results }: Pick<RunArtefacts, 'results'>, where?: string): string {
  const headers = exchange.request.headers.filter(([name]) => !RUN_FIELDS.includes(name.toLowerCase()));
  const request = { ...exchange.request, headers };
  const valid = { ...request, credential: 'valid' } as const;
  const line = curlCommand(request, results.target, where === ON_USED_CONNECTION ? valid : undefined);
  const names = new Set([...line.matchAll(/\$\{?(PCS_[A-Z_]+)/g)].map(([, name = '']) => name));
  return visibleShell(`${[...names].map((name) => `: "\${${name}:?is not set}"; `).join('')}${line}`);
}
