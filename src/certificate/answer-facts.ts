/**
 * What a record says of an answer more than once: a fact that was changed alone contradicts the others. What was redacted
 * is only what this run can have known, and never without the leak that it is.
 */

import { FIELDS, HOLDERS, subjectOf } from '../client/learned.ts';
import type { OperationId } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { isSuccess } from '../contract/statuses.ts';
import { DigestBook, ownDigest } from '../exchange/digest.ts';
import {
  type Exchange,
  endOf,
  type RecordedBody,
  type RecordedLeak,
  type RecordedResponse,
} from '../exchange/exchange.ts';
import { bodyFacts, holdsPlaceholder, WHOLE_TEXT_BYTES } from '../exchange/facts.ts';
import { headerValue } from '../exchange/message.ts';
import { encodeText } from '../exchange/texts.ts';
import { recordedOptions, watchedIds } from '../run/options.ts';
import type { BundledRecord } from './bundle-files.ts';

/**
 * Digests are made under a key that is gone, so a value has a name of its own in their place: one for the same bytes,
 * whether they are a whole body or a value in it.
 */
const nameOf = (data: Uint8Array | string): string => ownDigest(data) ?? `=${Buffer.from(data).toString('base64')}`;

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
  readonly at: 'field' | 'pointer' | 'text';
  readonly text: string;
}

function shownIn({ headers, body }: RecordedResponse): readonly Shown[] {
  const known = (field: string): string => field.replace(LEFT_OUT, (found) => found.slice(0, found.indexOf('⟦')));
  return [
    ...headers.map(([name, value]) => ({ at: 'field', text: known(`${name}: ${value}`) }) as const),
    ...(body?.members ?? []).map(({ pointer }) => ({ at: 'pointer', text: pointer }) as const),
    ...(body?.text === undefined ? [] : [{ at: 'text', text: body.text } as const]),
  ];
}

/** Compares what stands in place of secrets with the leaks of a record. */
class RedactedTexts {
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
        const isThere = kind === null || isLeak(kind, shown.at === 'field' ? 'header' : 'body');
        if (!isThere) return `the ${kind} stands in it, and no leak`;
      }
    }
    // A configured secret may be too short for a leak.
    const isMissing = this.#isIn(body, 'inbound secret') && !isLeak('inbound-secret', 'body');
    return isMissing ? 'the inbound secret stands in it, by its digest, and no leak' : null;
  }

  /** The kind of secret that a placeholder leaks, `null` for none, `undefined` where it is not one of ours. */
  #leakedBy(
    [, before, inside = '', end, after]: RegExpMatchArray,
    { at, text }: Shown,
    body: RecordedBody | null,
  ): Labelled['kind'] | null | undefined {
    // A text that was shortened may end within one.
    if (end === '') return at === 'text' && body?.pruned === true ? null : undefined;
    if (at === 'pointer' && inside === 'name') return null;
    if (at === 'text' && body?.utf8 === false && /^byte [0-9a-f]{2}$/.test(inside)) return null;
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
    return isString || at === 'pointer' || /^(?:[^:]*: )?⟦[^⟦⟧]*⟧$/.test(text) ? null : known.kind;
  }

  /** Whether a member of a body is a secret, by its digest. */
  #isIn(body: RecordedBody | null, label: string): boolean {
    return body?.members.some(({ digest = '' }) => this.#secrets.get(digest) === label) === true;
  }
}

/** Every body that is cut short is at least so long. */
const LEAST_OF_CUT = 65_536;

/** A member of a record, wherever an answer may hold one. */
const IN_RECORD = new RegExp(`^(?:/(?:${HOLDERS.join('|')})){0,5}/[^/]+$`);

const same = (text: string): string => text;

const isDigits = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);

/** Whether the text of a body holds all of its bytes. */
const isWhole = (body: RecordedBody): body is RecordedBody & { readonly text: string } =>
  body.text !== undefined && body.pruned !== true && !holdsPlaceholder(withoutBytes(body));

/** Bytes that are not UTF-8 stand as placeholders of their own, which hide nothing. */
const withoutBytes = (body: RecordedBody): RecordedBody =>
  body.utf8 || body.text === undefined ? body : { ...body, text: body.text.replace(/⟦byte [0-9a-f]{2}⟧/g, '') };

