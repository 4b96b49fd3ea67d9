/** Carries out the commands of a walk: what each one sends, given what the walk has met so far, and what it asks. */

import { type Answer, GuardRefusal, type SuiteRequest } from '../../src/client/request.ts';
import { DRAWN } from '../../src/contract/limits.ts';
import { listed } from '../../src/contract/lists.ts';
import { type OperationId, operationById, otherSlashForm, type ResourceKind } from '../../src/contract/operations.ts';
import { type Ask, type Exchange, PLAIN_REQUEST, type RandomOrigin } from '../../src/exchange/exchange.ts';
import type { Command } from '../../src/generate/commands.ts';
import { bytesAt, type Edge, pointersOf } from '../../src/generate/edges.ts';
import type { JsonObject } from '../../src/generate/json.ts';
import { malformations } from '../../src/generate/malformations.ts';
import { bothCases, type GenerateOptions } from '../../src/generate/options.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Session } from '../../src/run/sequence.ts';
import { isOfOthers, isOurs, isRejected, statusOf } from '../../src/verdict/answer.ts';
import { seen } from '../accepted-changes.ts';
import { ask } from '../ask.ts';
import { applicationUrls, CALL_MEMBERS, objectBase, schemaOf } from '../bodies.ts';
import { shownName, writtenName } from '../expect/shown.ts';
import { CREATE, isOneOf, LISTS, ON_CALLS, RIGHTFUL } from '../operations.ts';
import { OWNED } from '../organizations.ts';
import { showsRejected } from '../rejected-changes.ts';
import { credentialWays, formStimulus } from './credentials.ts';
import { edgesFor } from './edges.ts';
import { ofMadeUpId } from './organizations.ts';
import { idStimulus, NOT_UTF8 } from './paths.ts';
import { callOptions } from './valid-bodies.ts';
import { claimsOf } from './violations.ts';

/** Segments that no id of this interface is. */
const MALFORMED = ['xyz', '%00', NOT_UTF8.value, '%22%27', 'gr%C3%B6%C3%9Fe', 'x'.repeat(300)] as const;
const malformedAt = (place: number): string => MALFORMED[place % MALFORMED.length] ?? MALFORMED[0];

export const OTHER = 'other-organization';

/** The requirements about rejected changes, and which changes they mean. */
const NO_EFFECTS = [
  ['AUTH-NO-EFFECT', ({ request }: Exchange) => !RIGHTFUL.includes(request.credential)],
  ['ORG-NO-EFFECT', isOfOthers],
  ['UPDATE-REJECTED-NO-EFFECT', (one: Exchange) => isOurs(one) && [400, 422].includes(statusOf(one) ?? 0)],
] as const;

/** What a command sends that may have taken the target down before: a short token had cost eight restarts more. */
export const stimuliOf = ({ credential, ids }: Command, place: number): readonly string[] => [
  formStimulus(credential),
  ...(ids === 'malformed' && malformedAt(place) === NOT_UTF8.value ? [idStimulus(NOT_UTF8.about)] : []),
];

/** A change of the trunk in this walk. */
interface Change {
  readonly exchange: Exchange;
  /** Whether an accepted one must show: its body is one that was accepted before, but for the name. */
  readonly isPlain: boolean;
}

/** One walk: it knows what the specification says of what it did, and no more. */
export class Walker {
  readonly #session: Session;
  readonly #origin: RandomOrigin;
  readonly #changes: Change[] = [];

  constructor(session: Session, origin: RandomOrigin) {
    this.#session = session;
    this.#origin = origin;
  }

