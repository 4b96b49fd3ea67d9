/** What was redacted in a record: only what this run can have known, and never without the leak that it is. */

import { ownDigest } from '../exchange/digest.ts';
import type { Exchange, RecordedBody, RecordedLeak, RecordedResponse } from '../exchange/exchange.ts';
import type { BundledRecord } from './bundle-files.ts';

/**
 * Digests are made under a key that is gone, so a value has a name of its own in their place: one for the same bytes,
 * whether they are a whole body or a value in it.
 */
export const nameOf = (data: Uint8Array | string): string =>
  ownDigest(data) ?? `=${Buffer.from(data).toString('base64')}`;

/** What stands in place of a secret; no bracket is looked at twice, however many there are. */
const PLACEHOLDER = /("?)⟦([^⟦⟧]*)(⟧?)("?)/g;
const PART = ', in part';
const isInPart = (inside = ''): boolean => inside.endsWith(PART);
const WRITTEN = new Set(['percent-encoded', 'JSON-escaped', 'HTML-escaped', 'hex', 'base64', 'base64url']);

/** A secret by the label of its placeholders; `mayBeShort`: by chance, a whole text may be the same. */
interface Labelled {
  readonly kind: RecordedLeak['secret'];
  readonly mayBeShort: boolean;
}

/** The secrets that this run can have had, by label. Nothing else is ever redacted from a text. */
function labelsOf({ header, inputs }: Pick<BundledRecord, 'header' | 'inputs'>): ReadonlyMap<string, Labelled> {
  const has = (name: string): boolean => header.settings.includes(name);
  const holdsToken = (text: string | undefined): boolean => text?.includes('⟦') === true;
  const gateway = inputs.gatewayHeaders.map((name) => `header ${name}`.replace(/[^\p{L}\p{N} -]/gu, ''));
  const labels: readonly (readonly [label: string, isThere: boolean, Labelled['kind'], mayBeShort: boolean])[] = [
    ['credential', true, 'credential', false],
    ['other organizations credential', has('PCS_OTHER_ORG_ACCESS_TOKEN'), 'credential', false],
    ['revoked credential', has('PCS_REVOKED_ACCESS_TOKEN'), 'credential', false],
    ['inbound secret', true, 'inbound-secret', false],
    ['configured inbound secret', inputs.inbound.secret !== undefined, 'inbound-secret', true],
    ...gateway.map((label) => [label, true, 'gateway-header', true] as const),
    ['token in the base URL', holdsToken(header.target), 'url-token', true],
    ['token in the voice URL', holdsToken(inputs.voiceUrl), 'url-token', true],
    ['token in a list query', holdsToken(JSON.stringify(inputs.queries)), 'url-token', true],
  ];
  const known = labels.filter(([, isThere]) => isThere);
  return new Map(known.map(([label, , kind, mayBeShort]) => [label, { kind, mayBeShort }]));
}

/** Fields whose whole value is left out, whatever it holds; what it leaks follows. */
const LEFT_OUT = /^(?:(?:proxy-)?authorization: ⟦authorization⟧|(?:set-)?cookie: ⟦cookie⟧)/i;

/** A text of an answer: a field, the pointer of a member, or the text of the body. */
interface Shown {
  readonly where: RecordedLeak['where'];
  readonly text: string;
  readonly isPointer?: boolean;
  readonly body?: RecordedBody;
}

function shownIn({ headers, body }: RecordedResponse): readonly Shown[] {
  const shownField = (name: string, value: string): string =>
    `${name}: ${value}`.replace(LEFT_OUT, (field) => field.slice(0, field.indexOf('⟦')));
  const fields = headers.map(([name, value]) => ({ where: 'header' as const, text: shownField(name, value) }));
  const where = 'body';
  const pointers = (body?.members ?? []).map(({ pointer }) => ({ where, text: pointer, isPointer: true }) as const);
  return [...fields, ...pointers, ...(body?.text === undefined ? [] : [{ where, text: body.text, body } as const])];
}

