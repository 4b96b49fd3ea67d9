/** What is sent for the gaps alone: unusual updates and assignments, values of words, spellings of ids, other methods. */

import { noOccasion } from '../../src/client/request.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { EDGE_INTEGERS } from '../../src/generate/edges.ts';
import { type JsonObject, textWith } from '../../src/generate/json.ts';
import { boundary, type RequestBuilder, type Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session } from '../../src/run/sequence.ts';
import { acceptedBase, encoded, malformed } from '../bodies.ts';
import { ask } from '../catalogue.ts';
import { APPLICATION, ASSIGN, TRUNK, UPDATES, type Update } from '../operations.ts';
import { onNamed, sendTo, sendValid, sequence, single } from '../sequences/sending.ts';
import { readTrunk, untilShown } from '../sequences/shown.ts';
import { UNKNOWN_MEMBER, UNKNOWN_WORD } from './choices.ts';
import type { GapId } from './index.ts';

const RING = 'ring_timeout_seconds';

const encoder = new TextEncoder();

/** One update that differs from the accepted one. */
interface Unusual {
  readonly gap: GapId;
  readonly label: string;
  readonly bytesOf: (base: JsonObject) => Uint8Array | null;
}

const LENGTH = 8_000;

/** White space is not part of any value: it only makes the body longer. */
function padded(base: JsonObject): Uint8Array {
  const text = JSON.stringify(base);
  return encoder.encode(text + ' '.repeat(Math.max(0, LENGTH - Buffer.byteLength(text))));
}

/** Records that take every member for a column fail at one that is none. */
const ONE_MORE: Unusual = {
  gap: 'GAP-UNKNOWN-MEMBERS',
  label: 'one member more',
  bytesOf: (base) => encoded({ ...base, [UNKNOWN_MEMBER]: UNKNOWN_WORD }),
};

const UNUSUAL_UPDATES: readonly Unusual[] = [
  ONE_MORE,
  {
    gap: 'GAP-DUPLICATE-MEMBERS',
    label: 'the first member twice',
    bytesOf: (base) => malformed(base, 'duplicate-member'),
  },
  { gap: 'GAP-SIZE-LIMITS', label: 'a body of 8,000 bytes', bytesOf: padded },
];

function unusual(id: Update, { gap, label, bytesOf }: Unusual): Sequence {
  const variationOf = (session: Session): Variation => ({ body: bytesOf(acceptedBase(session, id)), about: label });
  return single(id, `observed: ${label}`, { asks: [ask(gap, label)] }, variationOf);
}

/** Integers at the edge of what implementations store, after everything ordinary. */
export const integers = (): readonly Sequence[] =>
  EDGE_INTEGERS.map((label) => {
    const about = `${RING} is ${label}`;
    const bodyOf = (session: Session): Uint8Array =>
      encoder.encode(textWith(acceptedBase(session, APPLICATION), { [RING]: label }));
    const asks = [ask('GAP-RING-TIMEOUT-BOUNDS', label), boundary(about)];
    return single(APPLICATION, `boundary: ${about}`, { asks, phase: 'hazards' }, (session) => ({
      body: bodyOf(session),
      about,
    }));
  });

/** An update with an empty object, and one without any body; the empty one of the application is a control. */
function emptied(id: Update): readonly Sequence[] {
  const send = (about: string, gap: GapId, body: Variation): Sequence =>
    single(id, `observed: ${about}`, { asks: [ask(gap, about)] }, () => ({ ...body, about }));
  const empty = send('an empty object', 'GAP-EMPTY-UPDATE', { json: {} });
  return [...(id === APPLICATION ? [] : [empty]), send('no body', 'GAP-BODY-REQUIRED', {})];
}

/** All unusual updates. */
export function observedUpdates(): readonly Sequence[] {
  return [
    ...UNUSUAL_UPDATES.map((one) => unusual(APPLICATION, one)),
    unusual(TRUNK, ONE_MORE),
    ...UPDATES.flatMap(emptied),
  ];
}

const INBOUND = 'setInboundAuth';
const STATE = {
  direction: ['GAP-VALUES-DIRECTION', ['inbound', 'outbound', 'bidirectional']],
  status: ['GAP-VALUES-STATUS', ['active', 'inactive', 'disabled']],
} as const;

const labelOf = (word: string): string => (word === UNKNOWN_WORD ? 'any word' : word);

/** Sends the words, but stops if the unknown one is accepted. */
async function tryWords(words: readonly string[], send: (word: string) => Promise<boolean>): Promise<void> {
  for (const word of [UNKNOWN_WORD, ...words]) if ((await send(word)) && word === UNKNOWN_WORD) break;
}

