/** The register of a programme: which certificates are in force. */

/** A register as its file holds it (schemas/register.schema.json). Days are in UTC: `2026-01-31`. */
export interface Register {
  readonly format: 'pcs-conformance/register@1';
  /** The oldest version of the suite that the programme accepts. */
  readonly minimumVersion?: string;
  /** Certificates by the SHA-256 of their manifest.json. */
  readonly certificates: Readonly<Record<string, Omit<Standing, 'problem'>>>;
}

/** What a register says of a certificate. */
export interface Standing {
  /** The last day on which it is in force. */
  readonly expires?: string;
  readonly withdrawn?: { readonly day: string; readonly reason: string };
  /** Why it is not in force. */
  readonly problem?: string;
}

/** What the register says on a day of the certificate with that manifest, made by that version of the suite. */
export function standingOf(register: Register, day: string, manifest: string, version: string): Standing {
  const { minimumVersion = '', certificates } = register;
  const own = certificates[manifest] ?? {};
  const { expires, withdrawn } = own;
  if (withdrawn !== undefined) return { ...own, problem: `it was withdrawn on ${withdrawn.day}: ${withdrawn.reason}` };
  if (expires !== undefined && expires < day) return { ...own, problem: `it expired on ${expires}` };
  if (version.localeCompare(minimumVersion, 'en', { numeric: true }) >= 0) return own;
  return { ...own, problem: `it was made by version ${version}, and the programme accepts ${minimumVersion} or later` };
}
