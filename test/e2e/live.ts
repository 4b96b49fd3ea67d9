/** The reference service on a socket, for tests of the command against it. */

import { createReference, type Reference, type ReferenceOptions } from '../../fixtures/service/reference.ts';
import { type ListenOptions, listen } from '../../fixtures/service/serve.ts';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';

/** A service that listens, the reference behind it and the settings of a run against it. */
export interface Live {
  readonly reference: Reference;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How the service is put up; `wrap` stands between the socket and the reference. */
export interface LiveOptions {
  readonly reference?: ReferenceOptions;
  readonly listen?: ListenOptions;
  readonly wrap?: (service: Service, reference: Reference) => Service;
}

/** Puts up a service, works with it and takes it down. */
export async function live<T>(options: LiveOptions, work: (live: Live) => Promise<T>): Promise<T> {
  const reference = createReference(options.reference);
  const service = options.wrap?.(reference.service, reference) ?? reference.service;
  const listening = await listen(service, options.listen);
  const env = { ...reference.settings, PCS_BASE_URL: listening.url } as Readonly<Record<string, string>>;
  try {
    return await work({ reference, url: listening.url, env });
  } finally {
    await listening.close();
  }
}

/** An error in the envelope. */
export function enveloped(status: number, headers: ServiceReply['headers'] = []): ServiceReply {
  const body = JSON.stringify({ success: false, error: { code: 'no', message: 'no' } });
  return { status, headers: [['Content-Type', 'application/json'], ...headers], body };
}

/** Resolves once the condition holds; it is looked at every few milliseconds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
