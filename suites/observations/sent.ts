/** What is sent only for the gaps: unusual updates and assignments, words, spellings of ids, other methods. */

import { noOccasion, type SuiteRequest } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { withQuery } from '../../src/contract/path-text.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { EDGE_INTEGERS } from '../../src/generate/edges.ts';
import { type JsonObject, textWith } from '../../src/generate/json.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session } from '../../src/run/sequence.ts';
import { settledIn } from '../../src/run/written.ts';
import { boundary } from '../../src/verdict/boundary.ts';
import { ask } from '../ask.ts';
import { acceptedBase, jsonBytes, malformed } from '../bodies.ts';
import { storedWhole } from '../expect/shown.ts';
import { APPLICATION, ASSIGN, INBOUND_AUTH, TRUNK, UPDATES, type Update } from '../operations.ts';
import { leftUnwritten } from '../rejected-changes.ts';
import { amongWithControls, independent, onNamed, PAIR, sendTo, single, twoOf } from '../sequences/sending.ts';
import { fieldsOfTrunk, readTrunkLate } from '../sequences/shown.ts';
import type { GapId } from './index.ts';

/** A word that no list of accepted values contains. */
export const UNKNOWN_WORD = 'pcs-conformance';

/** A member that no body of the interface has. */
export const UNKNOWN_MEMBER = 'pcs_conformance_note';

const RING = 'ring_timeout_seconds';

const encoder = new TextEncoder();

/** A request that asks one gap in one variation. */
const observed = (id: OperationId, gap: GapId, label: string, variationOf: (session: Session) => Variation): Sequence =>
  single(id, `observed: ${label}`, { asks: [ask(gap, label)] }, (session) => {
    return { about: label, ...variationOf(session) };
  });

/** An update that differs from the accepted one in its bytes. */
const unusual = (id: Update, gap: GapId, label: string, bytesOf: (base: JsonObject) => Uint8Array | null): Sequence =>
  observed(id, gap, label, (session) => ({ body: bytesOf(acceptedBase(session, id)) }));

const LENGTH = 8_000;

/** White space is not part of any value: it only makes the body longer. */
function padded(base: JsonObject): Uint8Array {
  const text = JSON.stringify(base);
  return encoder.encode(text + ' '.repeat(Math.max(0, LENGTH - Buffer.byteLength(text))));
}

/** A service that treats every member as a column of its table fails here. */
const oneMore = (id: Update): Sequence =>
  unusual(id, 'GAP-UNKNOWN-MEMBERS', 'one member more', (base) =>
    jsonBytes({ ...base, [UNKNOWN_MEMBER]: UNKNOWN_WORD }),
  );

const withoutMembers = (id: Update): Sequence =>
  observed(id, 'GAP-EMPTY-UPDATE', 'an empty object', () => ({ json: {} }));

/** All unusual updates except those of `observedAmong`; the empty update of the application is a control. */
const observedUpdates = (): readonly Sequence[] => [
  unusual(APPLICATION, 'GAP-DUPLICATE-MEMBERS', 'the first member twice', (base) =>
    malformed(base, 'duplicate-member'),
  ),
  unusual(APPLICATION, 'GAP-SIZE-LIMITS', 'a body of 8,000 bytes', padded),
  ...UPDATES.flatMap((id) => [
    ...(id === TRUNK ? [withoutMembers(id)] : []),
    observed(id, 'GAP-BODY-REQUIRED', 'no body', () => ({})),
  ]),
];

/** Integers at the edge of what implementations store, after everything ordinary. */
export const integers = (): readonly Sequence[] =>
  EDGE_INTEGERS.map((label) => {
    const about = `${RING} is ${label}`;
    const asks = [ask('GAP-RING-TIMEOUT-BOUNDS', label), boundary(about)];
    return single(APPLICATION, `boundary: ${about}`, { asks, phase: 'hazards' }, (session) => {
      return { body: encoder.encode(textWith(acceptedBase(session, APPLICATION), { [RING]: label })), about };
    });
  });

const STATE = {
  direction: ['GAP-VALUES-DIRECTION', ['inbound', 'outbound', 'bidirectional']],
  status: ['GAP-VALUES-STATUS', ['active', 'inactive', 'disabled']],
} as const;

const labelOf = (word: string): string => (word === UNKNOWN_WORD ? 'any word' : word);

/** Sends the words, but stops once the unknown one is accepted. */
async function tryWords(words: readonly string[], send: (word: string) => Promise<boolean>): Promise<void> {
  for (const word of [UNKNOWN_WORD, ...words]) if ((await send(word)) && word === UNKNOWN_WORD) break;
}

const asksForWords = (gap: GapId, words: readonly string[]): readonly Ask[] =>
  [UNKNOWN_WORD, ...words].map((word) => ask(gap, labelOf(word)));

