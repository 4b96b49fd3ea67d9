/** What a record says of an answer more than once: a fact that was changed alone contradicts the others. */

import { isSuccess } from '../contract/statuses.ts';
import { DigestBook, ownDigest } from '../exchange/digest.ts';
import type { Exchange, Learned, RecordedBody, RecordedLeak, RecordedResponse } from '../exchange/exchange.ts';
import { bodyFacts, holdsPlaceholder, WHOLE_TEXT_BYTES } from '../exchange/facts.ts';

/** Every body that is cut short is at least so long. */
const LEAST_OF_CUT = 65_536;

/**
 * Digests are made under a key that is gone, so a value has a name of its own in their place: one for the same bytes,
 * whether they are a whole body or a value in it.
 */
const nameOf = (data: Uint8Array | string): string => ownDigest(data) ?? `=${Buffer.from(data).toString('base64')}`;

const KINDS: readonly (readonly [label: RegExp, kind: RecordedLeak['secret'], isShort: boolean])[] = [
  [/credential$/, 'credential', false],
  [/^inbound secret$/, 'inbound-secret', false],
  [/^configured inbound secret$/, 'inbound-secret', true],
  [/^header /, 'gateway-header', true],
  [/^token in /, 'url-token', true],
];

/** The kinds of secret that a redacted text leaks. A short one may stand as a whole string by chance. */
function leakedIn(text: string): readonly RecordedLeak['secret'][] {
  const found = [...text.matchAll(/("?)⟦([^⟦⟧,]*)(?:, ([^⟦⟧]*))?⟧("?)/g)];
  return found.flatMap(([, before, label = '', details = '', after]) => {
    const [, kind, isShort] = KINDS.find(([known]) => known.test(label)) ?? [];
    const isWhole = (before === '"' && after === '"') || text.length === label.length + 2;
    const isChance = isShort === true && details === '' && isWhole;
    return kind === undefined || details.endsWith('in part') || isChance ? [] : [kind];
  });
}

function contradictingLeak({ headers, body, leaks }: RecordedResponse): string | null {
  const places = [
    ['header', headers.map(([name, value]) => `${name}: ${value}`)],
    ['body', [body?.text ?? '']],
  ] as const;
  const [missing] = places.flatMap(([where, texts]) =>
    texts.flatMap(leakedIn).filter((kind) => !leaks.some((one) => one.secret === kind && one.where === where)),
  );
  return missing === undefined ? null : `a ${missing} stands in it, and no leak`;
}

/** Whether the text of a body holds all of its bytes. */
const isWhole = (body: RecordedBody): body is RecordedBody & { readonly text: string } =>
  body.text !== undefined && body.utf8 && body.pruned !== true && !holdsPlaceholder(body);

const withoutDigests = ({ digest: _, mentions, members, ...rest }: RecordedBody, watched: boolean): string =>
  JSON.stringify([
    Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)),
    watched ? mentions : [],
    members.map(({ pointer, type, value }) => [pointer, type, value]),
  ]);

/** Compares the facts of a record with each other. */
export class AnswerFacts {
  readonly #book = new DigestBook();
  readonly #watch: ReadonlyMap<string, string>;

  /** `watch`: the ids whose mentions are recorded, each with its label. */
  constructor(watch: ReadonlyMap<string, string>) {
    this.#watch = watch;
  }

  /** The first contradiction of an exchange, as a clause, or `null`. */
  contradictionIn({ request, response, tag }: Exchange): string | null {
    const asked = request.body === null ? null : this.#inWhole(request.body, false);
    if (asked !== null || response === null) return asked;
    return (
      contradictingLeak(response) ??
      this.#inBody(response) ??
      this.#inLearned(response.learned, response.body) ??
      (tag.operation === 'createCall' && isSuccess(response.status) && response.learned?.create === 'rejected'
        ? 'a call that was created counts as rejected'
        : null)
    );
  }

  #inBody({ status, body }: RecordedResponse): string | null {
    if (body === null) return null;
    if ((body.text === undefined) !== isSuccess(status)) return 'texts are kept of errors alone, and of each of them';
    if (body.cut === true) return body.length >= LEAST_OF_CUT ? null : 'it was cut short without being long';
    const isLong = body.length > WHOLE_TEXT_BYTES;
    if (body.text !== undefined && (body.pruned === true) !== isLong)
      return 'its text was shortened without being long';
    return this.#inWhole(body, true);
  }

  /** The facts of a body follow from its text. */
  #inWhole(body: RecordedBody, isAnswer: boolean): string | null {
    if (!isWhole(body)) return null;
    const same = (text: string): string => text;
    const how = { keepText: true, keepWhole: true, redact: same, digest: nameOf, watch: this.#watch };
    const facts = bodyFacts(Buffer.from(body.text), how);
    if (withoutDigests(facts, isAnswer) !== withoutDigests(body, isAnswer))
      return 'its facts do not follow from its text';
    // The digest of a request without a secret needs no key; the rerun computes it.
    const pairs = isAnswer ? [[body.digest, facts.digest] as const] : [];
    const members = body.members.map((one, at) => [one.digest, facts.members[at]?.digest] as const);
    const holds = [...pairs, ...members].every(([digest, value]) =>
      this.#book.standsFor(digest ?? null, value ?? null),
    );
    return holds ? null : 'its digests do not follow from its text';
  }

  /** What was learned of a body agrees with the type and the digest of the member that it comes from. */
  #inLearned(learned: Learned | undefined, body: RecordedBody | null): string | null {
    for (const [name, value] of Object.entries(learned?.fields ?? {})) {
      const own = (body?.members ?? []).filter(({ pointer }) => pointer.endsWith(`/${name}`));
      const [only, ...more] = own;
      if (only === undefined || more.length > 0 || only.pointer.includes('/-')) continue;
      const holds =
        typeof value === 'boolean'
          ? only.value === value
          : this.#book.standsFor(only.digest ?? null, nameOf(JSON.stringify(value)));
      if (!holds) return `its member ${name} is not what was learned`;
    }
    return null;
  }
}
