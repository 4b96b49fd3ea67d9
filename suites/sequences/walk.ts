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
import { drawnBody } from '../../src/generate/random.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Session } from '../../src/run/sequence.ts';
import { isOfOthers, isOurs, isRejected, statusOf } from '../../src/verdict/answer.ts';
import { none, type Opinion } from '../../src/verdict/opinion.ts';
import { seen } from '../accepted-changes.ts';
import { ask } from '../ask.ts';
import { applicationUrls, CALL_MEMBERS, idForBody, objectBase, schemaOf } from '../bodies.ts';
import { nameIn } from '../expect/shown.ts';
import { idStimulus, NOT_UTF8 } from '../ids.ts';
import { CREATE, isOneOf, LISTS, ON_CALLS, OTHERS_CREDENTIAL, OWNED, RIGHTFUL } from '../operations.ts';
import { ofMadeUpId, sayIsolated } from '../organizations.ts';
import { showsRejected } from '../rejected-changes.ts';
import { type CredentialWay, credentialWays, formStimulus } from './credentials.ts';
import { edgesFor } from './edges.ts';
import { untilShown } from './shown.ts';
import { callOptions } from './valid-bodies.ts';
import { claimsOf } from './violations.ts';

/** Segments that no id of this interface can be. */
const MALFORMED = ['xyz', '%00', NOT_UTF8.value, '%22%27', 'gr%C3%B6%C3%9Fe', 'x'.repeat(300)] as const;

/** The requirements about rejected changes, and the changes that each means. */
const NO_EFFECTS = [
  ['AUTH-NO-EFFECT', ({ request }: Exchange) => !RIGHTFUL.includes(request.credential)],
  ['ORG-NO-EFFECT', isOfOthers],
  ['UPDATE-REJECTED-NO-EFFECT', (sent: Exchange) => isOurs(sent) && [400, 422].includes(statusOf(sent) ?? 0)],
] as const;

const ofList = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

/** The invalid forms of the credential for an operation that the settings allow. */
export const invalidForms = (builder: RequestBuilder, id: OperationId): readonly CredentialWay[] =>
  credentialWays(builder, id).filter(({ form }) => builder.forms.has(form));

/** The invalid form that a command has, if any. */
const invalidFormOf = ({ operation, unusual, at }: Command, builder: RequestBuilder): CredentialWay | undefined =>
  unusual === 'invalid credential' ? ofList(invalidForms(builder, operation), at) : undefined;

const malformedAt = (at: number): string => ofList(MALFORMED, at) ?? MALFORMED[0];

/** The stimuli of a command that may have taken the target down before: a short token caused eight further restarts. */
export function stimuliOf(command: Command, builder: RequestBuilder): readonly string[] {
  const form = invalidFormOf(command, builder)?.form;
  const isNotUtf8 = command.unusual === 'malformed id' && malformedAt(command.at) === NOT_UTF8.value;
  return [...(form === undefined ? [] : [formStimulus(form)]), ...(isNotUtf8 ? [idStimulus(NOT_UTF8.about)] : [])];
}

/** A change of the trunk in this walk. */
interface TrunkChange {
  readonly exchange: Exchange;
  /** The part of its name that no other request writes; `null` if reads may not show it (boundary value, malformed). */
  readonly name: string | null;
  /** Whether it was accepted before, except for the name. */
  readonly isPlain: boolean;
}

/** One walk: it knows only what the specification says about its commands. */
export class Walker {
  readonly #session: Session;
  readonly #origin: RandomOrigin;
  readonly #changes: TrunkChange[] = [];
  #before: SuiteRequest | null = null;

  constructor(session: Session, origin: RandomOrigin) {
    this.#session = session;
    this.#origin = origin;
  }

