/**
 * What a stimulus is made of, and which pairs of its dimensions a default run covers: the whole description of what the
 * suite asks of every operation alike. test/proof/dimensions.test.ts reads the requests of a run and proves the pairs, and
 * docs/requirements.md prints them.
 */

import { type OperationId, operationById } from '../src/contract/operations.ts';
import { UUID } from '../src/contract/uuid.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import { FORM_IDS, headerValue } from '../src/exchange/message.ts';
import { edgesOf } from '../src/generate/edges.ts';
import { routeOf } from '../src/verdict/answer.ts';
import { BOUNDARY } from '../src/verdict/boundary.ts';
import { PATH_SPELLINGS, type PathSpelling } from '../suites/aliases.ts';
import { AUTHENTICATION } from '../suites/authentication.ts';
import { schemaOf } from '../suites/bodies.ts';
import { ACTIONS, EVERY_OPERATION, LISTS, READS, SHARED, UPDATES, WITH_BODY, WITH_ID } from '../suites/operations.ts';

/** A request of a run, the one to the same path before it, and what its sequence sends that has to be rejected. */
export interface Sent {
  readonly exchange: Exchange;
  readonly before: Exchange | undefined;
  readonly stimulus: string | undefined;
}

/** Two dimensions whose pairs a default run covers. */
export interface Pairing {
  readonly rows: { readonly what: string; readonly values: readonly string[] };
  readonly columns: { readonly what: string; readonly values: readonly string[] };
  /** Rows and columns that meet in a request. */
  readonly shownBy: (sent: Sent) => { readonly rows: readonly string[]; readonly columns: readonly string[] };
  /** Columns that a row does not meet, and why; no row leaves one out unless given. */
  readonly except?: { readonly isLeftOut: (row: string, column: string) => boolean; readonly reason: string };
}

const operationsIn = ({ exchange }: Sent): readonly string[] =>
  exchange.tag.documented && exchange.tag.operation !== null ? [exchange.tag.operation] : [];

const INVALID_FORMS = AUTHENTICATION.flatMap((one) =>
  'send' in one && typeof one.send === 'object' && 'credentials' in one.send ? Object.keys(one.send.credentials) : [],
);

/** The form of a request, read from its header fields. */
function formIn({ request: { headers } }: Exchange): readonly string[] {
  const names = headers.map(([name]) => name);
  if (names.every((name) => name === name.toLowerCase())) return ['lower-case'];
  if (!names.includes('Accept')) return ['no-accept'];
  return names.includes('Accept-Encoding') ? ['gzip'] : [];
}

const WILDCARD = 'ours with a percent sign';

