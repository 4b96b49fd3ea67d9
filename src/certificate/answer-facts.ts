/**
 * What a record says of an answer more than once: a fact that was changed alone contradicts the others. What was redacted
 * is only what this run can have known, and never without the leak that it is.
 */

import { FIELDS, HOLDERS, subjectOf } from '../client/learned.ts';
import type { OperationId } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { isSuccess } from '../contract/statuses.ts';
import { DigestBook, nameOf } from '../exchange/digest.ts';
import { type Exchange, endOf, type RecordedBody, type RecordedResponse } from '../exchange/exchange.ts';
import {
  AS_RECORDED,
  bodyFacts,
  digestsOf,
  holdsPlaceholder,
  plainFacts,
  WHOLE_TEXT_BYTES,
} from '../exchange/facts.ts';
import { HEADER_FIELDS } from '../exchange/header-fields.ts';
import { headerValue } from '../exchange/message.ts';
import { encodeText } from '../exchange/texts.ts';
import { recordedOptions, watchedIds } from '../run/options.ts';
import { type BundledRecord, canonicalJson } from './bundle-files.ts';

/** What stands in place of a secret; no bracket is looked at twice, however many there are. */
const PLACEHOLDER = /("?)⟦([^⟦⟧]*)(⟧?)("?)/g;
const isInPart = (inside: string): boolean => inside.endsWith(', in part');
const WRITTEN = new Set(['percent-encoded', 'JSON-escaped', 'HTML-escaped', 'hex', 'base64', 'base64url']);

type Leak = RecordedResponse['leaks'][number];
type SecretKind = Leak['secret'];

/** The kinds of the secrets that this run can have had, by label. Nothing else is ever redacted from a text. */
function secretKindsOf({ header, inputs }: BundledRecord): ReadonlyMap<string, SecretKind> {
  const has = (name: string): boolean => header.settings.includes(name);
  const holdsToken = (text = ''): boolean => text.includes('⟦');
  const gateway = inputs.gatewayHeaders.map((name) => `header ${name}`.replace(/[^\p{L}\p{N} -]/gu, ''));
  const kinds: readonly (readonly [label: string, SecretKind, isThere?: boolean])[] = [
    ['credential', 'credential'],
    ['other organizations credential', 'credential', has('PCS_OTHER_ORG_ACCESS_TOKEN')],
    ['revoked credential', 'credential', has('PCS_REVOKED_ACCESS_TOKEN')],
    ['inbound secret', 'inbound-secret'],
    ['configured inbound secret', 'inbound-secret', inputs.inbound.secret !== undefined],
    ...gateway.map((label) => [label, 'gateway-header'] as const),
    ['token in the base URL', 'url-token', holdsToken(header.target)],
    ['token in the voice URL', 'url-token', holdsToken(inputs.voiceUrl)],
    ['token in a list query', 'url-token', holdsToken(JSON.stringify(inputs.queries))],
  ];
  return new Map(kinds.flatMap(([label, kind, isThere = true]) => (isThere ? [[label, kind]] : [])));
}

/** A text of an answer: a field, the pointer of a member, or the text of the body. */
interface Shown {
  readonly at: 'field' | 'pointer' | 'text';
  readonly text: string;
}

/** The value of a field without the mark that stands for the whole of it. */
function unmasked(name: string, value: string): string {
  const mark = HEADER_FIELDS.get(name.toLowerCase())?.masked;
  return mark !== undefined && value.startsWith(mark) ? value.slice(mark.length) : value;
}

const shownIn = ({ headers, body }: RecordedResponse): readonly Shown[] => [
  // Of a masked field only what it leaked stands behind the mark.
  ...headers.map(([name, value]) => ({ at: 'field', text: `${name}: ${unmasked(name, value)}` }) as const),
  ...(body?.members ?? []).map(({ pointer }) => ({ at: 'pointer', text: pointer }) as const),
  { at: 'text', text: body?.text ?? '' },
];