/** Compares what stands in place of secrets with the leaks of a record. */
export class RedactedTexts {
  readonly #labels: ReadonlyMap<string, Labelled>;
  /** Digests of the secrets that requests carry as a whole value, each with its label. */
  readonly #secrets = new Map<string, string>();

  constructor(record: Pick<BundledRecord, 'header' | 'inputs'>) {
    this.#labels = labelsOf(record);
  }

  /** A request shows which digest stands for a secret; `facts` are those of its text, with placeholders. */
  noteSecrets({ members }: RecordedBody, facts: RecordedBody): void {
    const names = new Map([...this.#labels.keys()].map((label) => [nameOf(JSON.stringify(`⟦${label}⟧`)), label]));
    for (const [at, { digest = '', pointer }] of facts.members.entries()) {
      const [label, recorded] = [names.get(digest), members[at]];
      if (label !== undefined && recorded?.digest !== undefined && recorded.pointer === pointer)
        this.#secrets.set(recorded.digest, label);
    }
  }

  /** The first contradiction of an answer: each placeholder has the label of a secret of the run, and is a leak. */
  contradictionIn(response: RecordedResponse): string | null {
    const { leaks, body } = response;
    const isLeak = (kind: string, where: string): boolean =>
      leaks.some((one) => one.secret === kind && one.where === where);
    for (const shown of shownIn(response)) {
      for (const found of shown.text.matchAll(PLACEHOLDER)) {
        const kind = this.#leakedBy(found, shown, body);
        if (kind === undefined) return `${JSON.stringify(`⟦${found[2]}${found[3]}`)} stands for no secret of this run`;
        if (kind !== null && !isLeak(kind, shown.where)) return `a ${kind} stands in it, and no leak`;
      }
    }
    // A configured secret may be too short for a leak.
    const isMissing = this.#isIn(body, 'inbound secret') && !isLeak('inbound-secret', 'body');
    return isMissing ? 'the inbound secret stands in it, by its digest, and no leak' : null;
  }

  /** The kind of secret that a placeholder leaks, `null` for none, `undefined` where it is not one of ours. */
  #leakedBy(
    [, before, inside = '', end, after]: RegExpMatchArray,
    { text, body: own, isPointer }: Shown,
    body: RecordedBody | null,
  ): Labelled['kind'] | null | undefined {
    // A text that was shortened may end within one.
    if (end === '') return own?.pruned === true ? null : undefined;
    if (isPointer === true && inside === 'name') return null;
    if (own?.utf8 === false && /^byte [0-9a-f]{2}$/.test(inside)) return null;
    const [label = '', ...details] = inside.split(', ');
    const known = this.#labels.get(label);
    const isPart = isInPart(inside);
    const written = isPart ? details.slice(0, -1) : details;
    if (known === undefined || written.length > 1) return undefined;
    if (written.some((encoding) => encoding.split(' ').some((word) => !WRITTEN.has(word)))) return undefined;
    if (isPart) return null;
    if (!known.mayBeShort || details.length > 0) return known.kind;
    // A short secret may stand as a whole string by chance; that of a body has its digest beside it.
    const isString = before === '"' && after === '"';
    if (label === 'configured inbound secret') return isString && this.#isIn(body, label) ? null : known.kind;
    return isString || isPointer === true || /^(?:[^:]*: )?⟦[^⟦⟧]*⟧$/.test(text) ? null : known.kind;
  }

  /** Whether a member of a body is a secret, by its digest. */
  #isIn(body: RecordedBody | null, label: string): boolean {
    return body?.members.some(({ digest = '' }) => this.#secrets.get(digest) === label) === true;
  }
}

/** Its echo holds one half of the credential. */
const HALF: Exchange['request']['credential'] = 'middle-changed';

/** What nothing else in a record confirms, as a clause, or `null`: that a secret stands in an answer in part only. */
export function unwitnessed({ request, response }: Exchange): string | null {
  const texts = response === null || request.credential === HALF ? [] : shownIn(response);
  const isPart = texts.some(({ text }) => [...text.matchAll(PLACEHOLDER)].some(([, , inside]) => isInPart(inside)));
  return isPart
    ? 'it says that a part of a secret stands in it, and only a witness (--witness) can confirm that'
    : null;
}