/** Kinds of ids, by what stands in the path. */
const ID_KINDS: Readonly<Record<string, (id: string) => boolean>> = {
  'a UUID that names nothing': (id) => UUID.test(id),
  'three letters': (id) => /^[a-z]{3}$/.test(id),
  'an apostrophe and a percent sign': (id) => id.startsWith('%27%25'),
  'not UTF-8': (id) => id === '%ff',
  'long and not ASCII': (id) => id.length > 300 && id.includes('%C3'),
  'ours between two letters': (id) => /^z.+z$/.test(id) && !/^[a-z]{3}$/.test(id),
  [WILDCARD]: (id) => /^.+[^']%25$/.test(id) && id.length > 3,
};

const placeOf = (id: string, resource: string): string => `${resource} of ${id}`;

/** The ids in the path of a request that is not one of valid ids alone. */
function strangeIds({ exchange }: Sent): readonly (readonly [place: string, id: string])[] {
  const { operation, ids } = exchange.tag;
  if (operation === null || ids === 'named' || ids === 'none') return [];
  const { path, resources } = operationById(operation as OperationId);
  const segments = routeOf(exchange).split('/');
  const places = path.split('/').flatMap((part, at) => (part.startsWith('{') ? [segments[at] ?? ''] : []));
  return places.map((id, at) => [placeOf(operation, resources[at] ?? ''), id]);
}

const TEXTS_OF: readonly OperationId[] = [...UPDATES, 'assignNumber'];
/** The safety rules fix what is written there. */
const FIXED = { fixed: { '/caller_id': '' } } as const;
const TEXT_EDGES = TEXTS_OF.flatMap((id) =>
  edgesOf(schemaOf(id), FIXED, id === 'assignNumber')
    .flatMap((edge) => (edge.parts.length > 0 ? edge.parts : [edge]))
    .filter(({ theme }) => theme === 'text')
    .flatMap(({ label, texts }) => Object.keys(texts).map((pointer) => [`${pointer} of ${id}`, label] as const)),
);

/** Texts and members that a request asks about. */
const textsAsked = ({ exchange: { tag } }: Sent): readonly (readonly [member: string, text: string])[] =>
  tag.asks
    .filter(({ id }) => id === BOUNDARY)
    .flatMap(({ variation }) =>
      TEXT_EDGES.filter(([member, text]) => `${text}: ${member}`.startsWith(`${variation} of`)),
    )
    .filter(([member]) => member.endsWith(` of ${tag.operation}`));

const textIn = ({ exchange }: Sent): string => exchange.request.body?.text ?? '';
const labelOf = ({ exchange }: Sent): string | undefined => headerValue(exchange.request.headers, 'content-type');
const BODIES: Readonly<Record<string, (sent: Sent) => boolean>> = {
  'no body and no label': (sent) => sent.exchange.request.body === null && labelOf(sent) === undefined,
  'no label': (sent) => sent.exchange.request.body !== null && labelOf(sent) === undefined,
  'multipart without a boundary': (sent) => labelOf(sent) === 'multipart/form-data',
  'a charset that nobody knows': (sent) => labelOf(sent)?.endsWith('x-unknown') === true,
  'a form': (sent) => labelOf(sent) === 'application/x-www-form-urlencoded',
  'not UTF-8': ({ exchange }) => exchange.request.body?.utf8 === false,
  'arrays 400 deep': (sent) => /\[{400}/.test(textIn(sent)) && !/\[{401}/.test(textIn(sent)),
  'arrays 2,000 deep': (sent) => /\[{2000}/.test(textIn(sent)),
  'bytes after the value': (sent) => /\} plain$/.test(textIn(sent)),
};

const isSame = (one: Exchange, other: Exchange | undefined): boolean =>
  other !== undefined &&
  one.request.method === other.request.method &&
  one.request.credential === other.request.credential &&
  one.request.body?.digest === other.request.body?.digest;

/** The same path to servers that tidy it up, by what they tidy. */
const SPELLINGS: Readonly<Record<PathSpelling, (path: string) => boolean>> = {
  'with the collection in capital letters': (path) => /^\/v1\/[A-Z]/.test(path),
  'with an encoded letter': (path) => path.startsWith('/v1/%'),
  'with a path parameter': (path) => path.endsWith(';a.js'),
  'with a format': (path) => path.endsWith('.json'),
  'with the version in capital letters': (path) => path.startsWith('/V1/'),
  'with two slashes in front': (path) => path.startsWith('//v1/'),
  'with an encoded version': (path) => path.startsWith('/%761/'),
};
const SPELLED = Object.keys(SPELLINGS) as readonly PathSpelling[];

/** What another organization asks of its own, while its calls are those of the run. */
const TRIED_BY_OTHER = EVERY_OPERATION.filter((id) => id !== 'createCall' && !SHARED.some((one) => one === id));

const PACES: Readonly<Record<string, (sent: Sent) => boolean>> = {
  'twice in a row': ({ exchange, before }) => isSame(exchange, before) && !/ at once/.test(exchange.tag.about),
  'at once': ({ exchange }) => / at once/.test(exchange.tag.about),
};

const keysWhere = (tests: Readonly<Record<string, (sent: Sent) => boolean>>, sent: Sent): readonly string[] =>
  Object.keys(tests).filter((name) => tests[name]?.(sent) === true);

/** The pairs that a default run covers. */
export const PAIRINGS: readonly Pairing[] = [
  {
    rows: { what: 'operation', values: EVERY_OPERATION },
    columns: { what: 'invalid credential', values: INVALID_FORMS },
    shownBy: (sent) => ({ rows: operationsIn(sent), columns: [sent.exchange.request.credential] }),
    except: {
      isLeftOut: (operation, form) =>
        (form === 'longer-scheme' && LISTS.some((one) => one === operation)) ||
        (form === 'token-scheme' && operation !== 'listNumbers') ||
        (form === 'digest-scheme' && operation !== 'listTrunks') ||
        (form === 'query' && !READS.some((one) => one === operation)),
      reason:
        'reads alone take a query, since proxies log it; listNumbers alone the scheme Token, and listTrunks Digest, in place of one that ends in Bearer',
    },
  },
  {
    rows: { what: 'operation', values: EVERY_OPERATION },
    columns: { what: 'form of the request', values: FORM_IDS },
    shownBy: (sent) => ({ rows: operationsIn(sent), columns: formIn(sent.exchange) }),
  },
  {
    rows: { what: 'invalid credential', values: INVALID_FORMS },
    columns: { what: 'form of the request', values: FORM_IDS },
    shownBy: ({ exchange }) => ({ rows: [exchange.request.credential], columns: formIn(exchange) }),
    except: {
      isLeftOut: (form) => ['token-scheme', 'digest-scheme'].includes(form),
      reason: 'the schemes Token and Digest are sent once',
    },
  },
  {
    rows: {
      what: 'id in the path',
      values: WITH_ID.flatMap((id) => operationById(id).resources.map((resource) => placeOf(id, resource))),
    },
    columns: { what: 'kind of id', values: Object.keys(ID_KINDS) },
    shownBy: (sent) => {
      const ids = strangeIds(sent);
      const strange = ids.filter(([, id]) => Object.values(ID_KINDS).some((isOf) => isOf(id)));
      const columns = Object.keys(ID_KINDS).filter((kind) => strange.some(([, id]) => ID_KINDS[kind]?.(id)));
      return { rows: strange.map(([place]) => place), columns };
    },
    except: {
      isLeftOut: (place, kind) => kind === WILDCARD && !READS.some((id) => place.endsWith(` of ${id}`)),
      reason: 'a percent sign is tried on reads alone: a write might reach more than one record',
    },
  },
  {
    rows: { what: 'string member', values: [...new Set(TEXT_EDGES.map(([member]) => member))] },
    columns: { what: 'text', values: [...new Set(TEXT_EDGES.map(([, text]) => text))] },
    shownBy: (sent) => {
      const asked = textsAsked(sent);
      return { rows: asked.map(([member]) => member), columns: asked.map(([, text]) => text) };
    },
    except: {
      isLeftOut: (member, text) => !TEXT_EDGES.some((pair) => pair[0] === member && pair[1] === text),
      reason: 'the id of an assignment is tried with the longest text alone',
    },
  },
  {
    rows: { what: 'operation with a body', values: WITH_BODY },
    columns: { what: 'body', values: Object.keys(BODIES) },
    shownBy: (sent) => ({ rows: operationsIn(sent), columns: keysWhere(BODIES, sent) }),
    except: {
      isLeftOut: (operation, body) => operation === 'createCall' && body === 'a charset that nobody knows',
      reason: 'what a target reads of a call in another charset, the safety rules cannot know',
    },
  },
  {
    rows: { what: 'action', values: ACTIONS },
    columns: { what: 'label', values: ['JSON, without a body'] },
    shownBy: (sent) => {
      const isLabelled = sent.exchange.request.body === null && labelOf(sent) === 'application/json';
      return { rows: operationsIn(sent), columns: isLabelled ? ['JSON, without a body'] : [] };
    },
  },
  {
    rows: { what: 'read', values: READS },
    columns: { what: 'path', values: SPELLED },
    shownBy: (sent) => {
      const { request, tag } = sent.exchange;
      return {
        rows: tag.operation === null ? [] : [tag.operation],
        columns: SPELLED.filter((one) => SPELLINGS[one](request.path)),
      };
    },
    except: {
      isLeftOut: (read, spelling) => !PATH_SPELLINGS[spelling as PathSpelling][0].some((id) => id === read),
      reason:
        'one piece of code reads the version, and one the name of a collection; what ends a path follows an id or a slash',
    },
  },
  {
    rows: { what: "operation on another organization's resource", values: TRIED_BY_OTHER },
    columns: { what: 'Accept', values: ['there', 'absent'] },
    shownBy: (sent) => {
      const { request, tag } = sent.exchange;
      const isAbsent = headerValue(request.headers, 'accept') === undefined;
      const isTheirs = request.credential === 'other-organization' && tag.ids !== 'well-formed';
      return { rows: operationsIn(sent), columns: isTheirs ? [isAbsent ? 'absent' : 'there'] : [] };
    },
  },
  {
    rows: { what: 'operation', values: [...READS, ...ACTIONS, 'updateTrunk', 'createCall'] },
    columns: { what: 'pace', values: Object.keys(PACES) },
    shownBy: (sent) => ({ rows: operationsIn(sent), columns: keysWhere(PACES, sent) }),
    except: {
      isLeftOut: (operation, pace) => operation === 'createCall' && pace === 'at once',
      reason: 'a call is hung up before the next is placed',
    },
  },
  {
    rows: { what: 'list', values: LISTS },
    columns: { what: 'history', values: ["another organization's, right after ours"] },
    shownBy: (sent) => {
      const { exchange, before } = sent;
      // One in another form follows on each.
      const isPlain = formIn(exchange).length === 0 && exchange.request.credential === 'other-organization';
      const isTheirs = isPlain && before?.request.credential === 'valid';
      return { rows: operationsIn(sent), columns: isTheirs ? ["another organization's, right after ours"] : [] };
    },
  },
];

/** The pairs as Markdown. */
export function renderPairings(): string {
  const rows = PAIRINGS.map(({ rows, columns, except }) => {
    const pairs = rows.values.flatMap((row) => columns.values.filter((column) => !except?.isLeftOut(row, column)));
    return `| ${rows.what} (${rows.values.length}) | ${columns.what}: ${columns.values.join(', ')} | ${pairs.length} | ${except?.reason ?? ''} |`;
  });
  return ['| each of | with each | pairs | but |', '|---|---|---|---|', ...rows].join('\n');
}