/** Sent last, when the trunk is no longer used; each accepted value is still restored at once. */
function stateValues(field: keyof typeof STATE): Sequence {
  const [gap, words] = STATE[field];
  // Unlike a wrong type, an unknown word may be rejected only after part of the update was stored.
  const unchanged = field === 'status' ? [ask('UPDATE-REJECTED-NO-EFFECT', 'an unknown word')] : [];
  const place = { lane: 'trunk state', phase: 'trunk state' } as const;
  const asks = [...asksForWords(gap, words), ...unchanged];
  const otherwise = { reason: `the target accepts any ${field}` };
  return onNamed(TRUNK, `observed: values of ${field}`, { asks, otherwise, ...place }, async (session) => {
    const { builder, state } = session;
    const base = acceptedBase(session, TRUNK);
    const shown = state.facts.trunk?.[field];
    if (typeof shown !== 'string') throw noOccasion(`no read shows the ${field} of the trunk`);
    const rest = words.filter((word) => word !== shown);
    let isRestored = true;
    await tryWords(rest, async (word) => {
      const label = labelOf(word);
      const json = { ...base, name: `${builder.mark} ${label}`, [field]: word };
      const about = `${field}: ${label}`;
      const answer = await sendTo(session, TRUNK, { json, asks: [ask(gap, label)], role: 'change', about });
      const { exchange: change } = answer;
      if (word === UNKNOWN_WORD && !answer.accepted && unchanged.length > 0) {
        const reading = await readTrunkLate(session, 'the trunk after an update with an unknown word was rejected');
        session.say(unchanged, reading, (evidence) => leftUnwritten(change, reading.exchange, evidence));
      }
      if (!answer.accepted) return false;
      if (word !== UNKNOWN_WORD) {
        // Two services with lists of words passed, which stored the name but never the direction or status beside it.
        const reading = await readTrunkLate(session, `the trunk after ${change.tag.about}`);
        const stored = () => storedWhole(change, reading.exchange, { [field]: shown }, true);
        session.say(ask('UPDATE-VISIBLE', 'stored'), reading, stored);
      }
      const old = { ...base, [field]: shown };
      const restored = await sendTo(session, TRUNK, { json: old, about: `${field}: restored after ${label}` });
      isRestored = settledIn(restored.exchange)[field] === shown;
      return true;
    });
    if (!isRestored) await fieldsOfTrunk(session, `the ${field} that was restored`);
  });
}

const METHODS = ['digest', 'ip'] as const;

function methods(): Sequence {
  const asks = asksForWords('GAP-VALUES-METHOD', METHODS);
  return onNamed(INBOUND_AUTH, 'observed: values of method', { asks }, async (session) => {
    const base = acceptedBase(session, INBOUND_AUTH);
    await tryWords(METHODS, async (word) => {
      const variation = { json: { ...base, method: word }, asks: [ask('GAP-VALUES-METHOD', labelOf(word))] };
      return (await sendTo(session, INBOUND_AUTH, { ...variation, about: `method: ${labelOf(word)}` })).accepted;
    });
    await sendTo(session, INBOUND_AUTH, { json: base, role: 'restore', about: 'the accepted method again' });
  });
}

const undashed = (id: string): string => id.replaceAll('-', '');

const CONNECTION_SPELLINGS = [
  ['undashed', undashed],
  ['in braces', (id: string) => `{${id}}`],
  ['as urn:uuid:', (id: string) => `urn:uuid:${id}`],
  // Groups without their leading zeros: some readers pad them again.
  ['with short groups', (id: string) => id.replace(/(^|-)0+(?=[0-9a-f])/gi, '$1')],
] as const;

/** An assignment that names an unusual connection. */
const assignmentTo = (label: string, asked: Ask, about: string, connectionOf: (session: Session) => string): Sequence =>
  single(ASSIGN, `observed: ${label}`, { asks: [asked] }, (session) => {
    return { json: { ...acceptedBase(session, ASSIGN), carrier_connection_id: connectionOf(session) }, about };
  });

/** Values of the inbound method and spellings of an id; the last assignment is always a valid one. */
function observedValues(builder: RequestBuilder): readonly Sequence[] {
  const connection = builder.named('carrierConnection') ?? '';
  // An id without a group that begins with 0 cannot be spelled shorter.
  const spellings = CONNECTION_SPELLINGS.filter(([, spell]) => connection !== '' && spell(connection) !== connection);
  const unknown = ({ builder }: Session): string => builder.uuid('unknown connection of an assignment');
  return [
    methods(),
    ...spellings.map(([label, spell]) => {
      const about = `the id of the connection ${label}`;
      return assignmentTo(`id ${label}`, ask('GAP-UUID-FORMS', label), about, () => spell(connection));
    }),
    assignmentTo(
      'unknown connection',
      ask('GAP-UNKNOWN-CONNECTION'),
      'the id of a connection that does not exist',
      unknown,
    ),
    onNamed(ASSIGN, 'two at once', { asks: PAIR.asks }, async (session) => {
      const restore = { json: acceptedBase(session, ASSIGN), role: 'restore', ...PAIR } as const;
      const requests = twoOf('assignments').map((about) => session.builder.request(ASSIGN, { ...restore, about }));
      await session.together(requests);
    }),
  ];
}

