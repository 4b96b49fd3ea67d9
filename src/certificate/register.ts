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

const numbersOf = (version: string): readonly number[] => version.split(/[.+-]/, 3).map(Number);

/** Whether a version is older than another one; what follows the third number does not count. */
function isOlder(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  const at = a.findIndex((number, place) => number !== b[place]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/** What the register says on that day of the certificate with that manifest, made by that version of the suite. */
export function standingOf(
  { minimumVersion, certificates }: Register,
  manifest: string,
  version: string,
  day: string,
): Standing {
  const own = Object.hasOwn(certificates, manifest) ? (certificates[manifest] ?? {}) : {};
  const { expires, withdrawn } = own;
  const problems = [
    withdrawn && `it was withdrawn on ${withdrawn.day}: ${withdrawn.reason}`,
    expires !== undefined && expires < day && `it expired on ${expires}`,
    minimumVersion !== undefined &&
      isOlder(version, minimumVersion) &&
      `it was made by version ${version}, and the programme accepts ${minimumVersion} or later`,
  ];
  const problem = problems.find((one) => typeof one === 'string');
  return { ...own, ...(problem === undefined ? {} : { problem }) };
}
