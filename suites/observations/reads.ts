/** Observed with GET, HEAD and OPTIONS alone: ids, parameters, methods, routes. */

import type { Variation } from '../../src/run/builder.ts';
import { type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { ask } from '../catalogue.ts';
import { sendTo, single } from '../sequences/sending.ts';

const MALFORMED_IDS = [
  ['%00', '%00'],
  ['an encoded slash', 'a%2Fb'],
  ['10,000 characters', 'x'.repeat(10_000)],
] as const;

function malformedId([label, id]: (typeof MALFORMED_IDS)[number]): Sequence {
  const asks = [ask('GAP-MALFORMED-ID', label)];
  const run = async (session: Session): Promise<void> => {
    const path = session.builder.path('getTrunk', [id]);
    await sendTo(session, 'getTrunk', { path, asks, about: `an id of ${label}` });
  };
  return sequence('getTrunk', `observed: id of ${label}`, asks, run, { lane: null, phase: 'hazards' });
}

const ID_SPELLINGS = [
  ['in capitals', (id: string) => id.toUpperCase()],
  ['undashed', (id: string) => id.replaceAll('-', '')],
] as const;

function spelledId([label, spell]: (typeof ID_SPELLINGS)[number]): Sequence {
  const variationOf = ({ builder }: Session): Variation => {
    return { path: builder.path('getTrunk', [spell(builder.named('trunk') ?? '')]), about: `the id ${label}` };
  };
  return single('getTrunk', `observed: id ${label}`, [ask('GAP-ID-FORM', label)], variationOf, { lane: null });
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
  return single(id, `observed: ${query}`, [ask(gap, query)], variationOf, { lane: null });
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
  const run = async (session: Session): Promise<void> => {
    const { builder } = session;
    // 'GAP-HEAD' asks for what GET returns, so it needs the same query.
    const target = method === 'HEAD' ? builder.path('listTrunks') : path;
    await session.send({ ...builder.request(null, { path: target, asks, about }), method });
  };
  const name = `undocumented/observed: ${about}`;
  return { ...sequence('listTrunks', about, asks, run, { lane: null, name }), operation: 'undocumented' };
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
