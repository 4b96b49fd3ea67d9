/** The register of a programme: which version of the suite it accepts, and which certificates expire or were withdrawn. */

/** A register as its file holds it (schemas/register.schema.json). Days are in UTC: `2026-01-31`. */
export interface Register {
  readonly format: 'pcs-conformance/register@1';
  /** The oldest version of the suite that the programme accepts. */
  readonly minimumVersion?: string;
  /** Certificates by the SHA-256 of their manifest.json. */
  readonly certificates: Readonly<Record<string, Entry>>;
}

interface Entry {
  /** The last day on which it is in force. */
  readonly expires?: string;
  readonly withdrawn?: { readonly day: string; readonly reason: string };
}

/** What a register says of a certificate; `problem` says why it is not in force. */
export interface Standing extends Entry {
  readonly problem?: string;
}

/** A version for comparison; what follows its third number does not count. */
const placeOf = (version: string): string =>
  version
    .split(/[.+-]/, 3)
    .map((number) => number.padStart(6, '0'))
    .join('.');

/** What the register says on that day of the certificate with that manifest, made by that version of the suite. */
export function standingOf(
  { minimumVersion, certificates }: Register,
  manifest: string,
  version: string,
  day: string,
): Standing {
  const own = Object.hasOwn(certificates, manifest) ? (certificates[manifest] ?? {}) : {};
  const { expires, withdrawn } = own;
  const isOld = minimumVersion !== undefined && placeOf(version) < placeOf(minimumVersion);
  if (withdrawn !== undefined) return { ...own, problem: `it was withdrawn on ${withdrawn.day}: ${withdrawn.reason}` };
  if (expires !== undefined && expires < day) return { ...own, problem: `it expired on ${expires}` };
  if (!isOld) return own;
  return { ...own, problem: `it was made by version ${version}, and the programme accepts ${minimumVersion} or later` };
}