const withoutDigests = ({ digest: _, mentions, members, ...rest }: RecordedBody, watched: boolean): string =>
  JSON.stringify([
    Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)),
    watched ? mentions : [],
    members.map(({ pointer, type, value }) => [pointer, type, value]),
  ]);

const ASSIGNMENT = /\/-\/carrier_connection(?:_id)?$/;

/** Compares the facts of a record with each other. */
export class AnswerFacts {
  readonly #book = new DigestBook();
  readonly #redacted: RedactedTexts;
  /** The ids whose mentions are recorded, each with its label. */
  readonly #watch: ReadonlyMap<string, string>;
  /** What is said of a body, by its digest. */
  readonly #bodies = new Map<string, string>();
  #showsAssignment = false;

  constructor(record: BundledRecord) {
    this.#redacted = new RedactedTexts(record);
    this.#watch = watchedIds(recordedOptions(record));
    for (const { body } of record.exchanges.map(({ request }) => request)) {
      if (body?.text !== undefined && holdsPlaceholder(body))
        this.#redacted.noteSecrets(body, this.#factsOf({ ...body, text: body.text }));
    }
  }

  /** The first contradiction of an exchange, as a clause, or `null`. */
  contradictionIn({ request, response, tag }: Exchange): string | null {
    const asked = request.body === null ? null : this.#inWhole(request.body, false);
    if (asked !== null || response === null) return asked;
    return (
      this.#inLength(response, request.method) ??
      this.#inBody(response) ??
      this.#inLearned(response, subjectOf({ ...request, operation: tag.operation as OperationId | null })) ??
      (tag.operation === 'listNumbers' ? this.#inAssignment(response) : null) ??
      (tag.operation === 'createCall' && isSuccess(response.status) && response.learned?.create === 'rejected'
        ? 'a call that was created counts as rejected'
        : null)
    );
  }

  /** What stands in place of secrets without being one of this run, or a leak, as a clause, or `null`. */
  unexplainedIn({ response }: Exchange): string | null {
    return response === null ? null : this.#redacted.contradictionIn(response);
  }

  #factsOf(body: RecordedBody & { readonly text: string }): RecordedBody {
    const how = { keepText: true, keepWhole: true, redact: same, digest: nameOf, watch: this.#watch };
    return bodyFacts(encodeText(body.text, body.utf8), how);
  }

  /** A length that the target announced is that of the body, unless a coding was removed. */
  #inLength({ headers, status, body }: RecordedResponse, method: string): string | null {
    const announced = headers.filter(([name]) => name.toLowerCase() === 'content-length');
    const [, length] = announced[0] ?? [];
    const isOther = ['content-encoding', 'transfer-encoding'].some((name) => headerValue(headers, name) !== undefined);
    const isEmpty = method === 'HEAD' || status === 204 || status === 304;
    if (announced.length !== 1 || !isDigits(length) || isOther || isEmpty) return null;
    const found = body?.length ?? 0;
    const holds = body?.cut === true ? Number(length) > found : Number(length) === found;
    return holds ? null : `its Content-Length is ${length}, and its body has ${found} bytes`;
  }