  get #builder(): RequestBuilder {
    return this.#session.builder;
  }

  /** Carries out a command; `place` is its place in the draw. */
  async carryOut(command: Command, place: number): Promise<void> {
    const label = `${this.#origin.path} ${place}`;
    const request = this.#requestFor(command, label);
    const answers = command.unusual === 'two at once' ? await this.#sendAtOnce(request) : await this.#send(request);
    for (const answer of answers) {
      if (isTrunkUpdate(command) && this.#isOwn(command)) {
        const name = request.role === 'change' && isUsual(command) ? nameFor(this.#session, label) : null;
        this.#changes.push({ ...answer, name, isPlain: this.#isPromised(command) });
      }
      if (request.role === 'after') this.#sayOf(await this.#readAgain(request, answer));
    }
    if (request.asks.some(({ id }) => id === 'ORG-ISOLATION')) await this.#sayIsolated(request, answers);
  }

  /** An accepted request of the other organization is compared with a made-up id's; a list needs no comparison. */
  async #sayIsolated({ operation, body, contentType }: SuiteRequest, answers: readonly Answer[]): Promise<void> {
    let madeUp: Answer | undefined;
    for (const answer of answers) sayIsolated(this.#session, answer, () => ({ madeUp: madeUp?.exchange }));
    if (operation === null || isOneOf(LISTS, operation) || !answers.some(({ accepted }) => accepted)) return;
    [madeUp] = await this.#send(ofMadeUpId(this.#builder, operation, { body, contentType }));
  }

  /**
   * Sends a request outside the operations first: otherwise leftovers of the previous walk would be attributed to this
   * one, and no smaller walk would show them.
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

  /** Sends nothing if the calls are used up, or if the safety kernel takes a drawn text for a number to dial. */
  async #send(request: SuiteRequest): Promise<readonly Answer[]> {
    const explored = { origin: this.#origin, ...request };
    const before = this.#before;
    const answer = await unlessGuarded(this.#session.sendIfAllowed(explored), null);
    if (answer === null) return [];
    this.#before = explored;
    const isOfCall = [before?.operation, request.operation].includes(CREATE);
    if (answer.kind === 'flaky' && before !== null && !isOfCall) {
      await unlessGuarded(this.#session.repeatBehind(before, explored, answer), undefined);
    }
    return [answer];
  }

  #sendAtOnce(request: SuiteRequest): Promise<readonly Answer[]> {
    this.#before = request;
    return unlessGuarded(this.#session.together([request, request]), []);
  }

  #pathOf({ operation, unusual, at }: Command): string {
    const { state } = this.#session;
    const wellFormed = operationById(operation).resources.map((kind) => {
      if (unusual === 'unknown id') return this.#builder.uuid(`explored ${kind}`);
      const known = kind === 'call' ? (this.#session.openCall() ?? state.facts.endedCall) : this.#builder.named(kind);
      return known ?? this.#builder.uuid(`unknown ${kind}`);
    });
    const ids = unusual === 'malformed id' ? [...wellFormed.slice(0, -1), malformedAt(at)] : wellFormed;
    const path = this.#builder.path(operation, ids);
    return unusual === 'other slash form' ? otherSlashForm(path) : path;
  }

  /** Whether every id of the path names a resource of the settings, or a call of this run. */
  #isOwn({ operation, unusual }: Command): boolean {
    const isKnown = (kind: ResourceKind): boolean =>
      (kind === 'call' ? this.#session.state.facts.endedCall : this.#builder.named(kind)) != null;
    const isOther = unusual === 'unknown id' || unusual === 'malformed id';
    return !isOther && operationById(operation).resources.every(isKnown);
  }

  #requestFor(command: Command, label: string): SuiteRequest {
    const { operation, unusual } = command;
    const { about, ...body } = commandBody(command, this.#session, label);
    const invalid = invalidFormOf(command, this.#builder);
    const variation: Variation = {
      ...body,
      ...this.#purposeOf(command, body.json === undefined || 'name' in Object(body.json)),
      path: this.#pathOf(command),
      credential: unusual === 'other organization' ? OTHERS_CREDENTIAL : (invalid?.form ?? 'valid'),
      about: described(command, about, invalid),
      origin: { ...this.#origin, ...(isDrawn(command) ? { body: command.at } : {}) },
    };
    return this.#isPromised(command)
      ? this.#builder.control(operation, variation)
      : this.#builder.request(operation, variation);
  }

  /** A request that the specification promises to serve, with a body that was accepted before, except for the name. */
  #isPromised(command: Command): boolean {
    const isPromised = isUsual(command) && !isDrawn(command) && this.#isOwn(command);
    return isPromised && !isOneOf([CREATE, ...ON_CALLS], command.operation);
  }

  /** The role of the request in the walk, and the requirements on its answer. */
  #purposeOf(command: Command, isNamed: boolean): Pick<Variation, 'role' | 'asks'> {
    // Boundary values are not unique: another walk may have written the same name.
    const isTelling = isTrunkUpdate(command) && isNamed && command.unusual !== 'boundary value';
    if (isTelling && this.#isOwn(command)) return { role: 'change', asks: this.#asksOf(command) };
    const isRead = command.operation === 'getTrunk' && this.#isPromised(command);
    return isRead ? { role: 'after' } : { asks: this.#asksOf(command) };
  }

  #asksOf(command: Command): readonly Ask[] {
    const { operation, unusual, at } = command;
    const isOwn = this.#isOwn(command);
    if (unusual === 'invalid credential') return invalidFormOf(command, this.#builder)?.asks ?? [];
    if (unusual === 'other organization') return isOwn && isOneOf(OWNED, operation) ? [ask('ORG-ISOLATION')] : [];
    if (unusual !== 'invalid body' || !isOwn) return [];
    const violation = violationOf(operation, this.#builder, at);
    return claimsOf(operation, violation, `explored: ${violation.label}`);
  }

  /** A read shows what the last change wrote, and nothing of a rejected change. */
  #sayOf(reading: Answer): void {
    const last = this.#lastEffective();
    const changes = this.#changes.flatMap(({ exchange }) => (exchange.tag.role === 'change' ? [exchange] : []));
    if (last !== undefined)
      this.#session.say(ask('UPDATE-VISIBLE', 'explored'), reading, () => seenOf(last, reading.exchange));
    for (const [id, isMeant] of NO_EFFECTS)
      this.#session.say(ask(id, 'explored'), reading, () => showsRejected(reading.exchange, changes, isMeant));
  }

  #lastEffective(): TrunkChange | undefined {
    return this.#changes.findLast(({ exchange }) => !isRejected(exchange));
  }

  /** The second read decides, once a lagging replica can show the change: two seconds behind, each walk failed. */
  async #readAgain(request: SuiteRequest, reading: Answer): Promise<Answer> {
    const last = this.#lastEffective();
    const isOld = last !== undefined && seenOf(last, reading.exchange).kind === 'finding';
    if (isOld) await untilShown(this.#session);
    const [again] = isOld ? await this.#send({ ...request, about: `${request.about}, again` }) : [];
    return again ?? reading;
  }
}

/** Whether the read shows the change. A target may store a random name in another form, but has to keep our mark. */
function seenOf({ exchange, name, isPlain }: TrunkChange, reading: Exchange): Opinion {
  const opinion = seen(exchange, reading);
  const shown = nameIn(reading);
  if (isPlain || opinion.kind !== 'finding') return opinion;
  if (name === null || typeof shown !== 'string') return none('a name that a walk wrote may be stored in another form');
  const isKept = shown.toLowerCase().includes(name.toLowerCase());
  return isKept ? none('the name that was written is stored in another form') : opinion;
}

/** Resolves with what is sent, or with the other value if the safety kernel blocks it. */
async function unlessGuarded<T>(sending: Promise<T>, without: T): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof GuardRefusal) return without;
    throw error;
  }
}