/** Writes that are observed and not judged; the name of the trunk is restored after the values of its state. */
export const observedWrites = (builder: RequestBuilder): readonly Sequence[] => [
  ...observedUpdates(),
  ...observedValues(builder),
  ...[stateValues('direction'), stateValues('status')],
];

/** One request with a safe method, which asks one gap in one variation and depends on no other. */
interface Look {
  readonly of: OperationId | 'undocumented';
  readonly gap: GapId;
  readonly label: string;
  /** The subject in its name; the label unless given. */
  readonly what?: string;
  readonly about: string;
  readonly pathOf: (session: Session) => string;
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS';
  readonly phase?: 'main' | 'hazards';
}

function look({ of, gap, label, what = label, about, pathOf, method, phase = 'main' }: Look): Sequence {
  const asks = [ask(gap, label)];
  const id = of === 'undocumented' ? null : of;
  const request = (session: Session): SuiteRequest => {
    const plain = session.builder.request(id, { path: pathOf(session), asks, about });
    return method === undefined ? plain : { ...plain, method };
  };
  const name = `${of}/observed: ${what}`;
  return { ...independent(id ?? 'listTrunks', what, { asks, lane: null, name, phase }, { request }), operation: of };
}

const MALFORMED_IDS = [
  ['%00', '%00'],
  ['an encoded slash', 'a%2Fb'],
  ['10,000 digits', '9'.repeat(10_000)],
] as const;

const TRUNK_READ = 'getTrunk';

/** The trunk's id in another spelling. */
const spelledTrunk = (label: string, spell: (id: string) => string): Look => ({
  ...{ of: TRUNK_READ, gap: 'GAP-ID-FORM', label, what: `id ${label}`, about: `the id ${label}` },
  pathOf: (session) => {
    demandNamed(session, TRUNK_READ);
    return session.builder.path(TRUNK_READ, [spell(session.builder.named('trunk') ?? '')]);
  },
});

/** A read with a parameter. */
const parameter = (of: OperationId, gap: GapId, label: string): Look => ({
  ...{ of, gap, label, about: `the parameter ${label}` },
  pathOf: ({ builder }) => withQuery(builder.path(of), label),
});

/** Requests outside the documented operations. */
const ELSEWHERE = [
  ['HEAD', '/v1/trunks/', 'GAP-HEAD'],
  ['OPTIONS', '/v1/calls/', 'GAP-OPTIONS'],
  ['GET', '/v1/calls/', 'GAP-UNKNOWN-ROUTES'],
] as const;

/** Valid requests for gaps, placed between invalid credentials, which then need fewer controls. */
export const observedAmong = (): readonly Sequence[] =>
  [
    oneMore(APPLICATION),
    oneMore(TRUNK),
    withoutMembers(INBOUND_AUTH),
    look(spelledTrunk('undashed', undashed)),
    look(parameter('searchAvailableNumbers', 'GAP-QUERY-AVAILABLE-NUMBERS', 'limit=1')),
  ].map((gap) => ({ ...gap, ...amongWithControls(gap.operation as OperationId) }));

/** Observations from reads, in either profile. */
export function observedReads(): readonly Sequence[] {
  const looks: readonly Look[] = [
    ...MALFORMED_IDS.map(([label, id]): Look => {
      const what = `id of ${label}`;
      const pathOf = ({ builder }: Session): string => builder.path(TRUNK_READ, [id]);
      return { of: TRUNK_READ, gap: 'GAP-MALFORMED-ID', label, what, about: `an ${what}`, pathOf, phase: 'hazards' };
    }),
    spelledTrunk('in capitals', (id) => id.toUpperCase()),
    parameter('listTrunks', 'GAP-UNKNOWN-QUERY', 'pcs_conformance_unknown=1'),
    parameter('listTrunks', 'GAP-QUERY-LIST-TRUNKS', 'limit=1'),
    parameter('listNumbers', 'GAP-QUERY-LIST-NUMBERS', 'limit=1'),
    parameter('listNumbers', 'GAP-PAGE-LIMITS', 'limit=100000'),
    ...ELSEWHERE.map(([method, path, gap]): Look => {
      const label = `${method} ${path}`;
      // 'GAP-HEAD' asks for what GET returns, so it needs the same query.
      const pathOf = ({ builder }: Session): string => (method === 'HEAD' ? builder.path('listTrunks') : path);
      return { of: 'undocumented', gap, label, about: label, method, pathOf };
    }),
  ];
  return looks.map(look);
}