/** Its echo holds one half of the credential. */
const HALF: Exchange['request']['credential'] = 'middle-changed';

/** Compares what stands in place of secrets with the leaks of a record. */
export class RedactedTexts {
  readonly #kinds: ReadonlyMap<string, SecretKind>;
  /** The label of each secret that a request carries as a whole value, by its digest. */
  readonly #secrets = new Map<string, string>();

  constructor(record: BundledRecord) {
    this.#kinds = secretKindsOf(record);
    const labels = new Map([...this.#kinds.keys()].map((label) => [nameOf(JSON.stringify(`⟦${label}⟧`)), label]));
    for (const { body } of record.exchanges.map(({ request }) => request)) {
      if (body === null || !holdsPlaceholder(body)) continue;
      // What stands for the digest of a placeholder tells where the secret is.
      for (const [at, { digest = '', pointer }] of factsOf(body).members.entries()) {
        const [label, recorded] = [labels.get(digest), body.members[at]];
        if (label !== undefined && recorded?.digest !== undefined && recorded.pointer === pointer)
          this.#secrets.set(recorded.digest, label);
      }
    }
  }

  /**
   * The first contradiction of an answer, as a clause, or `null`: each placeholder has the label of a secret of the run, and
   * is a leak. That a secret stands there in part only, nothing else in a record confirms.
   */
  contradictionIn({ request, response }: Exchange): string | null {
    if (response === null) return null;
    const { leaks, body } = response;
    const isLeak = (kind: SecretKind, where: Leak['where']): boolean =>
      leaks.some((one) => one.secret === kind && one.where === where);
    let hasPart = false;
    for (const shown of shownIn(response)) {
      for (const found of shown.text.matchAll(PLACEHOLDER)) {
        const [, , inside = '', end] = found;
        const kind = this.#leakedBy(found, shown, body);
        if (kind === undefined) return `${JSON.stringify(`⟦${inside}${end}`)} stands for no secret of this run`;
        if (kind !== null && !isLeak(kind, shown.at === 'field' ? 'header' : 'body'))
          return `the ${kind} stands in it, and no leak`;
        hasPart ||= isInPart(inside);
      }
    }
    // A configured secret may be too short for a leak.
    if (this.#isIn(body, 'inbound secret') && !isLeak('inbound-secret', 'body'))
      return 'the inbound secret stands in it, by its digest, and no leak';
    if (!hasPart || request.credential === HALF) return null;
    return 'it says that a part of a secret stands in it, and only a witness (--witness) can confirm that';
  }

  /** The kind of secret that a placeholder leaks, `null` for none, `undefined` where it is not one of ours. */
  #leakedBy([, before, inside = '', end, after]: RegExpMatchArray, { at, text }: Shown, body: RecordedBody | null) {
    // A text that was shortened may end within one.
    if (end === '') return at === 'text' && body?.pruned === true ? null : undefined;
    if (at === 'pointer' && inside === 'name') return null;
    if (at === 'text' && body?.utf8 === false && /^byte [0-9a-f]{2}$/.test(inside)) return null;
    const [label = '', ...details] = inside.split(', ');
    const kind = this.#kinds.get(label);
    const written = isInPart(inside) ? details.slice(0, -1) : details;
    if (kind === undefined || written.length > 1) return undefined;
    if (written.some((encoding) => encoding.split(' ').some((word) => !WRITTEN.has(word)))) return undefined;
    if (isInPart(inside)) return null;
    if (kind === 'credential' || label === 'inbound secret' || details.length > 0) return kind;
    // The others may be short and stand as a whole string by chance; that of a body has its digest beside it.
    const isString = before === '"' && after === '"';
    if (label === 'configured inbound secret') return isString && this.#isIn(body, label) ? null : kind;
    return isString || at === 'pointer' || /^(?:[^:]*: )?⟦[^⟦⟧]*⟧$/.test(text) ? null : kind;
  }

  /** Whether a member of a body is a secret, by its digest. */
  #isIn(body: RecordedBody | null, label: string): boolean {
    return body?.members.some(({ digest = '' }) => this.#secrets.get(digest) === label) === true;
  }
}

/** The facts of the text of a body. */
const factsOf = ({ text = '', utf8 }: RecordedBody, watch = AS_RECORDED.watch): RecordedBody =>
  bodyFacts(encodeText(text, utf8), { ...AS_RECORDED, watch });

/** Every body that is cut short is at least so long. */
const LEAST_OF_CUT = 65_536;

/** A member of a record, wherever an answer may hold one. */
const IN_RECORD = new RegExp(`^(?:/(?:${HOLDERS.join('|')})){0,5}/[^/]+$`);

const isDigits = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);

/** Whether the text of a body holds all of its bytes; those that are not UTF-8 stand as placeholders, which hide nothing. */
function isWhole({ text, pruned, utf8 }: RecordedBody): boolean {
  const known = utf8 ? text : text?.replace(/⟦byte [0-9a-f]{2}⟧/g, '');
  return known !== undefined && pruned !== true && !known.includes('⟦');
}

const ASSIGNMENT = /\/-\/carrier_connection(?:_id)?$/;

/** Compares the facts of a record with each other. */
export class AnswerFacts {
  readonly #book = new DigestBook();
  /** The ids whose mentions are recorded, each with its label. */
  readonly #watch: ReadonlyMap<string, string>;
  /** What is said of a body, by its digest. */
  readonly #bodies = new Map<string, string>();
  #showsAssignment = false;