  get #builder(): RequestBuilder {
    return this.#session.builder;
  }

  /** Carries out a command; `place` is its place in the whole walk. */
  async carryOut(command: Command, place: number): Promise<void> {
    const request = this.#requestFor(command, place);
    const answers = await this.#paced(request, command.pace);
    for (const answer of answers) {
      if (isTrunkUpdate(command) && this.#isOwn(command)) {
        this.#changes.push({ ...answer, isPlain: this.#isValid(command) });
      }
      if (request.role === 'after') this.#sayOf(await this.#readAgain(request, answer));
    }
    const isSuspect = command.credential === OTHER && request.asks.length > 0 && !isOneOf(LISTS, command.operation);
    if (isSuspect && answers.some(({ accepted }) => accepted)) {
      const { body, contentType } = request;
      await this.#send(ofMadeUpId(this.#builder, command.operation, { body, contentType }));
    }
  }

  /**
   * A request that belongs to no operation comes first: what the walk before left behind would be taken for what this
   * one did, and no smaller walk would show it.
   */
  async begin(leftOut: readonly string[]): Promise<void> {
    const without = leftOut.length === 0 ? '' : `, without what crashed the target: ${listed(leftOut)}`;
    const about = `a route that is not documented, before the first command${without}`;
    await this.#send(this.#builder.request(null, { about }));
  }

  /** A call that the walk placed is hung up. */
  async end(): Promise<void> {
    if (this.#session.openCall() !== null) await this.#session.hangUp();
  }

  /** Nothing is sent where the calls are used up, or where the safety kernel takes a drawn text for a number to dial. */
  async #send(request: SuiteRequest): Promise<Answer | null> {
    try {
      return await this.#session.sendIfAllowed({ ...request, origin: this.#origin });
    } catch (error) {
      if (error instanceof GuardRefusal) return null;
      throw error;
    }
  }

  async #sendAtOnce(request: SuiteRequest): Promise<readonly Answer[]> {
    const twin = { ...request, origin: this.#origin };
    try {
      return await this.#session.together([twin, twin]);
    } catch (error) {
      if (error instanceof GuardRefusal) return [];
      throw error;
    }
  }

  async #paced(request: SuiteRequest, pace: Command['pace']): Promise<readonly Answer[]> {
    if (pace === 'at once') return this.#sendAtOnce(request);
    const answers = [await this.#send(request), ...(pace === 'twice' ? [await this.#send(request)] : [])];
    return answers.filter((answer) => answer !== null);
  }

  #pathOf({ operation, ids, slash }: Command, place: number): string {
    const { state } = this.#session;
    const own = operationById(operation).resources.map((kind) => {
      if (ids === 'unknown') return this.#builder.uuid(`explored ${kind}`);
      const known = kind === 'call' ? (this.#session.openCall() ?? state.facts.endedCall) : this.#builder.named(kind);
      return known ?? this.#builder.uuid(`unknown ${kind}`);
    });
    const isMalformed = ids === 'malformed' && own.length > 0;
    const path = this.#builder.path(operation, isMalformed ? [...own.slice(0, -1), malformedAt(place)] : own);
    return slash === 'other' ? otherSlashForm(path) : path;
  }

  /** Whether every id of the path names a resource of the settings, or a call of this run. */
  #isOwn({ operation, ids }: Command): boolean {
    const { resources } = operationById(operation);
    const isKnown = (kind: ResourceKind): boolean =>
      (kind === 'call' ? this.#session.state.facts.endedCall : this.#builder.named(kind)) != null;
    return resources.length === 0 || (ids === 'own' && resources.every(isKnown));
  }

  #requestFor(command: Command, place: number): SuiteRequest {
    const { operation, credential } = command;
    const label = `${this.#origin.path} ${place}`;
    const { about, ...body } = commandBody(command, this.#session, label);
    const variation: Variation = {
      ...body,
      ...this.#purposeOf(command),
      path: this.#pathOf(command, place),
      credential,
      about: `command ${place}: ${described(command, about)}`,
    };
    return this.#isValid(command)
      ? this.#builder.control(operation, variation)
      : this.#builder.request(operation, variation);
  }

  /** A request that the specification promises to serve. */
  #isValid(command: Command): boolean {
    const { operation, body } = command;
    const isOrdinary = isServed(command) && ['none', 'typical'].includes(body.kind);
    return isOrdinary && this.#isOwn(command) && !isOneOf([CREATE, ...ON_CALLS], operation);
  }

  /** What the request is to the walk, and which requirements say how it is to be answered. */
  #purposeOf(command: Command): Pick<Variation, 'role' | 'asks'> {
    const { operation } = command;
    // Boundary values are not unique: another walk may have written the same name.
    const isTelling = isTrunkUpdate(command) && command.body.kind !== 'boundary';
    if (isTelling && this.#isOwn(command)) return { role: 'change', asks: this.#asksOf(command) };
    if (operation === 'getTrunk' && this.#isValid(command)) return { role: 'after' };
    return { asks: this.#asksOf(command) };
  }

  #asksOf(command: Command): readonly Ask[] {
    const { operation, credential, ids, slash, body } = command;
    if (slash === 'other' || ids === 'malformed') return [];
    if (credential === OTHER) {
      return this.#isOwn(command) && isOneOf(OWNED, operation) ? [ask('ORG-ISOLATION')] : [];
    }
    if (credential !== 'valid') {
      return credentialWays(this.#builder, operation).find(({ form }) => form === credential)?.asks ?? [];
    }
    if (body.kind !== 'invalid' || !this.#isOwn(command) || !isOneOf([CREATE, 'assignNumber'], operation)) return [];
    const violation = violationOf(operation, this.#builder, body.at);
    return claimsOf(operation, violation, `explored: ${violation.label}`);
  }

  /** A read shows what the last change wrote, and nothing that a rejected one did. */
  #sayOf(reading: Answer): void {
    const last = this.#lastEffective();
    const changes = this.#changes.map(({ exchange }) => exchange);
    if (last?.isPlain === true)
      this.#session.say(ask('UPDATE-VISIBLE', 'explored'), reading, () => seen(last.exchange, reading.exchange));
    for (const [id, isMeant] of NO_EFFECTS)
      this.#session.say(ask(id, 'explored'), reading, () => showsRejected(reading.exchange, changes, isMeant));
  }

  #lastEffective(): Change | undefined {
    return this.#changes.findLast(({ exchange }) => !isRejected(exchange));
  }

  /** A replica may be a moment behind: the second read decides. */
  async #readAgain(request: SuiteRequest, reading: Answer): Promise<Answer> {
    const { accepted, exchange } = reading;
    const last = this.#lastEffective();
    const shown = shownName(exchange);
    const isOld = shown !== undefined && last?.isPlain === true && shown !== writtenName(last.exchange);
    const again = accepted && isOld ? await this.#send({ ...request, about: `${request.about}, again` }) : null;
    return again ?? reading;
  }
}

