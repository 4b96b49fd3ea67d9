/** The `should` requirements: the reference keeps them all, and each breach is one warning. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { RunOptions } from '../../src/run/options.ts';
import type { Results } from '../../src/verdict/results.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { plainRun } from '../selftest/judged.ts';

type Wrap = (service: Service, settings: ReturnType<typeof createReference>['settings']) => Service;

const SHOULD = REQUIREMENTS.filter(({ level }) => level === 'should');

async function resultsOf(wrap: Wrap, changes: Partial<RunOptions> = {}): Promise<Results> {
  const { service, settings } = createReference();
  return (await judge(wrap(service, settings), optionsFrom(settings, changes))).results;
}

const reference = plainRun().then(({ results }) => results);

function warned(results: Results): readonly string[] {
  return results.requirements.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id);
}

function casesOf(results: Results) {
  return results.requirements.filter(({ level }) => level === 'should').flatMap(({ cases }) => cases);
}

describe('should requirements on the reference', () => {
  test('pass and are exercised, each case of them', async () => {
    const cases = casesOf(await reference);
    expect(cases.filter(({ verdict, judged }) => verdict !== 'pass' || judged === 0)).toEqual([]);
    expect(cases).toHaveLength(SHOULD.reduce((sum, { operations }) => sum + operations.length, 0));
  });

  test('stay within the economy of a run', async () => {
    const { verdict, counts } = await reference;
    // 1,000 with the 60 of the exploration.
    expect([verdict, counts.requests <= 940, counts.calls <= 12]).toEqual(['conformant', true, true]);
  });

  test('are all asked where no more calls are allowed than the plan has', async () => {
    const { verdict, questions } = await resultsOf((service) => service, { maxCalls: 12 });
    expect([verdict, questions]).toEqual(['conformant', (await reference).questions]);
  });
});

describe('a lenient service', () => {
  const LENIENCIES = {
    'optional-nulls': 'absent',
    'inner-nulls': 'empty-string',
    'media-type': 'ignored',
    'trailing-bytes': 'ignored',
  };

  /** Calls that the search for deviations placed, and what the run warned of. */
  async function foundBy(run: ReturnType<typeof judge>) {
    const { record, results } = await run;
    const tried = record.exchanges.filter(({ tag }) => tag.sequence === 'createCall/deviations');
    return { calls: tried.filter(({ response }) => response?.status === 201).length, warned: warned(results) };
  }
  const judged = (choices: Readonly<Record<string, string>>) => {
    const { service, settings } = createVariant(choices);
    return foundBy(judge(service, optionsFrom(settings)));
  };

  test('in everything is found with one call for each kind of deviation', async () => {
    const found = ['NULL-REFUSED', 'CONTENT-TYPE-OTHER', 'TRAILING-BYTES-REFUSED'];
    expect(await judged(LENIENCIES)).toEqual({ calls: 4, warned: found });
  });

  test('in nothing costs no call', async () => {
    expect(await foundBy(plainRun())).toEqual({ calls: 0, warned: [] });
  });
});

/** Stores whatever is in an array, and an empty string for null, in a trunk's status. */
function loose(service: Service): Service {
  return (request) => {
    const text = new TextDecoder().decode(request.body);
    const written = text.replace(/"status":(?:null|\["[^"]*"\])/, '"status":"parked"');
    return service({ ...request, body: Buffer.from(written) });
  };
}

test('a wrong status of a trunk that was accepted is restored at once', async () => {
  const { service, settings } = createReference();
  const seen: string[] = [];
  const watched: Service = async (request) => {
    const reply = await loose(service)(request);
    const text = new TextDecoder().decode(request.body);
    if (request.target.includes('/trunks/') && reply.status === 200) seen.push(`${request.method} ${text}`);
    return reply;
  };
  const { record } = await judge(watched, optionsFrom(settings, narrowed('UPDATE-FIELD-TYPES', 'NULL-REFUSED')));
  expect(record.changed).toEqual([]);
  const wrong = seen.flatMap((line, at) => (/"status":(?:null|\[)/.test(line) ? [at] : []));
  expect(wrong).toHaveLength(2);
  for (const at of wrong) {
    expect(seen[at + 1]).toContain('"status":"active"');
    expect(seen[at + 2]).toBe('GET ');
  }
});

test('a trunk whose state no read shows gets no status and no direction', async () => {
  const { service, settings } = createReference();
  const written: string[] = [];
  const hiding: Service = async (request) => {
    if (request.method === 'PATCH') written.push(new TextDecoder().decode(request.body));
    const reply = await service(request);
    return {
      ...reply,
      body: String(reply.body)
        .replace(/"(?:status|direction)":"[^"]*",?/g, '')
        .replaceAll(',}', '}'),
    };
  };
  await judge(
    hiding,
    optionsFrom(settings, narrowed('UPDATE-FIELD-TYPES', 'UPDATE-FIELD-ALONE', 'NO-SERVER-ERROR/updateTrunk')),
  );
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter((text) => /"(?:status|direction)"/.test(text))).toEqual([]);
});