/** Whether it is valid, alone or simultaneous with an equal one. */
const isUsual = ({ unusual }: Command): boolean => unusual === null || unusual === 'two at once';

/** Whether a command has a random valid body: every second ordinary command, and all that are then made invalid. */
const isDrawn = ({ operation, unusual, at }: Command): boolean =>
  operationById(operation).body !== null && (unusual === 'invalid body' || (unusual === null && at % 2 === 1));

const isTrunkUpdate = ({ operation }: Command): boolean => operation === 'updateTrunk';

/** A command in words; an invalid credential has the words of the plan, and `body` describes the body. */
function described({ unusual }: Command, body: string | undefined, invalid: CredentialWay | undefined): string {
  const isInBody = unusual === 'invalid body' || unusual === 'boundary value' || unusual === 'malformed body';
  const differs = isInBody ? null : (invalid?.about ?? unusual);
  return [body, differs].filter((part) => part != null).join(', ') || PLAIN_REQUEST;
}

/** Members whose bytes no edit touches: ids, numbers to dial and the secret. */
const PROTECTED = [...CALL_MEMBERS, 'carrier_connection_id', 'secret'];

/** What is fixed in the bodies that are drawn for an operation. */
function bodyOptions(id: OperationId, builder: RequestBuilder): GenerateOptions {
  const { options } = builder;
  switch (id) {
    case CREATE:
      return { ...callOptions(builder), exclude: [] };
    case 'assignNumber': {
      const connection = idForBody(builder, 'carrierConnection') ?? builder.uuid('connection');
      return { pool: { '/carrier_connection_id': bothCases(connection) } };
    }
    case 'updateVoiceApplication': {
      const { voice_url, callback_url } = applicationUrls(options);
      const fixed = { '/voice_url': voice_url, '/callback_url': callback_url };
      if (options.numbers === null) return { fixed, exclude: ['/caller_id'] };
      return { fixed: { ...fixed, '/caller_id': options.numbers.from } };
    }
    case 'setInboundAuth':
      // The secret is inserted when the request is sent: the draw depends only on the seed.
      return { fixed: { '/secret': 'secret' } };
    default:
      return { exclude: ['/direction', '/status'] };
  }
}

