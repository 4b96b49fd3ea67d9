/** The inputs that decide the requests of a run, without secrets: with them a record can be run again. */

import { carry } from '../client/credential.ts';
import type { Place } from '../client/request.ts';
import { isUpdate, type OperationId } from '../contract/operations.ts';
import { CREDENTIAL_FORMS } from '../exchange/credential-forms.ts';
import { isObject } from '../exchange/json-text.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import type { RunHeader, RunInputs } from '../verdict/record.ts';
import { type RunOptions, settingsPresent } from './options.ts';
import type { Facts } from './state.ts';

/** Stands for the configured inbound secret in the record. */
const CONFIGURED_SECRET = '⟦configured inbound secret⟧';

const SAMPLE_SECRET = '⟦secret of the sample⟧';

/** The secret of a sample is never sent, so nothing depends on it. */
function withoutSecret(samples: RunOptions['samples']): RunOptions['samples'] {
  const { setInboundAuth: sample } = samples;
  if (!isObject(sample) || sample['secret'] === undefined) return samples;
  return { ...samples, setInboundAuth: { ...sample, secret: SAMPLE_SECRET } };
}

/** What is decided before the first request of a run with these options. */
export function headerOf(options: RunOptions, version: string): RunHeader {
  const { profile, without, only, strict, requireComplete, seed, explore, exploreTime, shard } = options;
  const suite = { name: 'pcs-conformance', version };
  const target = shownUrl(options.baseUrl);
  const header = {
    ...{ suite, target, profile, without, only, strict, seed, explore },
    ...(requireComplete === true ? { requireComplete } : {}),
    ...(exploreTime === undefined ? {} : { exploreTime }),
    ...(shard === undefined ? {} : { shard }),
    settings: settingsPresent(options),
  };
  return carry('unprefixed', options.credentials) === null ? { ...header, malformedCredential: true } : header;
}

/** What decides the requests of a run with these options, without its secrets. */
export function inputsOf(
  options: RunOptions,
  redact: (text: string) => string,
  gatewayHeaders: readonly string[] = [],
  sequences?: readonly string[],
): RunInputs {
  const { numbers, ringingCallId, callIdPointer, resources, inbound, queries, voiceUrl, samples, path, drawnOrder } =
    options;
  const { secret, ...known } = inbound;
  return {
    numbers,
    ...(ringingCallId === undefined ? {} : { ringingCallId }),
    ...(callIdPointer === undefined ? {} : { callIdPointer }),
    resources,
    inbound: { ...known, ...(secret === undefined ? {} : { secret: CONFIGURED_SECRET }) },
    queries: JSON.parse(redact(JSON.stringify(queries))),
    ...(voiceUrl === undefined ? {} : { voiceUrl: redact(voiceUrl) }),
    samples: JSON.parse(redact(JSON.stringify(withoutSecret(samples)))),
    ...(path === undefined ? {} : { path }),
    maxRequests: options.maxRequests,
    maxCalls: options.maxCalls,
    timeout: options.timeout,
    callTimeout: options.callTimeout,
    caseHeader: options.caseHeader,
    ...(drawnOrder === undefined ? {} : { drawnOrder }),
    forms: CREDENTIAL_FORMS.filter((form) => carry(form, options.credentials) !== null),
    gatewayHeaders,
    ...(sequences === undefined ? {} : { sequences }),
  };
}

/** What an operation changes, with the values before the run: for the journal, without the secret. */
export function valuesBefore(
  id: OperationId | null,
  { trunk, application, assignment }: Facts,
  { inbound: { secret, ...inbound } }: Pick<RunOptions, 'inbound'>,
): Pick<Place, 'before'> {
  if (!isUpdate(id)) return {};
  const known = Object.entries({ ...inbound, ...(secret === undefined ? {} : { secret: CONFIGURED_SECRET }) });
  const values = {
    updateTrunk: trunk,
    updateVoiceApplication: application,
    setInboundAuth: Object.fromEntries(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    assignNumber: assignment === undefined ? undefined : { carrier_connection_id: assignment },
  };
  const before = values[id];
  return before === undefined ? {} : { before };
}
