/**
 * Fields and queries that may crash their readers: a malformed Accept, a query with a stray `%`, paging by words or below
 * zero, the label of a missing body (conformance model, section 3).
 */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import { ACTIONS, OPERATION_IDS, type OperationId } from '../../src/contract/operations.ts';
import { withQuery } from '../../src/contract/path-text.ts';
import { type Ask, MALFORMED_ACCEPT } from '../../src/exchange/exchange.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session } from '../../src/run/sequence.ts';
import { boundary } from '../../src/verdict/boundary.ts';
import { ask } from '../ask.ts';
import { isOneOf, ON_CALLS, READS } from '../operations.ts';
import { harmless } from './credentials.ts';
import { amongCredentials, independent, type Placed, sendTo } from './sending.ts';

interface Malformed {
  readonly about: string;
  readonly asks?: readonly Ask[];
  /** What it adds to the query. */
  readonly query?: string;
  readonly variation?: Variation;
}

const ACCEPT: Malformed = {
  about: 'a malformed Accept',
  asks: [ask('OTHER-LABEL-NO-SERVER-ERROR', 'a malformed Accept')],
  variation: { headers: [['Accept', MALFORMED_ACCEPT]] },
};

const QUERY: Malformed = { about: 'a query with a stray %', query: 'pcs_conformance=%&%zz=100%' };

/** Usual names: `int(request.GET["limit"])` answers 500 to a word, and a slice of a query to a negative number. */
const paging = (about: string, value: string): Malformed => {
  return { about, query: ['limit', 'offset', 'page'].map((name) => `${name}=${value}`).join('&') };
};
const PAGED_BY_WORDS = paging('limit, offset and page that are words', 'x');

/** What is read by pages, and how each is asked for; the search often has a reader of its own. */
const PAGING: Partial<Readonly<Record<OperationId, Malformed>>> = {
  listTrunks: PAGED_BY_WORDS,
  listNumbers: paging('limit, offset and page below zero', '-1'),
  searchAvailableNumbers: PAGED_BY_WORDS,
};

/** Most HTTP clients send an action with it. */
const LABEL: Malformed = {
  about: 'labelled as JSON, without a body',
  variation: { body: null, contentType: 'application/json' },
};

const EMPTY_OBJECT: Malformed = { about: 'labelled as JSON, with the body {}', variation: { json: {} } };

const asksOf = ({ about, asks = [] }: Malformed): readonly Ask[] => [boundary(about), ...asks];

/** The parts in one request, and each alone if that is not accepted. */
function together(id: OperationId, parts: readonly Malformed[], place: Placed): Sequence {
  const asks = parts.flatMap(asksOf);
  const label = parts.map(({ about }) => about).join(', and ');
  const varied = (session: Session, some: readonly Malformed[]): Variation => {
    const queries = some.flatMap(({ query = [] }) => query).join('&');
    const path = queries === '' ? {} : { path: withQuery(session.builder.path(id), queries) };
    return Object.assign(harmless(session, id), path, ...some.map(({ variation }) => variation));
  };
  const request = (session: Session): SuiteRequest => {
    // An ended or made-up call is used for actions on calls.
    if (!isOneOf(ON_CALLS, id)) demandNamed(session, id);
    return session.builder.request(id, { ...varied(session, parts), asks, about: label });
  };
  const note = async (session: Session, { accepted, exchange }: Answer): Promise<void> => {
    if (parts.length < 2 || accepted) return;
    for (const part of parts) {
      const alone = { asks: asksOf(part), role: 'alone', partOf: exchange.seq, about: part.about } as const;
      await sendTo(session, id, { ...varied(session, [part]), ...alone });
    }
  };
  return independent(id, `boundary: ${label}`, { asks, ...place }, { request, note });
}

/**
 * On every operation of the profile, together and late. A write never has a query, and a read with a body may lose its
 * connection (RFC 9110, 9.3.1).
 */
export function malformedFields({ options }: RequestBuilder): readonly Sequence[] {
  const ids = OPERATION_IDS.filter((id) => options.profile === 'full' || isOneOf(READS, id));
  const partsOf = (id: OperationId): readonly Malformed[] =>
    isOneOf(READS, id) ? [ACCEPT, QUERY, ...[PAGING[id] ?? []].flat(), LABEL] : [ACCEPT];
  return ids.map((id) => together(id, partsOf(id), { phase: 'hazards' }));
}

/** An action with a label, as most clients send it: on an ended call, its rejection is only about the call. */
export const labelledActions = (id: OperationId): readonly Sequence[] =>
  (isOneOf(ACTIONS, id) ? [LABEL, EMPTY_OBJECT] : []).map((part) =>
    together(id, [part], { ...amongCredentials(id), name: `${id}/${part.about}` }),
  );
