/** The built-in reference service, put up on an address of this machine. */

/** A reference service that listens. */
export interface StartedReference {
  readonly url: string;
  /** What a run against it needs, by variable; the address is not among them. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly close: () => Promise<void>;
}

/** Starts it; port 0 is any free one. Loaded only when it is needed. */
export async function startReference(address: {
  readonly host: string;
  readonly port: number;
}): Promise<StartedReference> {
  const { createReference } = await import('../../fixtures/service/reference.ts');
  const { listen } = await import('../../fixtures/service/serve.ts');
  const { service, settings } = createReference({ now: Date.now });
  return { ...(await listen(service, address)), settings: { ...settings } };
}