const asksForWords = (gap: GapId, words: readonly string[]): readonly Ask[] =>
  [UNKNOWN_WORD, ...words].map((word) => ask(gap, labelOf(word)));

async function lookAfter(session: Session, asks: readonly Ask[]): Promise<void> {
  await untilShown(session);
  const about = 'the trunk after an update with an unknown word was rejected';
  await sendValid(session, 'getTrunk', { role: 'after', asks, about });
}

/** Sent last, when the trunk is no longer used; each accepted value is still restored at once. */
function stateValues(field: keyof typeof STATE): Sequence {
  const [gap, words] = STATE[field];
  // Unlike a wrong type, an unknown word may be rejected only after part of the update was stored.
  const unchanged = field === 'status' ? [ask('UPDATE-REJECTED-NO-EFFECT', 'an unknown word')] : [];
  const place = { lane: 'trunk state', phase: 'trunk state' } as const;
  return sequence(
    TRUNK,
    `observed: values of ${field}`,
    { asks: [...asksForWords(gap, words), ...unchanged], ...place },
    async (session) => {
      const { builder, state } = session;
      demandNamed(session, TRUNK);
      const base = acceptedBase(session, TRUNK);
      const shown = state.facts.trunk?.[field];
      if (typeof shown !== 'string') throw noOccasion(`no read shows the ${field} of the trunk`);
      const write = (value: string, about: string, asks: readonly Ask[], more: Partial<Variation> = {}) =>
        sendTo(session, TRUNK, { json: { ...base, [field]: value }, asks, about, ...more });
      const others = words.filter((word) => word !== shown);
      let isRestored = true;
      await tryWords(others, async (word) => {
        const isRenaming = word === UNKNOWN_WORD && unchanged.length > 0;
        const json = { ...base, name: `${builder.mark} refused word`, [field]: word };
        const renaming = isRenaming ? ({ json, role: 'change' } as const) : {};
        const { accepted } = await write(word, `${field}: ${labelOf(word)}`, [ask(gap, labelOf(word))], renaming);
        if (isRenaming && accepted) session.settled(unchanged, `the target accepts any ${field}`);
        else if (isRenaming) await lookAfter(session, unchanged);
        if (!accepted) return false;
        const { status, exchange } = await write(shown, `${field}: restored after ${labelOf(word)}`, []);
        isRestored = status !== 202 && exchange.response?.learned?.fields?.[field] === shown;
        return true;
      });
      if (!isRestored) await readTrunk(session, `the ${field} that was restored`);
    },
  );
}

const METHODS = ['digest', 'ip'] as const;

function methods(): Sequence {
  return onNamed(
    INBOUND,
    'observed: values of method',
    { asks: asksForWords('GAP-VALUES-METHOD', METHODS) },
    async (session) => {
      const base = acceptedBase(session, INBOUND);
      await tryWords(METHODS, async (word) => {
        const variation = { json: { ...base, method: word }, asks: [ask('GAP-VALUES-METHOD', labelOf(word))] };
        return (await sendTo(session, INBOUND, { ...variation, about: `method: ${labelOf(word)}` })).accepted;
      });
      await sendTo(session, INBOUND, { json: base, role: 'restore', about: 'the accepted method again' });
    },
  );
}

/** Groups without their leading zeros: some readers pad them again. */
const withShortGroups = (id: string): string => id.replace(/(^|-)0+(?=[0-9a-f])/gi, '$1');

const CONNECTION_SPELLINGS = [
  ['undashed', (id: string) => id.replaceAll('-', '')],
  ['in braces', (id: string) => `{${id}}`],
  ['as urn:uuid:', (id: string) => `urn:uuid:${id}`],
  ['with short groups', withShortGroups],
] as const;

function spelling(connection: string, [label, spell]: (typeof CONNECTION_SPELLINGS)[number]): readonly Sequence[] {
  // An id without a group that begins with 0 cannot be spelled shorter.
  if (connection === '' || spell(connection) === connection) return [];
  const about = `the id of the connection ${label}`;
  const variationOf = (session: Session): Variation => ({ json: assignmentTo(session, spell(connection)), about });
  return [single(ASSIGN, `observed: id ${label}`, { asks: [ask('GAP-UUID-FORMS', label)] }, variationOf)];
}

const assignmentTo = (session: Session, connection: string): JsonObject => {
  return { ...acceptedBase(session, ASSIGN), carrier_connection_id: connection };
};