/** Whether the specification says how the request is answered if its ids name a resource of the sender. */
const isServed = ({ credential, slash }: Command): boolean => credential === 'valid' && slash === 'documented';

const isTrunkUpdate = ({ operation }: Command): boolean => operation === 'updateTrunk';

const ID_PHRASES = {
  unknown: 'an id that names nothing',
  malformed: 'a malformed id',
} as const;

/** A command in words; `body` says what it sends. */
function described({ operation, ids, credential, slash, pace }: Command, body: string | undefined): string {
  const { resources } = operationById(operation);
  const parts = [
    ...(body === undefined ? [] : [body]),
    ...(ids === 'own' || resources.length === 0 ? [] : [ID_PHRASES[ids]]),
    ...(credential === 'valid' ? [] : [`the credential ${credential}`]),
    ...(slash === 'documented' ? [] : ['the other slash form']),
    ...(pace === 'once' ? [] : [pace === 'twice' ? 'twice in a row' : 'two at once']),
  ];
  return parts.length === 0 ? PLAIN_REQUEST : parts.join(', ');
}

/** Members whose bytes no edit touches: ids, numbers to dial and the secret. */
const PROTECTED = [...CALL_MEMBERS, 'carrier_connection_id', 'secret'];
/** Members that an edge may change where others are left alone. */
const EDGES_OF_TRUNK: readonly string[] = ['/name'];

