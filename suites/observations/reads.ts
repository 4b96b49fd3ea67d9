/** Observed with GET, HEAD and OPTIONS alone: ids, parameters, methods, routes. */

import { operationOf } from '../../src/client/request-path.ts';
import { type OperationId, operationById } from '../../src/contract/operations.ts';
import { UUID } from '../../src/contract/uuid.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { ask, type Variation } from '../../src/run/builder.ts';
import type { Observation } from '../../src/run/requirement.ts';
import { type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { bodyOf, headerOf, isAccepted, routeOf } from '../../src/verdict/answer.ts';
import { single } from '../sequences/single.ts';
import { allOf, asked, askedGap, isHeard, outcomeOf, perExchange, where } from './choices.ts';

/** Compares with the response without the parameter; a small difference such as a timestamp does not count. */
function withLength(exchange: Exchange, plain: Exchange | undefined): string {
  const outcome = outcomeOf(exchange);
  if (!isAccepted(exchange) || plain === undefined) return outcome;
  const length = bodyOf(exchange)?.length ?? 0;
  const usual = bodyOf(plain)?.length ?? 0;
  if (length < usual * 0.8) return `${outcome}, shorter than without it`;
  return `${outcome}, ${length > usual * 1.2 ? 'longer than' : 'about as long as'} without it`;
}

function withAllow(exchange: Exchange): string {
  const methods = headerOf(exchange, 'allow')?.split(',') ?? [];
  const names = methods.map((method) => method.trim()).sort();
  return `${outcomeOf(exchange)}, ${names.length === 0 ? 'no Allow' : `Allow: ${names.join(', ')}`}`;
}

/** The ids of an accepted request: UUIDs, or something else. */
function idForm(exchange: Exchange): string | null {
  const template = operationById(exchange.tag.operation as OperationId).path.split('/');
  const ids = routeOf(exchange)
    .split('/')
    .filter((_, at) => template[at]?.startsWith('{'));
  if (ids.length === 0) return null;
  return ids.every((id) => UUID.test(id)) ? 'UUIDs' : 'other than UUIDs';
}

const ofAccepted = where(
  (one) => isHeard(one) && one.tag.documented && one.tag.ids === 'named' && isAccepted(one),
  perExchange(idForm),
);

const isOtherSlashForm = ({ request }: Exchange): boolean =>
  operationOf(request.method, request.path)?.documented === false;

const ofOtherForm = where((one) => isHeard(one) && isOtherSlashForm(one), perExchange(outcomeOf));

const PARAMETER = 'The parameter limit=1, compared with the response without it.';
const BESIDE = { read: asked(withLength) };

export const GAP_UNKNOWN_ROUTES = askedGap(
  'GAP-UNKNOWN-ROUTES',
  '4',
  'How does the target respond on undocumented routes?',
  'GET on a made-up route, and on create call.',
);

const queryGap = <const Id extends Observation['id']>(id: Id, what: string) =>
  askedGap(id, '4', `Which parameters does ${what} accept?`, PARAMETER, BESIDE);

const QUERY_NUMBERS = queryGap('GAP-QUERY-LIST-NUMBERS', 'list numbers');
const QUERY_TRUNKS = queryGap('GAP-QUERY-LIST-TRUNKS', 'list trunks');
const QUERY_SEARCH = queryGap('GAP-QUERY-AVAILABLE-NUMBERS', 'the number search');
const UNKNOWN_QUERY = askedGap(
  'GAP-UNKNOWN-QUERY',
  '4',
  'What happens to an unknown parameter?',
  'A made-up parameter on list trunks.',
);
const ID_FORM = askedGap(
  'GAP-ID-FORM',
  '4',
  'What form do ids in paths have?',
  'The ids of accepted requests; a trunk id in upper case and undashed.',
  { read: allOf(asked(), ofAccepted) },
);
/** Sent by suites/sequences/ids.ts, too. */
export const MALFORMED_ID = askedGap(
  'GAP-MALFORMED-ID',
  '4',
  'What is the response to a malformed id?',
  'Three letters, an apostrophe, %FF and a long, non-ASCII text for each id; on a read also %00, %2F and 10,000 characters.',
  { also: [{ id: 'MALFORMED-ID-REFUSED' }] },
);
const HEAD = askedGap('GAP-HEAD', '4', 'What is the response to HEAD?', 'HEAD on the list of trunks.');
const OPTIONS = askedGap('GAP-OPTIONS', '4', 'What is the response to OPTIONS?', 'OPTIONS on create call.', {
  read: asked(withAllow),
});

/** Sent with the list parameters, although it belongs to section 8. */
export const GAP_PAGE_LIMITS = askedGap(
  'GAP-PAGE-LIMITS',
  '8',
  'Which limits does paging have?',
  'A parameter limit=100000 on list numbers.',
  BESIDE,
);

/** Gaps of section 4 about queries. */
export const QUERY_GAPS: readonly Observation[] = [QUERY_NUMBERS, QUERY_TRUNKS, QUERY_SEARCH, UNKNOWN_QUERY];

/** Gaps of section 4 about paths and routes. */
export const PATH_GAPS: readonly Observation[] = [
  {
    id: 'GAP-OTHER-SLASH-FORM',
    section: '4',
    question: 'What does the other slash form of a path return?',
    probe: 'Each path in that form.',
    read: ofOtherForm,
  },
  ID_FORM,
  askedGap('GAP-UNKNOWN-ID', '4', 'What is the response to an unknown id?', 'A random UUID for each id in a path.', {
    also: [{ id: 'UNKNOWN-ID-REFUSED' }],
  }),
  MALFORMED_ID,
  HEAD,
  OPTIONS,
  GAP_UNKNOWN_ROUTES,
];

const MALFORMED = [
  ['%00', '%00'],
  ['an encoded slash', 'a%2Fb'],
  ['10,000 characters', 'x'.repeat(10_000)],
] as const;

function malformedId([label, id]: (typeof MALFORMED)[number]): Sequence {
  const asks = [ask(MALFORMED_ID, label)];
  const run = async (session: Session): Promise<void> => {
    const path = session.builder.path('getTrunk', [id]);
    await session.send(session.builder.request('getTrunk', { path, asks, about: `an id of ${label}` }));
  };
  return sequence('getTrunk', `observed: id of ${label}`, asks, run, { lane: null, phase: 'hazards' });
}

const SPELLINGS = [
  ['in capitals', (id: string) => id.toUpperCase()],
  ['undashed', (id: string) => id.replaceAll('-', '')],
] as const;

function spelledId([label, spell]: (typeof SPELLINGS)[number]): Sequence {
  const variationOf = ({ builder }: Session): Variation => {
    return { path: builder.path('getTrunk', [spell(builder.named('trunk') ?? '')]), about: `the id ${label}` };
  };
  return single('getTrunk', `observed: id ${label}`, [ask(ID_FORM, label)], variationOf, { lane: null });
}

const PARAMETERS = [
  ['listTrunks', UNKNOWN_QUERY, 'pcs_conformance_unknown=1'],
  ['listTrunks', QUERY_TRUNKS, 'limit=1'],
  ['listNumbers', QUERY_NUMBERS, 'limit=1'],
  ['listNumbers', GAP_PAGE_LIMITS, 'limit=100000'],
  ['searchAvailableNumbers', QUERY_SEARCH, 'limit=1'],
] as const;

function parameter([id, gap, query]: (typeof PARAMETERS)[number]): Sequence {
  const variationOf = ({ builder }: Session): Variation => {
    const plain = builder.path(id);
    return { path: `${plain}${plain.includes('?') ? '&' : '?'}${query}`, about: `the parameter ${query}` };
  };
  return single(id, `observed: ${query}`, [ask(gap, query)], variationOf, { lane: null });
}

/** Requests outside the documented operations, with safe methods only. */
const ELSEWHERE = [
  ['HEAD', '/v1/trunks/', HEAD],
  ['OPTIONS', '/v1/calls/', OPTIONS],
  ['GET', '/v1/calls/', GAP_UNKNOWN_ROUTES],
] as const;

function elsewhere([method, path, gap]: (typeof ELSEWHERE)[number]): Sequence {
  const about = `${method} ${path}`;
  const asks = [ask(gap, about)];
  const run = async (session: Session): Promise<void> => {
    const { builder } = session;
    // HEAD asks for what GET returns, so it needs the same query.
    const target = method === 'HEAD' ? builder.path('listTrunks') : path;
    await session.send({ ...builder.request('listTrunks', { path: target, asks, about }), operation: null, method });
  };
  const name = `undocumented/observed: ${about}`;
  return { ...sequence('listTrunks', about, asks, run, { lane: null, name }), operation: 'undocumented' };
}

/** Observations from reads, in either profile. */
export function observedReads(): readonly Sequence[] {
  return [
    ...MALFORMED.map(malformedId),
    ...SPELLINGS.map(spelledId),
    ...PARAMETERS.map(parameter),
    ...ELSEWHERE.map(elsewhere),
  ];
}
