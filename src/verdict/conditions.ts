/** The conditions of a run: what decides what a target is asked and how it is reached, made once for all readers. */

import { grouped } from '../contract/lists.ts';
import { OPTIONAL_SETTINGS, QUERY_SETTINGS, READ_BY_ID, RUN_DEFAULTS } from '../contract/settings.ts';
import { CREDENTIAL_FORMS, settingOf } from '../exchange/credential-forms.ts';
import { canonicalJson, sha256 } from '../exchange/digest.ts';
import { type RunRecord, requirementOf } from './record.ts';
import type { CaseResult } from './results.ts';

/** A condition unless the value is the usual one: `waiting for a response: 60 s instead of 10 s`. */
const unless = (what: string, value: number, usual: number, unit = ''): readonly string[] =>
  value === usual ? [] : [`${what}: ${grouped(value)}${unit} instead of ${grouped(usual)}${unit}`];

const timeCondition = (what: string, value: number, usual: number): readonly string[] =>
  unless(what, value / 1000, usual / 1000, ' s');

/** The settings given for a case that no accepted request confirms: they may be made up. */
function unshownIn(cases: readonly CaseResult[]): readonly string[] {
  return cases.flatMap(({ id, unanswered = [] }) => {
    const names = [...new Set(unanswered.flatMap(({ unshown = [] }) => unshown))];
    return names.length === 0 ? [] : [`given for ${id}, and shown by no accepted request: ${names.join(', ')}`];
  });
}

const INBOUND_PARTS = ['method', 'username', 'realm', 'secret'] as const;
const inboundSetting = (part: (typeof INBOUND_PARTS)[number]): string => `PCS_INBOUND_${part.toUpperCase()}`;
const READ_ONLY_SETTINGS = Object.keys(READ_BY_ID);

const isRevokedAlive = ({ id, verdict }: CaseResult): boolean =>
  requirementOf(id) === 'AUTH-REVOKED' && verdict === 'fail';

/** The conditions of a run as phrases: what it was, what was left out or added, and how the target was reached. */
export function conditionsOf(
  { header, inputs, skipped = [] }: Pick<RunRecord, 'header' | 'inputs'> & Partial<Pick<RunRecord, 'skipped'>>,
  cases: readonly CaseResult[] = [],
): readonly string[] {
  const { suite, profile, without, only, seed, explore, strict, settings } = header;
  const { maxRequests, maxCalls, rate, queries, samples, reach = [] } = inputs;
  // A secret of digits has no other letter case, and one without a prefix no other prefix.
  const set = [...settings, ...INBOUND_PARTS.filter((part) => inputs.inbound[part] !== undefined).map(inboundSetting)];
  const usual = [
    ...OPTIONAL_SETTINGS,
    ...(profile === 'full' ? INBOUND_PARTS.map(inboundSetting) : READ_ONLY_SETTINGS),
  ];
  const unset = usual.filter((name) => !set.includes(name));
  const slow = skipped.filter(({ why }) => why === 'rate').map(({ sequence }) => sequence);
  const lacking = CREDENTIAL_FORMS.filter((form) => settingOf(form) === undefined && !inputs.forms.includes(form));
  return [
    `${suite.name} ${suite.version}, profile ${profile}, seed ${seed}`,
    ...(header.reference === true ? ['the target is the reference service of this suite'] : []),
    `at most ${grouped(maxRequests)} requests and ${grouped(maxCalls)} calls`,
    ...without.map((operation) => `without ${operation}`),
    ...only.map((name) => `only ${name}`),
    ...(strict ? ['warnings count as failures'] : []),
    ...unless('requests of exploration', explore, RUN_DEFAULTS.explore),
    ...(inputs.path === undefined ? [] : [`only walk ${inputs.path} of the exploration`]),
    ...(unset.length === 0 ? [] : [`not set: ${unset.join(', ')}`]),
    ...unshownIn(cases),
    // A made-up credential is rejected just like a revoked one; a failing case shows that it is still valid.
    ...(set.includes('PCS_REVOKED_ACCESS_TOKEN') && !cases.some(isRevokedAlive)
      ? ['no response shows that PCS_REVOKED_ACCESS_TOKEN was ever valid']
      : []),
    ...lacking.map((form) => `no form "${form}" of the credential, which has no such variation`),
    ...(inputs.callIdPointer === undefined ? [] : [`the id of a call read from ${inputs.callIdPointer}`]),
    ...(inputs.voiceUrl === undefined ? [] : [`the voice URL ${inputs.voiceUrl}`]),
    ...Object.entries(samples).map(([id, body]) => `a sample body for ${id} (sha256:${sha256(canonicalJson(body))})`),
    ...Object.entries(QUERY_SETTINGS).flatMap(([id, name]) => {
      const query = queries[id as keyof typeof QUERY_SETTINGS];
      return query === undefined ? [] : [`${name}=${query}`];
    }),
    ...inputs.gatewayHeaders.map((name) => {
      const what = /^user-agent$/i.test(name) ? 'in place of that of the suite' : 'added to each request';
      return `the header field ${name} ${what}`;
    }),
    ...reach,
    ...(rate === 0
      ? []
      : [`at most ${grouped(rate)} requests a second, spaced out unless a question needs simultaneous requests`]),
    ...(slow.length === 0 ? [] : [`left out because of that rate: ${slow.join(', ')}`]),
    ...timeCondition('pause between invalid credentials', inputs.credentialPause ?? 0, RUN_DEFAULTS.credentialPause),
    ...timeCondition('waiting in all', inputs.maxWait, RUN_DEFAULTS.maxWait),
    ...timeCondition('waiting for a response', inputs.timeout, RUN_DEFAULTS.timeout),
    ...timeCondition('waiting for the response to create call', inputs.callTimeout, RUN_DEFAULTS.callTimeout),
    `set: ${set.join(', ')}`,
  ];
}
