import { Ajv } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import harSchema from 'har-schema';
import { describe, expect, test } from 'vitest';
import { renderHar } from '../../../src/report/json-files.ts';
import { EXCHANGES, HOSTILE, MADE, MADE_WITH_FACTS, madeWith } from './made-run.ts';
import { referenceRun } from './real-runs.ts';

interface Named {
  readonly name: string;
  readonly value: string;
}

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly url: string;
    readonly _path: string;
    readonly comment: string;
    readonly headers: readonly Named[];
    readonly queryString: readonly Named[];
    readonly postData?: { readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly _error?: string;
    readonly content: { readonly text?: string; readonly size: number; readonly _facts?: object };
  };
}

function validator(): (document: unknown) => string {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  ajv.addMetaSchema(draft06);
  const { har, ...others } = harSchema;
  for (const schema of Object.values(others)) ajv.addSchema(schema);
  ajv.addFormat('uri', (text) => /^https?:\/\/[!#-;=?-[\]_a-z~]+$/.test(text) && URL.canParse(text));
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
  const validate = ajv.compile(har ?? {});
  return (document) => (validate(document) ? '' : ajv.errorsText(validate.errors));
}

const complaint = validator();
const entriesOf = (text: string): readonly Entry[] => (JSON.parse(text) as { log: { entries: Entry[] } }).log.entries;

describe('evidence.har', () => {
  test.each([
    ['the made run', async () => MADE],
    ['a run with facts', async () => MADE_WITH_FACTS],
    ['a target with a masked token', async () => madeWith({ target: 'http://[::1]:8080/⟦token⟧' })],
  ])('is valid HAR for %s', async (_name, run) => {
    expect(complaint(JSON.parse(renderHar(await run())))).toBe('');
  });

  test('keeps path, bodies and header fields unchanged', () => {
    const [, second] = entriesOf(renderHar(MADE));
    expect(second?.request._path).toBe(`/v1/calls/?q=2${HOSTILE}`);
    expect(second?.request.url).toMatch(/^http:\/\/service\.invalid\/base\/v1\/calls\/\?q=2hostile/);
    expect(second?.request.postData?.text).toBe(`{"to":1}${HOSTILE}`);
    expect(second?.response.content.text).toBe(HOSTILE);
  });

  test('has the facts of a body whose text is not all of it', () => {
    const [, second] = EXCHANGES;
    const whole = { ...second?.response?.body, json: 'valid', pruned: false };
    const factsOf = (body: object) => {
      const exchange = { ...second, response: { ...second?.response, body } } as (typeof EXCHANGES)[number];
      return entriesOf(renderHar({ ...MADE, exchanges: [exchange] }))[0]?.response.content._facts !== undefined;
    };
    expect([whole, { ...whole, pruned: true }].map(factsOf)).toEqual([false, true]);
  });

  test('names the form of the credential and shows none', async () => {
    const entries = entriesOf(renderHar(await referenceRun()));
    expect(entriesOf(renderHar(MADE))[0]?.request.comment).toBe('credential: truncated');
    const names = entries.flatMap(({ request }) => request.headers.map(({ name }) => name.toLowerCase()));
    expect(names.length).toBeGreaterThan(300);
    expect(names).not.toContain('authorization');
  });

  test('splits a query as a server does, even with a broken escape', () => {
    const [one] = EXCHANGES;
    if (one === undefined) throw new Error('the made run is empty');
    const exchange = { ...one, request: { ...one.request, path: '/v1/numbers/available?a=b+c&d=%zz&e' } };
    expect(entriesOf(renderHar({ ...MADE, exchanges: [exchange] }))[0]?.request.queryString).toEqual([
      { name: 'a', value: 'b c' },
      { name: 'd', value: '%zz' },
      { name: 'e', value: '' },
    ]);
  });
});
