/** Runs against the in-process reference service: what a real run would do, and what it could not judge. */

import { json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { plannerFor, SUITE } from '../../suites/index.ts';
import { SHOWN } from '../contract/limits.ts';
import { counted, listed, withoutUndefined } from '../contract/lists.ts';
import { OPTIONAL, SETTING_OF, type TargetSettingName } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { isInboundNamed, type RunOptions, settingsPresent } from '../run/options.ts';
import { demandCalls, planRun } from '../run/plan.ts';
import { usualRequests } from '../settings/read-settings.ts';
import { CALL, INBOUND, VALUES } from '../settings/table.ts';
import { judge, targetOf } from './in-process.ts';

/**
 * Rehearses a run: same plan, seed, profile, limits, and the optional settings that are named. Nothing leaves this
 * process: addresses, ids, numbers and credentials are the reference service's, which `wrapped` changes.
 */
export async function rehearse(
  options: RunOptions,
  present: readonly string[],
  wrapped: (service: Service) => Service = (service) => service,
): ReturnType<typeof judge> {
  const { service, settings } = createReference();
  // Ids and credentials of the real target would mean nothing to the reference service.
  const ofTarget = Object.fromEntries([...CALL, ...VALUES].map(({ key }) => [key, undefined]));
  const borrowed = Object.entries(settings).filter(([name]) => present.includes(name) || isInbound(name, options));
  return judge(wrapped(service), {
    ...(withoutUndefined({ ...options, ...ofTarget }) as RunOptions),
    ...targetOf(Object.fromEntries(borrowed)),
    // Below a path of a gateway it would serve nothing: `plan` said 3 requests and no call for a run of 953 and 11.
    baseUrl: 'http://reference.invalid',
    queries: options.queries,
    samples: {},
    rate: 0,
    credentialPause: 0,
  });
}

/**
 * Throws `UsageError` if `--max-calls` or `--max-requests` is below what this run sends (model, section 0, rule 24).
 * Only a limit below the default needs a rehearsal to count requests: the full profile sends half of it.
 */
export async function demandLimits(
  options: RunOptions,
  present: readonly string[] = settingsPresent(options),
): Promise<void> {
  demandCalls(planRun(SUITE, plannerFor(options)), options);
  const { maxRequests } = options;
  if (maxRequests >= usualRequests(options)) return;
  const { record } = await rehearse({ ...options, maxRequests: usualRequests(options) }, present);
  const sent = record.exchanges.length;
  if (sent <= maxRequests) return;
  throw new UsageError(
    `--max-requests ${maxRequests}: this run sends ${sent} requests`,
    `set it to ${sent} or more, or ask for less with --only or --without`,
  );
}

/** The inbound authentication to restore, as far as the real run knows it. */
const isInbound = (name: string, { inbound }: RunOptions): boolean =>
  Object.keys(inbound).some((member) => name === `PCS_INBOUND_${member.toUpperCase()}`);

/** Settings that belong together, and a phrase for what is lost without them. */
export interface MissingSetting {
  readonly names: readonly TargetSettingName[];
  readonly unjudged: string;
  /** How many cases cannot be judged without them. */
  readonly cases: number;
  /** Whether a run without them is incomplete. */
  readonly incomplete: boolean;
}

/** Every optional setting that verdicts depend on, in groups that belong together. */
const OPTIONAL_GROUPS: readonly (readonly TargetSettingName[])[] = [
  ['PCS_CALL_FROM', 'PCS_CALL_TO'],
  ['PCS_VOICE_APPLICATION_ID'],
  ['PCS_CARRIER_CONNECTION_ID'],
  ['PCS_TRUNK_ID'],
  ['PCS_NUMBER_ID'],
  ['PCS_CARRIER_PROVIDER_ID'],
  ['PCS_CONFERENCE_ID', 'PCS_PARTICIPANT_ID'],
  ['PCS_RINGING_CALL_ID'],
  ['PCS_OTHER_ORG_ACCESS_TOKEN'],
  ['PCS_OTHER_ORG_CARRIER_CONNECTION_ID'],
  ['PCS_OTHER_ORG_CALL_FROM'],
  ['PCS_OTHER_ORG_TRUNK_ID'],
  ['PCS_OTHER_ORG_VOICE_APPLICATION_ID'],
  ['PCS_REVOKED_ACCESS_TOKEN'],
];

/** What a missing setting costs, or `null` in a profile that does not use it. */
function lost(names: readonly TargetSettingName[], open: readonly OpenCase[], { profile }: RunOptions): string | null {
  const [first] = open;
  if (first !== undefined) {
    const ids = [...new Set(open.map(({ requirement }) => requirement))];
    const more = ids.length > SHOWN.first ? [`${ids.length - SHOWN.first} more`] : [];
    const of = `${counted(open.length, 'case')} of ${listed([...ids.slice(0, SHOWN.first), ...more])}`;
    return `${of} cannot be judged${first.passes ? ' in full' : ''}`;
  }
  if (profile === 'full' && names.includes(SETTING_OF.call))
    return 'a target that never answers outbound calls cannot show an answer';
  return null;
}

/** An open case: its requirement, and the settings that it names as missing. */
interface OpenCase {
  readonly requirement: string;
  readonly needs: readonly string[];
  /** Other questions of the case were answered. */
  readonly passes: boolean;
  /** It makes a run incomplete. */
  readonly isBinding: boolean;
}

/** A case that lacks an optional setting may lack another, too. */
const areOptional = (names: readonly string[]): boolean => names.every((name) => name in OPTIONAL);

/** A list without a trunk: only the real target can tell whether its list shows a trunk to a read-only run. */
const listingNoTrunk =
  (service: Service): Service =>
  async (request) => {
    const reply = await service(request);
    const isList = /^\/v1\/trunks\/?(?:\?|$)/.test(request.target);
    return isList && reply?.status === 200 ? json(200, { success: true, data: [] }) : reply;
  };

async function openWith(options: RunOptions, present: readonly string[]): Promise<readonly OpenCase[]> {
  // An exploration adds no questions.
  const { results } = await rehearse({ ...options, explore: 0 }, present, listingNoTrunk);
  return results.requirements.flatMap(({ id: requirement, level, cases }) =>
    cases.map(({ verdict, unanswered = [] }) => ({
      requirement,
      passes: verdict === 'pass',
      isBinding: level === 'must' && verdict === 'inconclusive',
      needs: unanswered.flatMap(({ needs = [] }) => needs),
    })),
  );
}

/**
 * The missing settings, each with the cases that a rehearsal leaves open without it. A case only names the first
 * setting that it lacks, so the rehearsal is repeated with the settings found so far until no case names another.
 */
export async function missingSettings(
  options: RunOptions,
  present: readonly string[],
): Promise<readonly MissingSetting[]> {
  const absent = OPTIONAL_GROUPS.filter((names) => names.some((name) => !present.includes(name)));
  const gone = new Map<(typeof OPTIONAL_GROUPS)[number], readonly OpenCase[]>();
  for (let before = -1; before < gone.size; ) {
    before = gone.size;
    const cases = await openWith(options, [...present, ...[...gone.keys()].flat()]);
    for (const names of absent.filter((names) => !gone.has(names))) {
      const lacking = cases.filter(({ needs }) => names.some((name) => needs.includes(name)));
      const silent = lacking.filter(({ passes }) => !passes);
      if (lacking.length > 0) gone.set(names, silent.length > 0 ? silent : lacking);
    }
  }
  const missing = absent.flatMap((names): readonly MissingSetting[] => {
    const open = gone.get(names) ?? [];
    // The figure is that of the run: an incomplete one counts the cases that make it so.
    const binding = areOptional(names) ? [] : open.filter(({ isBinding }) => isBinding);
    const incomplete = binding.length > 0;
    const told = incomplete ? binding : open;
    const unjudged = lost(names, told, options);
    return unjudged === null ? [] : [{ names, unjudged, cases: told.length, incomplete }];
  });
  if (options.profile === 'read-only' || isInboundNamed(options)) return missing;
  const names = INBOUND.map(({ name }) => name);
  const unjudged =
    'the inbound credential of the carrier connection is replaced and not restored (a method without a credential needs PCS_INBOUND_METHOD alone)';
  return [...missing, { names, unjudged, cases: 0, incomplete: false }];
}
