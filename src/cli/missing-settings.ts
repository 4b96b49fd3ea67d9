/** What cannot be judged without a setting that is not there: told by rehearsals with everything and without it. */

import { createReference } from '../../fixtures/service/reference.ts';
import type { RunOptions } from '../run/options.ts';
import { optionsFrom } from '../selftest/harness.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';

/** Settings that count together, and a phrase for what is lost without them. */
export interface MissingSetting {
  readonly names: readonly string[];
  readonly unjudged: string;
}

type Lend = (own: RunOptions, options: RunOptions) => Partial<RunOptions>;

const resource =
  (...kinds: readonly (keyof RunOptions['resources'])[]): Lend =>
  (own, options) => ({
    resources: { ...options.resources, ...Object.fromEntries(kinds.map((kind) => [kind, own.resources[kind]])) },
  });

const credential =
  (name: 'otherOrganization' | 'revoked'): Lend =>
  (own, options) => ({ credentials: { ...options.credentials, [name]: own.credentials[name] } });

/** Every optional setting on which verdicts depend, with the way to lend the reference's own. */
const OPTIONAL: readonly (readonly [names: readonly string[], lend: Lend])[] = [
  [['PCS_CALL_FROM', 'PCS_CALL_TO'], ({ numbers }) => ({ numbers })],
  [['PCS_VOICE_APPLICATION_ID'], resource('voiceApplication')],
  [['PCS_CARRIER_CONNECTION_ID'], resource('carrierConnection')],
  [['PCS_TRUNK_ID'], resource('trunk')],
  [['PCS_NUMBER_ID'], resource('number')],
  [['PCS_CARRIER_PROVIDER_ID'], resource('carrierProvider')],
  [['PCS_CONFERENCE_ID', 'PCS_PARTICIPANT_ID'], resource('conference', 'participant')],
  [['PCS_RINGING_CALL_ID'], ({ ringingCallId }) => (ringingCallId === undefined ? {} : { ringingCallId })],
  [['PCS_OTHER_ORG_ACCESS_TOKEN'], credential('otherOrganization')],
  [['PCS_REVOKED_ACCESS_TOKEN'], credential('revoked')],
];

function isMissing(names: readonly string[], options: RunOptions): boolean {
  return names.some((name) => !present(options).has(name));
}

function present({ numbers, resources, ringingCallId, credentials }: RunOptions): ReadonlySet<string> {
  const all: readonly (readonly [string, unknown])[] = [
    ['PCS_CALL_FROM', numbers],
    ['PCS_CALL_TO', numbers],
    ['PCS_VOICE_APPLICATION_ID', resources.voiceApplication],
    ['PCS_CARRIER_CONNECTION_ID', resources.carrierConnection],
    ['PCS_TRUNK_ID', resources.trunk],
    ['PCS_NUMBER_ID', resources.number],
    ['PCS_CARRIER_PROVIDER_ID', resources.carrierProvider],
    ['PCS_CONFERENCE_ID', resources.conference],
    ['PCS_PARTICIPANT_ID', resources.participant],
    ['PCS_RINGING_CALL_ID', ringingCallId],
    ['PCS_OTHER_ORG_ACCESS_TOKEN', credentials.otherOrganization],
    ['PCS_REVOKED_ACCESS_TOKEN', credentials.revoked],
  ];
  return new Set(all.flatMap(([name, value]) => (value === undefined || value === null ? [] : [name])));
}

const passing = ({ results }: Rehearsal): ReadonlySet<string> =>
  new Set(
    results.requirements.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)),
  );

function lost(names: readonly string[], gained: readonly string[]): string {
  const requirements = [...new Set(gained.map((id) => id.split('/')[0]))];
  if (gained.length > 0) return `${gained.length} cases of ${requirements.join(', ')} cannot be judged`;
  if (names.includes('PCS_RINGING_CALL_ID')) return 'a target that never answers outbound calls cannot show an answer';
  return 'every case of this profile can be judged without it';
}

/** The settings that are not there, each with the cases that cannot be judged without it though all others were there. */
export async function missingSettings(options: RunOptions): Promise<readonly MissingSetting[]> {
  const own = optionsFrom(createReference().settings);
  const absent = OPTIONAL.filter(([names]) => isMissing(names, options));
  const lent = (without: readonly string[] | null): RunOptions => {
    let known = options;
    for (const [names, lend] of absent) if (names !== without) known = { ...known, ...lend(own, known) };
    return known;
  };
  const everything = [...passing(await rehearse(lent(null)))];
  const missing: MissingSetting[] = [];
  for (const [names] of absent) {
    const rest = passing(await rehearse(lent(names)));
    const gone = everything.filter((id) => !rest.has(id));
    missing.push({ names, unjudged: lost(names, gone) });
  }
  const { username, realm, secret } = options.inbound;
  if (options.profile === 'full' && [username, realm, secret].includes(undefined)) {
    const names = ['PCS_INBOUND_USERNAME', 'PCS_INBOUND_REALM', 'PCS_INBOUND_SECRET'];
    missing.push({ names, unjudged: 'the inbound credential of the carrier connection is replaced and not put back' });
  }
  return missing;
}