  constructor(record: BundledRecord) {
    this.#watch = watchedIds(recordedOptions(record));
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
    const clause = this.#inWhole(body, true);
    if (clause !== null || isPlausible(body)) return clause;
    return 'its members do not agree with what it says of its length and JSON';
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
    const facts = factsOf(body, this.#watch);
    const plain = (one: RecordedBody): string =>
      canonicalJson([plainFacts(one), one.length, one.text, isAnswer ? one.mentions : []]);
    if (plain(facts) !== plain(body)) return 'its facts do not follow from its text';
    // The digest of a request without a secret needs no key; the rerun computes it.
    const compared = (one: RecordedBody) => digestsOf(one).slice(isAnswer ? 0 : 1);
    const values = compared(facts);
    const holds = compared(body).every((digest, at) => this.#book.standsFor(digest, values[at] ?? null));
    return holds ? null : 'its digests do not follow from its text';
  }

  /** What was learned of a body agrees with the type and the digest of the member that it comes from, and is not left out. */
  #inLearned({ status, body, learned, leaks }: RecordedResponse, operation: OperationId | null): string | null {
    const names = isSuccess(status) && operation !== null ? FIELDS[operation] : undefined;
    if (names !== undefined && learned?.fields === undefined) return 'nothing was learned of it';
    const fields = Object.entries(learned?.fields ?? {});
    const membersOf = (name: string) => (body?.members ?? []).filter(({ pointer }) => pointer.endsWith(`/${name}`));
    const wrong = fields.find(([name, value]) => {
      const [only, ...more] = membersOf(name);
      if (only === undefined || more.length > 0 || only.pointer.includes('/-')) return false;
      if (typeof value === 'boolean') return only.value !== value;
      return !this.#book.standsFor(only.digest ?? null, nameOf(JSON.stringify(value)));
    });
    if (wrong !== undefined) return `its member ${wrong[0]} is not what was learned`;
    // A list may show other records, a value that holds a secret is not learned, and of a long answer less may be learned.
    if (operation === 'listTrunks' || names === undefined || leaks.length > 0 || (body?.length ?? 0) > WHOLE_TEXT_BYTES)
      return null;
    const shown = names.flatMap(membersOf).find((one) => IN_RECORD.test(one.pointer) && one.digest !== undefined);
    return fields.length > 0 || shown === undefined ? null : `its member ${shown.pointer} was not learned`;
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
