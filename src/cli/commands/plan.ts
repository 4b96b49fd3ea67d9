/** `pcs-conformance plan`: what a run would send, without sending anything. */

import { counted } from '../../contract/lists.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { RUN_DEFAULTS } from '../../contract/settings.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { isInboundNamed, type RunOptions } from '../../run/options.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Flags } from '../../settings/sources.ts';
import type { RunRecord } from '../../verdict/record.ts';
import { demandNumbers, runOptionsOf } from '../engine.ts';
import { demandLimits, rehearse } from '../rehearsal.ts';
import { knownSettings, settingsOfRun } from '../target.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';

/** Rehearses the run inside this process and prints what it would send. Throws `UsageError`. */
export async function plan(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  for (const warning of settings.warnings) terminal.err(`Warning: ${warning}`);
  const known = knownSettings(settings);
  demandNumbers(known);
  const options = runOptionsOf(known);
  const present = settingsOfRun(known);
  await demandLimits(options, present);
  const { record, results } = await rehearse(shortRehearsal(options), present);
  const target = settings.isReference ? 'the built-in reference service' : shownUrl(options.baseUrl);
  if (settings.json) {
    terminal.out(JSON.stringify(planSummary(target, options, record, results.requirements.length), null, 2));
    return EXIT_CODES.conformant;
  }
  terminal.out(`A run against ${target} (profile ${options.profile}, seed ${options.seed}). Nothing was sent.`);
  const requirements = counted(results.requirements.length, 'requirement');
  terminal.out(`Judges ${counted(record.plan.length, 'case')} of ${requirements}.`);
  terminal.out(`Sends about ${plannedRequests(options, record)} requests, at most ${options.maxRequests}.`);
  for (const line of [...callLines(options, record), ...writeLines(options, record)]) terminal.out(line);
  return EXIT_CODES.conformant;
}

/** The walks of an exploration are alike, so the default number of requests is enough. */
const shortRehearsal = (options: RunOptions): RunOptions => ({
  ...options,
  explore: Math.min(options.explore, RUN_DEFAULTS.explore),
});

/** The requests of the rehearsal, plus those that it left out. */
function plannedRequests(options: RunOptions, { exchanges }: RunRecord): number {
  // With --only a run may explore nothing.
  const explores = exchanges.some(({ tag }) => tag.origin !== undefined);
  return exchanges.length + (explores ? options.explore - shortRehearsal(options).explore : 0);
}

/** The plan as `--json` prints it; numbers of requests and calls are those of the rehearsal. */
function planSummary(target: string, options: RunOptions, record: RunRecord, requirements: number): object {
  const { profile, seed, maxRequests, maxCalls, numbers } = options;
  const { plan: cases, calls } = record;
  return {
    ...{ target, profile, seed, requirements, cases: cases.length },
    ...{
      requests: plannedRequests(options, record),
      maxRequests,
      calls,
      maxCalls,
      numbers: calls === 0 ? null : numbers,
    },
    writes: writesOf(options, record).map(({ title: _, ...write }) => write),
  };
}

function callLines({ numbers, maxCalls }: RunOptions, { calls }: RunRecord): readonly string[] {
  if (numbers === null || calls === 0) return ['Places no calls.'];
  return [`Places about ${calls} calls, at most ${maxCalls}, from ${numbers.from} to ${numbers.to} only.`];
}

/** The read-only profile sends each write once, to show that it needs a credential. */
function probeLines({ exchanges }: RunRecord): readonly string[] {
  const probes = exchanges.filter(({ request }) => ['POST', 'PUT', 'PATCH'].includes(request.method));
  const count = probes.length === 1 ? '1 request' : `${probes.length} requests`;
  if (probes.length === 0) return ['Writes nothing.'];
  return [
    'Writes nothing.',
    `${count} without a credential and without a body, to made-up ids, show whether the writes need a credential:`,
    ...OPERATIONS.flatMap(({ id, title, method, path }) =>
      probes.some(({ tag }) => tag.operation === id) ? [`  ${title}: ${method} ${path}`] : [],
    ),
  ];
}

/** The writes by operation, with their resources, and how many have the valid credential. */
function writesOf({ profile, resources: known }: RunOptions, { exchanges }: RunRecord) {
  return OPERATIONS.filter(({ method }) => method !== 'GET').flatMap(({ id, title, method, path, resources }) => {
    const sent = exchanges.filter(({ tag, request }) => tag.operation === id && request.method === method);
    const valid = sent.filter(({ request }) => request.credential === 'valid').length;
    const ids = profile === 'read-only' ? [] : resources.flatMap((kind) => known[kind] ?? []);
    return sent.length === 0 ? [] : [{ operation: id, title, method, path, ids, valid, invalid: sent.length - valid }];
  });
}

function writeLines(options: RunOptions, record: RunRecord): readonly string[] {
  if (options.profile === 'read-only') return probeLines(record);
  const lines = writesOf(options, record).map(({ title, ids, valid, invalid }) => {
    const place = ids.length === 0 ? '' : ` (${ids.join(', ')})`;
    return `  ${title}${place}: ${valid} with the credential, ${invalid} with invalid ones or none`;
  });
  return ['Writes:', ...lines, ...inboundLine(options), ...muteLine(options), NO_EDITS];
}

/** The interface has no record versions, so an update cannot depend on what was read. */
const NO_EDITS = 'Do not change these resources during a run: your edits may be lost without notice.';

/** No operation of the interface unmutes a participant. */
function muteLine({ profile, without, resources }: RunOptions): readonly string[] {
  const { conference, participant } = resources;
  const isMuted = profile === 'full' && !without.includes('muteParticipant');
  if (!isMuted || conference === undefined || participant === undefined) return [];
  return [`Participant ${participant} of conference ${conference} is muted and stays muted: no operation undoes it.`];
}

/** The inbound secret is random in each run: a published seed must not open a carrier connection. */
function inboundLine(options: RunOptions): readonly string[] {
  const { profile, without, resources } = options;
  const connection = resources.carrierConnection;
  if (profile !== 'full' || without.includes('setInboundAuth') || connection === undefined) return [];
  const end = isInboundNamed(options)
    ? 'and PCS_INBOUND_* is restored at the end'
    : 'and not restored: set PCS_INBOUND_METHOD, and with it PCS_INBOUND_USERNAME, PCS_INBOUND_REALM and PCS_INBOUND_SECRET unless its method needs none of them';
  return [`The inbound credential of carrier connection ${connection} is replaced by a random one, ${end}.`];
}
