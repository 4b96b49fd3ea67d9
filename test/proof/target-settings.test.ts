/** Settings that decide what is sent to a target: each of them reaches every request that it concerns. */

import { describe, expect, test } from 'vitest';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceRequest } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { planRun } from '../../src/run/plan.ts';
import { questionsSentence } from '../../src/verdict/sentence.ts';
import { plannerFor, SUITE } from '../../suites/index.ts';
import { allAnswered } from '../planned.ts';
import { narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

/** The verdict of a run with these options; the run can also be run again from its record. */
async function verdictOf(service: Service, options: RunOptions): Promise<readonly unknown[]> {
  const { record, results } = await judge(service, options);
  expect(record.errors).toEqual([]);
  await comesOutTheSameToo(record);
  return [results.verdict, questionsSentence(results.questions)];
}

/** Demands that every question of the plan is answered. */
async function expectConformant(service: Service, options: RunOptions): Promise<void> {
  expect(await verdictOf(service, options)).toEqual(['conformant', allAnswered(options)]);
}

const textOf = ({ body }: ServiceRequest): string => new TextDecoder().decode(body);

describe('numbers that are not E.164', () => {
  const numbersOf = sampled(
    [
      ['SIP URIs', { from: 'sip:suite@example.com', to: 'sip:test@[2001:db8::1]:5060;transport=tls' }],
      ['short numbers', { from: '112', to: '0800' }],
      ['codes and names', { from: '*31#', to: 'alice' }],
    ] as const,
    3,
  );

  test.each(numbersOf.items)(`are dialled exactly as given: %s (${numbersOf.words})`, async (_what, numbers) => {
    const { service, settings } = createReference({ policy: { unownedFrom: 'accepted' } });
    const dialled = new Set<string>();
    const listening: Service = async (request) => {
      const isCreate = request.method === 'POST' && /^\/v1\/calls\/?$/.test(request.target);
      const members = isCreate ? textOf(request).matchAll(/"(from|to)":("[^"]*"|\["[^"]*"\]|[^,}]*)/g) : [];
      for (const [, name, value] of members) dialled.add(`${name} ${value}`);
      return service(request);
    };
    const otherFrom = 'sip:others@example.com;transport=tls';
    await expectConformant(listening, optionsFrom(settings, { numbers, otherFrom }));
    expect(dialled.delete(`from "${otherFrom}"`)).toBe(true);
    const forms = Object.entries(numbers).flatMap(([name, number]) => {
      const digits = /^[1-9]\d*$/.test(number) ? [number] : [];
      return [`"${number}"`, `["${number}"]`, 'null', 'true', '{', ...digits].map((form) => `${name} ${form}`);
    });
    expect([...dialled].sort()).toEqual(forms.sort());
  });
});

describe('the URL of the voice application', () => {
  /** A service that fetches the URLs of an application before it stores them; only one of them answers. */
  function fetching(service: Service): Service {
    return async (request) => {
      const urls = [...textOf(request).matchAll(/"(?:voice|callback)_url":"([^"]*)"/g)].map(([, url]) => url);
      const isDead = request.method === 'PATCH' && urls.some((url) => url !== 'https://app.example.com/voice');
      if (!isDead) return service(request);
      return json(422, ENVELOPE);
    };
  }

  test.each([
    [{ voiceUrl: 'https://app.example.com/voice' }, 'pass'],
    [{}, 'inconclusive'],
  ])('is what a target that fetches it accepts: %j', async (given, verdict) => {
    const { service, settings } = createReference({ policy: { requiredUpdateFields: 'all' } });
    const options = optionsFrom(settings, { ...given, only: ['SUCCESS-STATUS'] });
    const { results } = await judge(fetching(service), options);
    const cases = results.requirements.flatMap((requirement) => requirement.cases);
    const update = cases.filter(({ id }) => id === 'SUCCESS-STATUS/updateVoiceApplication');
    expect(update.map((one) => one.verdict)).toEqual([verdict]);
  });
});

describe('the pointer to the id of a call', () => {
  /** A service that shows the id of a new call in a list of several, which could be other calls. */
  function hiding(service: Service): Service {
    return async (request) => {
      const reply = await service(request);
      if (reply.status !== 201) return reply;
      const { data } = JSON.parse(String(reply.body));
      return {
        ...reply,
        body: JSON.stringify({ id: 'request-1', links: [{ rel: 'self' }, { 'self/id': data.call.id }] }),
      };
    };
  }

  test('is where the id is taken from', async () => {
    const { service, settings, inspect } = createReference();
    const options = optionsFrom(settings, {
      callIdPointer: '/links/1/self~1id',
      ...narrowed('SUCCESS-STATUS', 'CALL-CREATE-IDS', 'ORG-CALL'),
    });
    await expectConformant(hiding(service), options);
    expect(inspect().callsOpen).toBe(0);
  });
});

const OTHERS_TOKEN = 'PCS_OTHER_ORG_ACCESS_TOKEN';
const OTHERS_CONNECTION = 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID';

test.each([
  [[OTHERS_TOKEN], `need ${OTHERS_TOKEN}`],
  [[OTHERS_CONNECTION], `need ${OTHERS_CONNECTION}`],
  [[OTHERS_TOKEN, OTHERS_CONNECTION], `need ${OTHERS_TOKEN}`],
])('without %j of the second organization, the run says what it did not ask', async (names, says) => {
  const { service, settings } = createReference();
  const fewer = Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
  const options = optionsFrom(fewer as unknown as typeof settings, narrowed('ORG-ISOLATION', 'LIST-STATUS'));
  const { results } = await judge(service, options);
  // Sequences about other spellings ask on behalf of the second organization where there is one.
  const all = planRun(SUITE, plannerFor(options)).cases.flatMap(({ requirement, questions }) =>
    questions.map(() => requirement),
  );
  const ofOthers = all.filter((requirement) => requirement === 'ORG-ISOLATION').length;
  const lacking = names.includes(OTHERS_TOKEN) ? ofOthers : 2;
  const sentence = `${all.length - lacking} of ${all.length} questions answered; ${lacking} ${says}`;
  expect([results.verdict, questionsSentence(results.questions)]).toEqual(['conformant', sentence]);
});

test('swapped ids of a trunk and of a number are not held against the target', async () => {
  const { service, settings } = createReference();
  const { PCS_TRUNK_ID: trunk, PCS_NUMBER_ID: number } = settings;
  const { results } = await judge(service, optionsFrom({ ...settings, PCS_TRUNK_ID: number, PCS_NUMBER_ID: trunk }));
  const failing = results.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect([results.verdict, failing]).toEqual(['incomplete', []]);
});
