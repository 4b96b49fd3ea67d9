/** Exchanges for tests of what is read off a record: plain ones, with what a test says of them. */

import type {
  CredentialForm,
  Exchange,
  ExchangeTag,
  RecordedBody,
  RecordedHeader,
} from '../../../src/exchange/exchange.ts';
import { bodyFacts, type FactOptions } from '../../../src/exchange/facts.ts';
import type { JudgedRecord } from '../../../src/verdict/record.ts';

/** What differs from an accepted read of the trunks with the valid credential. */
export interface Said {
  readonly operation?: string | null;
  readonly method?: string;
  readonly path?: string;
  readonly sent?: unknown;
  readonly credential?: CredentialForm;
  readonly tag?: Partial<ExchangeTag>;
  /** `null`: no complete response. */
  readonly status?: number | null;
  readonly headers?: readonly RecordedHeader[];
  readonly answered?: unknown;
  readonly took?: number;
}

const FACTS: FactOptions = {
  keepText: true,
  redact: (text) => text,
  digest: (of) => `d${String(of).length}`,
  watch: new Map(),
};

function factsOf(json: unknown, keepText: boolean): RecordedBody | null {
  return json === undefined ? null : bodyFacts(new TextEncoder().encode(JSON.stringify(json)), { ...FACTS, keepText });
}

function exchangeOf(said: Said, seq: number): Exchange {
  const { operation = 'listTrunks', status = 200, took = 1 } = said;
  const tag: ExchangeTag = {
    operation,
    documented: operation !== null,
    ids: 'none',
    sequence: `sequence ${seq}`,
    attempt: 0,
    role: 'probe',
    resend: 0,
    asks: [],
    control: false,
    about: '',
    ...said.tag,
  };
  return {
    seq,
    tag,
    request: {
      method: said.method ?? 'GET',
      path: said.path ?? '/v1/trunks/',
      credential: said.credential ?? 'valid',
      headers: [],
      body: factsOf(said.sent, true),
    },
    response:
      status === null
        ? null
        : { status, headers: said.headers ?? [], body: factsOf(said.answered, status >= 300), leaks: [] },
    failure: status === null ? { kind: 'timeout', detail: 'no response came in time' } : null,
    at: seq,
    took,
  };
}

/** A record of these exchanges, in this order. */
export function recordOf(...said: readonly Said[]): JudgedRecord {
  return {
    header: {
      suite: { name: 'pcs-conformance', version: '0.0.0' },
      target: 'http://service.invalid',
      profile: 'full',
      without: [],
      only: [],
      strict: false,
      seed: 1,
      explore: 0,
      settings: [],
    },
    plan: [],
    exchanges: said.map((one, at) => exchangeOf(one, at + 1)),
    skipped: [],
    errors: [],
    endedEarly: null,
    possiblyOpen: [],
    changed: [],
    calls: 0,
  };
}