function unknownConnection(): Sequence {
  return single(ASSIGN, 'observed: unknown connection', { asks: [ask('GAP-UNKNOWN-CONNECTION')] }, (session) => {
    const id = session.builder.uuid('unknown connection of an assignment');
    return { json: assignmentTo(session, id), about: 'the id of a connection that does not exist' };
  });
}

/** The last assignment is always a valid one. */
function assignAgain(): Sequence {
  return single(ASSIGN, 'observed: restore', {}, (session) => {
    return { json: acceptedBase(session, ASSIGN), role: 'restore', about: 'the valid assignment again' };
  });
}

/** Values of the inbound method and spellings of an id. */
export function observedValues(builder: RequestBuilder): readonly Sequence[] {
  const connection = builder.named('carrierConnection') ?? '';
  return [
    methods(),
    ...CONNECTION_SPELLINGS.flatMap((one) => spelling(connection, one)),
    unknownConnection(),
    assignAgain(),
  ];
}

/** Values of a trunk's state; its name is restored afterwards. */
export const observedState = (): readonly Sequence[] => [stateValues('direction'), stateValues('status')];

const MALFORMED_IDS = [
  ['%00', '%00'],
  ['an encoded slash', 'a%2Fb'],
  ['10,000 characters', 'x'.repeat(10_000)],
] as const;

function malformedId([label, id]: (typeof MALFORMED_IDS)[number]): Sequence {
  const asks = [ask('GAP-MALFORMED-ID', label)];
  return sequence('getTrunk', `observed: id of ${label}`, { asks, lane: null, phase: 'hazards' }, async (session) => {
    const path = session.builder.path('getTrunk', [id]);
    await sendTo(session, 'getTrunk', { path, asks, about: `an id of ${label}` });
  });
}

const ID_SPELLINGS = [
  ['in capitals', (id: string) => id.toUpperCase()],
  ['undashed', (id: string) => id.replaceAll('-', '')],
] as const;

function spelledId([label, spell]: (typeof ID_SPELLINGS)[number]): Sequence {
  const variationOf = ({ builder }: Session): Variation => {
    return { path: builder.path('getTrunk', [spell(builder.named('trunk') ?? '')]), about: `the id ${label}` };
  };
  return single('getTrunk', `observed: id ${label}`, { asks: [ask('GAP-ID-FORM', label)], lane: null }, variationOf);
}

const PARAMETERS = [
  ['listTrunks', 'GAP-UNKNOWN-QUERY', 'pcs_conformance_unknown=1'],
  ['listTrunks', 'GAP-QUERY-LIST-TRUNKS', 'limit=1'],
  ['listNumbers', 'GAP-QUERY-LIST-NUMBERS', 'limit=1'],
  ['listNumbers', 'GAP-PAGE-LIMITS', 'limit=100000'],
  ['searchAvailableNumbers', 'GAP-QUERY-AVAILABLE-NUMBERS', 'limit=1'],
] as const;

function parameter([id, gap, query]: (typeof PARAMETERS)[number]): Sequence {
  const variationOf = ({ builder }: Session): Variation => {
    const plain = builder.path(id);
    return { path: `${plain}${plain.includes('?') ? '&' : '?'}${query}`, about: `the parameter ${query}` };
  };
  return single(id, `observed: ${query}`, { asks: [ask(gap, query)], lane: null }, variationOf);
}

/** Requests outside the documented operations, with safe methods only. */
const ELSEWHERE = [
  ['HEAD', '/v1/trunks/', 'GAP-HEAD'],
  ['OPTIONS', '/v1/calls/', 'GAP-OPTIONS'],
  ['GET', '/v1/calls/', 'GAP-UNKNOWN-ROUTES'],
] as const;

function elsewhere([method, path, gap]: (typeof ELSEWHERE)[number]): Sequence {
  const about = `${method} ${path}`;
  const asks = [ask(gap, about)];
  const name = `undocumented/observed: ${about}`;
  return {
    ...sequence('listTrunks', about, { asks, lane: null, name }, async (session) => {
      const { builder } = session;
      // 'GAP-HEAD' asks for what GET returns, so it needs the same query.
      const target = method === 'HEAD' ? builder.path('listTrunks') : path;
      await session.send({ ...builder.request('listTrunks', { path: target, asks, about }), operation: null, method });
    }),
    operation: 'undocumented',
  };
}

/** Observations from reads, in either profile. */
export function observedReads(): readonly Sequence[] {
  return [
    ...MALFORMED_IDS.map(malformedId),
    ...ID_SPELLINGS.map(spelledId),
    ...PARAMETERS.map(parameter),
    ...ELSEWHERE.map(elsewhere),
  ];
}