/**
 * One of the violations of an operation's body. Null may be read as absent, so it need not be rejected; a wrong secret
 * might be stored, and is easier to guess than a random one.
 */
function violationOf(id: OperationId, builder: RequestBuilder, at: number): Violation {
  const all = violations(schemaOf(id), bodyOptions(id, builder));
  const strict = all.filter(({ kind, pointer }) => kind !== 'null' && pointer !== '/secret');
  return ofList(strict, at) as Violation;
}

/** The body of a command, and its description; `label` distinguishes what it writes from the run's other writes. */
export function commandBody(command: Command, session: Session, label: string): Variation {
  const { operation, unusual, at } = command;
  if (operationById(operation).body === null) return {};
  const valid = isDrawn(command)
    ? withOwn(drawnBody(schemaOf(operation), bodyOptions(operation, session.builder), at), session, label)
    : typicalBody(operation, session, label);
  switch (unusual) {
    case 'invalid body': {
      const violation = violationOf(operation, session.builder, at);
      return { json: violation.apply(valid), about: violation.label };
    }
    case 'boundary value': {
      const edge = operation === CREATE ? undefined : ofList(edgesFor(operation, session.builder), at);
      if (edge !== undefined) return { body: atEdge(edge, operation, valid), about: edge.label };
      break;
    }
    case 'malformed body': {
      const edit = ofList(malformations(JSON.stringify(valid), PROTECTED), at);
      if (edit !== undefined) return { body: edit.bytes, about: edit.label };
    }
  }
  return { json: valid };
}

/** A body known to be accepted, with a name that no other request writes. */
function typicalBody(id: OperationId, session: Session, label: string): JsonObject {
  const base = objectBase(session, id);
  return 'name' in base ? { ...base, name: nameFor(session, label) } : base;
}

/** A name with the mark of the run that no other command writes. */
const nameFor = ({ builder }: Session, label: string): string =>
  `${builder.mark} ${builder.digest(`name ${label}`).slice(0, 8)}`;

/**
 * A drawn body with the secret of the run. A drawn name may recur: a read that shows it would not tell which change
 * took effect.
 */
function withOwn(value: JsonObject, session: Session, label: string): JsonObject {
  const { name, secret } = value;
  return {
    ...value,
    ...(secret === 'secret' ? { secret: session.builder.secret } : {}),
    ...(typeof name === 'string' ? { name: `${nameFor(session, label)} ${name}` } : {}),
  };
}

/** The value in all members that may have it (for a trunk only its name), or in the first if the body gets too long. */
function atEdge(edge: Edge, id: OperationId, base: JsonObject): Uint8Array {
  const open = pointersOf(edge).filter((pointer) => id !== 'updateTrunk' || pointer === '/name');
  const all = bytesAt(edge, base, open);
  return all.length < DRAWN.body ? all : bytesAt(edge, base, open.slice(0, 1));
}
