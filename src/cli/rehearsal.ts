/** Runs against the reference service inside this process: what a real run would do, and what it could not judge. */

import { createReference } from '../../fixtures/service/reference.ts';
import { withoutUndefined } from '../contract/lists.ts';
import type { ResourceKind } from '../contract/operations.ts';
import { SETTING_OF, type TargetSettingName } from '../contract/settings.ts';
import { type RunOptions, settingsPresent } from '../run/options.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';

/**
 * Rehearses a run: the same plan, seed, profile and limits, and the same optional settings as the real run has. Nothing
 * leaves this process. Addresses, ids, numbers and credentials are those of the reference service.
 */
export async function rehearse(options: RunOptions): ReturnType<typeof judge> {
  const reference = createReference();
  const own = optionsFrom(reference.settings);
  const { ringingCallId: ringing, callIdPointer: _, ...rest } = options;
  return judge(reference.service, {
    ...rest,
    baseUrl: own.baseUrl,
    credentials: likeNamed(own.credentials, options.credentials),
    numbers: options.numbers === null ? null : own.numbers,
    resources: likeNamed(own.resources, options.resources),
    ...(options.otherConnection === undefined ? {} : withoutUndefined({ otherConnection: own.otherConnection })),
    inbound: likeNamed(own.inbound, options.inbound),
    ...(ringing === undefined || own.ringingCallId === undefined ? {} : { ringingCallId: own.ringingCallId }),
    queries: {},
    samples: {},
    rate: 0,
    credentialPause: 0,
  });
}

/** The members of `own` that `given` has, too. */
function likeNamed<Members extends object>(own: Members, given: Members): Members {
  return Object.fromEntries(Object.entries(own).filter(([name]) => name in given)) as Members;
}

/** Settings that count together, and a phrase for what is lost without them. */
export interface MissingSetting {
  readonly names: readonly TargetSettingName[];
  readonly unjudged: string;
}

/** Settings that count together, with the way to lend the reference's own to a run. */
interface Optional extends Pick<MissingSetting, 'names'> {
  readonly lend: (own: RunOptions, options: RunOptions) => Partial<RunOptions>;
}

const resource = (...kinds: readonly ResourceKind[]): Optional => ({
  names: kinds.map((kind) => SETTING_OF[kind]),
  lend: (own, options) => ({
    resources: { ...options.resources, ...Object.fromEntries(kinds.map((kind) => [kind, own.resources[kind]])) },
  }),
});

const credential = (name: TargetSettingName, member: 'otherOrganization' | 'revoked'): Optional => ({
  names: [name],
  lend: (own, options) => ({ credentials: { ...options.credentials, [member]: own.credentials[member] } }),
});

/** Every optional setting on which verdicts depend. */
const OPTIONAL: readonly Optional[] = [
  { names: ['PCS_CALL_FROM', 'PCS_CALL_TO'], lend: ({ numbers }) => ({ numbers }) },
  resource('voiceApplication'),
  resource('carrierConnection'),
  resource('trunk'),
  resource('number'),
  resource('carrierProvider'),
  resource('conference', 'participant'),
  {
    names: ['PCS_OTHER_ORG_CARRIER_CONNECTION_ID'],
    lend: ({ otherConnection: id }) => (id === undefined ? {} : { otherConnection: id }),
  },
  { names: [SETTING_OF.call], lend: ({ ringingCallId: id }) => (id === undefined ? {} : { ringingCallId: id }) },
  credential('PCS_OTHER_ORG_ACCESS_TOKEN', 'otherOrganization'),
  credential('PCS_REVOKED_ACCESS_TOKEN', 'revoked'),
];

/** The cases that pass in a rehearsal. */
async function passing(options: RunOptions): Promise<readonly string[]> {
  const { results } = await rehearse(options);
  return casesOf(results).flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : []));
}

/** What a missing setting costs in a profile that does not use it. */
export const NOT_NEEDED = 'every case of this profile can be judged without it';

function lost(names: readonly TargetSettingName[], gained: readonly string[], { profile }: RunOptions): string {
  const requirements = [...new Set(gained.map((id) => id.split('/')[0]))];
  if (gained.length > 0) return `${gained.length} cases of ${requirements.join(', ')} cannot be judged`;
  if (profile === 'full' && names.includes(SETTING_OF.call))
    return 'a target that never answers outbound calls cannot show an answer';
  return NOT_NEEDED;
}

/** The settings that are missing, each with the cases that cannot be judged without it if all others were set. */
export async function missingSettings(options: RunOptions): Promise<readonly MissingSetting[]> {
  const own = optionsFrom(createReference().settings);
  const present = settingsPresent(options);
  const absent = OPTIONAL.filter(({ names }) => names.some((name) => !present.includes(name)));
  const lent = (without?: Optional): RunOptions => {
    let known = options;
    for (const one of absent) if (one !== without) known = { ...known, ...one.lend(own, known) };
    return known;
  };
  const everything = await passing(lent());
  const missing: MissingSetting[] = [];
  for (const one of absent) {
    const rest = await passing(lent(one));
    const gone = everything.filter((id) => !rest.includes(id));
    missing.push({ names: one.names, unjudged: lost(one.names, gone, options) });
  }
  const { username, realm, secret } = options.inbound;
  if (options.profile === 'full' && [username, realm, secret].includes(undefined)) {
    const names = ['PCS_INBOUND_USERNAME', 'PCS_INBOUND_REALM', 'PCS_INBOUND_SECRET'] as const;
    missing.push({ names, unjudged: 'the inbound credential of the carrier connection is replaced and not restored' });
  }
  return missing;
}
