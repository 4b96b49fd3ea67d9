/** The inputs that decide the requests of a run, without secrets: with them a record can be run again. */

import { carry } from '../client/credential.ts';
import type { CredentialForm } from '../exchange/exchange.ts';
import type { RunInputs } from '../verdict/record.ts';
import type { RunOptions } from './options.ts';

/** Stands for the configured inbound secret in the record. */
export const CONFIGURED_SECRET = '⟦configured inbound secret⟧';

const FORMS: readonly CredentialForm[] = [
  ...(['valid', 'none', 'empty-bearer', 'basic', 'other-scheme', 'bare', 'wrong-secret', 'truncated'] as const),
  ...(['suffixed', 'unprefixed', 'case-changed', 'revoked', 'query', 'wrong-prefix'] as const),
  ...(['lower-case-scheme', 'other-organization'] as const),
];

/** What decides the requests of a run with these options, without its secrets. */
export function inputsOf(
  options: RunOptions,
  redact: (text: string) => string,
  gatewayHeaders: readonly string[] = [],
  sequences?: readonly string[],
): RunInputs {
  const { numbers, ringingCallId, resources, inbound, availableNumbersQuery, samples, path, drawnOrder } = options;
  const { secret, ...known } = inbound;
  return {
    numbers,
    ...(ringingCallId === undefined ? {} : { ringingCallId }),
    resources,
    inbound: { ...known, ...(secret === undefined ? {} : { secret: CONFIGURED_SECRET }) },
    ...(availableNumbersQuery === undefined ? {} : { availableNumbersQuery: redact(availableNumbersQuery) }),
    samples: JSON.parse(redact(JSON.stringify(samples))),
    ...(path === undefined ? {} : { path }),
    maxRequests: options.maxRequests,
    maxCalls: options.maxCalls,
    caseHeader: options.caseHeader,
    ...(drawnOrder === undefined ? {} : { drawnOrder }),
    forms: FORMS.filter((form) => carry(form, options.credentials) !== null),
    gatewayHeaders,
    ...(sequences === undefined ? {} : { sequences }),
  };
}