  #inBody({ status, body, leaks }: RecordedResponse): string | null {
    if (body === null) return null;
    if ((body.text === undefined) !== isSuccess(status)) return 'texts are kept of errors alone, and of each of them';
    const { digest, cut, text, ...facts } = body;
    const said = JSON.stringify([facts, text, leaks.filter(({ where }) => where === 'body')]);
    const key = `${digest} ${cut} ${text === undefined}`;
    if ((this.#bodies.get(key) ?? said) !== said) return 'another answer with the same body says something else of it';
    this.#bodies.set(key, said);
    if (cut === true && body.length < LEAST_OF_CUT) return 'it was cut short without being long';
    const isLong = body.length > WHOLE_TEXT_BYTES;
    if (text !== undefined && cut !== true && (body.pruned === true) !== isLong)
      return 'its text was shortened without being long';
    return (
      this.#inWhole(body, true) ??
      (isPlausible(body) ? null : 'its members do not agree with what it says of its length and JSON')
    );
  }

  /** Once a list of numbers has shown where the number is assigned, each later list with such a member and the number does. */
  #inAssignment({ body, learned, leaks }: RecordedResponse): string | null {
    if (learned?.assignment !== undefined) this.#showsAssignment = true;
    if (body === null || learned?.assignment !== undefined || !this.#showsAssignment) return null;
    const isShort = body.cut !== true && body.length <= WHOLE_TEXT_BYTES && leaks.length === 0;
    const holds = isShort && body.mentions.includes(SETTING_OF.number);
    const shown = body.members.find(({ pointer }) => ASSIGNMENT.test(pointer));
    return holds && shown !== undefined ? `its member ${shown.pointer} was not learned` : null;
  }

  /** The facts of a body follow from its text. */
  #inWhole(body: RecordedBody, isAnswer: boolean): string | null {
    if (!isWhole(body)) return null;
    const facts = this.#factsOf(body);
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

  /** What was learned of a body agrees with the type and the digest of the member that it comes from, and is not left out. */
  #inLearned({ status, body, learned, leaks }: RecordedResponse, operation: OperationId | null): string | null {
    const names = isSuccess(status) && operation !== null ? FIELDS[operation] : undefined;
    if (names !== undefined && learned?.fields === undefined) return 'nothing was learned of it';
    const membersOf = (name: string) => (body?.members ?? []).filter(({ pointer }) => pointer.endsWith(`/${name}`));
    for (const [name, value] of Object.entries(learned?.fields ?? {})) {
      const [only, ...more] = membersOf(name);
      if (only === undefined || more.length > 0 || only.pointer.includes('/-')) continue;
      const holds =
        typeof value === 'boolean'
          ? only.value === value
          : this.#book.standsFor(only.digest ?? null, nameOf(JSON.stringify(value)));
      if (!holds) return `its member ${name} is not what was learned`;
    }
    // A list may show other records, a value that holds a secret is not learned, and of a long answer less may be learned.
    if (operation === 'listTrunks' || names === undefined || leaks.length > 0 || (body?.length ?? 0) > WHOLE_TEXT_BYTES)
      return null;
    if (Object.keys(learned?.fields ?? {}).length > 0) return null;
    const shown = names
      .flatMap(membersOf)
      .find(({ pointer, digest }) => IN_RECORD.test(pointer) && digest !== undefined);
    return shown === undefined ? null : `its member ${shown.pointer} was not learned`;
  }
}

/** Whether the members of a body can be those of a text that is JSON, or is not, as the body says. */
function isPlausible({ json, reason, utf8, byteOrderMark, cut, length, members }: RecordedBody): boolean {
  const isValid = json === 'valid';
  if (isValid === (reason !== undefined) || (isValid && (!utf8 || byteOrderMark || cut === true))) return false;
  if (length < Math.max(1, members.length)) return false;
  if (!isValid) return members.length === 0 || (utf8 && byteOrderMark);
  const containers = new Set<string>();
  const isInside = members.every(({ pointer, type }, at) => {
    const [parent, step] = [pointer.slice(0, pointer.lastIndexOf('/')), pointer.slice(pointer.lastIndexOf('/') + 1)];
    if (type === 'array' || type === 'object') containers.add(`${type} ${pointer}`);
    if (at === 0 || pointer === '') return at === 0 && pointer === '';
    return containers.has(`object ${parent}`) || (step === '-' && containers.has(`array ${parent}`));
  });
  return members.length > 0 && isInside;
}

/** Milliseconds by which the clocks of a target's machines may differ, beside the second that a date leaves open. */
const CLOCKS = 2_000;
const SECOND = 1_000;
/** A clock that is off by more than a day belongs to another run. */
const DAY = 86_400_000;

/** The first exchange whose date, as the target sent it, does not fit the other dates or the time of the run. */
export function misdated(exchanges: readonly Exchange[], startedAt: number): Exchange | undefined {
  let [earliest, latest] = [-DAY, DAY];
  return exchanges.find(({ response, ...sent }) => {
    const date = Date.parse(headerValue(response?.headers ?? [], 'date') ?? '');
    if (Number.isNaN(date)) return false;
    const age = headerValue(response?.headers ?? [], 'age');
    const written = date + (isDigits(age) ? Number(age) * SECOND : 0);
    // By how much their clock is ahead of ours, at least and at most; a date may be as old as the second before.
    const [least, most] = [written - startedAt - endOf(sent), written - startedAt - sent.at + 2 * SECOND];
    earliest = Math.max(earliest, least);
    latest = Math.min(latest, most);
    return earliest > latest + CLOCKS;
  });
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