/** What is decided of the bodies that are drawn for an operation. */
export function bodyOptions(id: OperationId, builder: RequestBuilder): GenerateOptions {
  const { options } = builder;
  switch (id) {
    case CREATE:
      return { ...callOptions(builder), exclude: [] };
    case 'assignNumber': {
      const own = builder.named('carrierConnection') ?? builder.uuid('connection');
      return { pool: { '/carrier_connection_id': [...bothCases(own), builder.uuid('explored connection')] } };
    }
    case 'updateVoiceApplication': {
      const { voice_url, callback_url } = applicationUrls(options);
      const fixed = { '/voice_url': voice_url, '/callback_url': callback_url };
      return options.numbers === null
        ? { fixed, exclude: ['/caller_id'] }
        : { fixed: { ...fixed, '/caller_id': options.numbers.from } };
    }
    case 'setInboundAuth':
      // The secret is put in when the request is sent: what is drawn depends on the seed alone.
      return { fixed: { '/secret': 'secret' } };
    default:
      return { exclude: ['/direction', '/status'] };
  }
}

const ofList = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

/**
 * One of the violations of an operation's body. Null may be read as absent, so it need not be rejected; a wrong secret might be
 * stored, and is easier to guess than a random one.
 */
function violationOf(id: OperationId, builder: RequestBuilder, at: number): Violation {
  const all = violations(schemaOf(id), bodyOptions(id, builder));
  return ofList(
    all.filter(({ kind, pointer }) => kind !== 'null' && pointer !== '/secret'),
    at,
  ) as Violation;
}

/**
 * The body of a command, and the same in words; `label` distinguishes what it writes from everything else that the run
 * writes.
 */
export function commandBody(
  { operation, body }: Command,
  session: Session,
  label: string,
): Pick<Variation, 'json' | 'body' | 'about'> {
  if (body.kind === 'none') return {};
  const typical = typicalBody(operation, session, label);
  switch (body.kind) {
    case 'typical':
      return { json: typical, about: TYPICAL };
    case 'valid':
      return { json: withOwn(body.value, session, label), about: 'a random valid body' };
    case 'invalid': {
      const violation = violationOf(operation, session.builder, body.at);
      return { json: violation.apply(withOwn(body.value, session, label)), about: violation.label };
    }
    case 'boundary': {
      const edge = operation === CREATE ? undefined : ofList(edgesFor(operation, session.builder), body.at);
      if (edge === undefined) return { json: typical, about: TYPICAL };
      return { body: atEdge(edge, operation, typical), about: edge.label };
    }
    case 'malformed': {
      const edit = ofList(malformations(JSON.stringify(typical), PROTECTED), body.at);
      return { body: edit?.bytes ?? null, about: edit?.label ?? TYPICAL };
    }
  }
}

const TYPICAL = 'a typical body';

/** The body that the run knows to be accepted, with a name that no other request writes. */
function typicalBody(id: OperationId, session: Session, label: string): JsonObject {
  const base = objectBase(session, id);
  const isNamed = isOneOf(['updateTrunk', 'updateVoiceApplication'], id) && 'name' in base;
  return isNamed ? { ...base, name: nameFor(session, label) } : base;
}

/** A name with the mark of the run that no other command writes. */
const nameFor = ({ builder }: Session, label: string): string =>
  `${builder.mark} ${builder.digest(`name ${label}`).slice(0, 8)}`;

/**
 * A drawn body with the secret of the run. A drawn name may have been drawn before: a read that shows it would not tell
 * which change took effect.
 */
function withOwn(value: JsonObject, session: Session, label: string): JsonObject {
  const { name, secret } = value;
  return {
    ...value,
    ...(secret === 'secret' ? { secret: session.builder.secret } : {}),
    ...(typeof name === 'string' ? { name: `${nameFor(session, label)} ${name}` } : {}),
  };
}

/** The value in all members that may have it, or in the first where that makes a body too long. */
function atEdge(edge: Edge, id: OperationId, base: JsonObject): Uint8Array {
  const open = pointersOf(edge).filter((one) => id !== 'updateTrunk' || EDGES_OF_TRUNK.includes(one));
  const all = bytesAt(edge, base, open);
  return all.length < DRAWN.body ? all : bytesAt(edge, base, open.slice(0, 1));
}
