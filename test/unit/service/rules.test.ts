/** Business rules of lawful services: each has its effect at its moment, and none breaks a promise. */

import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../../fixtures/service/reference.ts';
import type { Condition, Rule } from '../../../fixtures/service/rule.ts';
import { acceptedBodies, isLawful } from '../../../fixtures/variants/lawful-rules.ts';
import { RULES } from '../../../fixtures/variants/rules.ts';
import { call, envelopeOf, validBody } from './caller.ts';

const serving = (rules: readonly Rule[], now: () => number = () => 0): Reference =>
  createReference({ now, policy: { rules, optionalNulls: 'absent' } });

const UUID = '00000000-0000-4000-8000-000000000000';
const VALUES: Readonly<Record<string, unknown>> = {
  variables: { note: 'plain' },
  privacy: false,
  ring_timeout_seconds: 30,
};

/** Every fifth rule about members: with twelve forms of each demand, every demand is among them twice. */
const SOME_RULES = RULES.filter((_, at) => at % 5 === 0).filter(({ when }) => when.every((one) => 'member' in one));

/** Members for which the conditions of a rule hold. */
function breaking({ operation, when }: Rule, { settings }: Reference): Readonly<Record<string, unknown>> {
  const ids: Readonly<Record<string, unknown>> = {
    application_id: settings.PCS_VOICE_APPLICATION_ID,
    trunk_id: settings.PCS_TRUNK_ID,
  };
  const entriesFor = (condition: Condition): readonly (readonly [string, unknown])[] => {
    if (!('member' in condition)) return [];
    const { member } = condition;
    if ('oneOf' in condition) return [[member, condition.oneOf[0]]];
    if ('noneOf' in condition) return [[member, 'something else']];
    if (condition.is === 'null') return [[member, null]];
    if (condition.is === 'truthy') return [[member, ids[member] ?? (VALUES[member] || true)]];
    const isThere = condition.is === 'set' || condition.is === 'present';
    return isThere ? [[member, ids[member] ?? VALUES[member] ?? 'plain']] : [];
  };
  const required = ['createCall', 'assignNumber'].includes(operation) ? validBody(serving([]), operation) : {};
  return { ...required, ...Object.fromEntries(when.flatMap(entriesFor)) };
}

const named = (operation: string, name: string): Rule => {
  const found = RULES.find((rule) => rule.operation === operation && rule.name.startsWith(name));
  if (found === undefined) throw new Error(`no rule of ${operation} is named ${name}`);
  return found;
};

describe('a business rule', () => {
  const statusTo = async (rule: Rule, more: Readonly<Record<string, unknown>> = {}) => {
    const reference = serving([rule]);
    const answer = await call(reference, rule.operation, { body: { ...breaking(rule, reference), ...more } });
    return [answer.status, typeof envelopeOf(answer)?.error?.code];
  };

  test('rejects with its status and the envelope what breaks it', async () => {
    for (const rule of SOME_RULES) {
      expect(await statusTo(rule), `${rule.operation}: ${rule.name}`).toEqual([rule.status, 'string']);
    }
  });

  test('accepts the smallest body that keeps it', async () => {
    for (const rule of SOME_RULES) {
      const reference = serving([rule]);
      const { settings } = reference;
      const ids = { application_id: settings.PCS_VOICE_APPLICATION_ID, trunk_id: settings.PCS_TRUNK_ID };
      const members = Object.entries(acceptedBodies([rule], rule.operation)[0] ?? {});
      const body = Object.fromEntries(
        members.map(([name, value]) => [name, value === UUID ? Reflect.get(ids, name) : value]),
      );
      const required = rule.operation === 'createCall' ? validBody(reference, 'createCall') : {};
      const answer = await call(reference, rule.operation, { body: { ...required, ...body } });
      expect(answer.status, `${rule.operation}: ${rule.name} ${JSON.stringify(body)}`).toBeLessThan(300);
    }
  });

  test('never lets an invalid credential through, and its own rejection is none of that', async () => {
    const answer = await call(serving([named('createCall', 'trunk_id is named (409')]), 'createCall', {
      token: 'pcs_org_x',
    });
    expect(answer.status).toBe(401);
  });

  test.each([
    ['createCall', 'one call at a time (409, before-types)', [201, 409]],
    ['createCall', 'no equal call in a minute (409, after-types)', [201, 409]],
    ['assignNumber', 'not the same update twice (409, after-types)', [200, 409]],
    ['assignNumber', 'another resource (422, after-types)', [422, 422]],
    ['muteParticipant', 'a participant who is not muted (409', [200, 409]],
    ['hangUpCall', 'an open call (422', [200, 422]],
    ['searchAvailableNumbers', 'the query parameter country_code (400', [400, 400]],
    ['answerCall', 'a call that does not ring (422', [422, 422]],
  ])('%s: %s', async (operation, name, due) => {
    const rule = named(operation, name);
    const reference = serving([rule]);
    const first = await call(reference, rule.operation);
    expect([first.status, (await call(reference, rule.operation)).status]).toEqual(due);
  });

  test('that looks back a minute forgets', async () => {
    let now = 0;
    const reference = serving([named('createCall', 'no equal call in a minute (409')], () => now);
    await call(reference, 'createCall');
    now = 60_000;
    expect((await call(reference, 'createCall')).status).toBe(201);
  });
});

describe('a lawful set of rules', () => {
  test.each([
    ['createCall', 'application_id or trunk_id is named (409, before-types)'],
    ['createCall', 'not both application_id and trunk_id (400, before-types)'],
    ['createCall', 'one call at a time (409, before-types)'],
    ['createCall', 'dtmf_mode is one of RFC4733 (400, after-types)'],
    ['updateVoiceApplication', 'caller_id is not null (400, after-types)'],
    ['setInboundAuth', 'not the same update twice in a row (409, before-types)'],
    ['muteParticipant', 'another resource (409, after-types)'],
  ])('may contain %s: %s', (operation, name) => {
    expect(isLawful([named(operation, name)])).toBe(true);
  });

  const rule = (when: Rule['when'], status: Rule['status'] = 400): Rule => {
    return { name: '', operation: 'createCall', when, status, moment: 'after-types' };
  };
  const trunkNeeds = (member: string): Rule =>
    rule([
      { member: 'trunk_id', is: 'set' },
      { member, is: 'unset' },
    ]);

  test.each<[string, readonly Rule[]]>([
    ['rejects from and to alone with 400', [rule([{ member: 'trunk_id', is: 'unset' }])]],
    ['rejects from and to alone with 422', [rule([{ member: 'privacy', is: 'absent' }], 422)]],
    ['rejects every trunk with 400', [rule([{ member: 'trunk_id', is: 'set' }])]],
    ['rejects null for a nullable member with 422', [rule([{ member: 'application_id', is: 'null' }], 422)]],
    ['rejects privacy with 400', [rule([{ member: 'privacy', oneOf: [true] }])]],
    ['wants more company for a trunk than a run looks for', ['application_id', 'variables', 'privacy'].map(trunkNeeds)],
    ['looks at the state with 400', [rule([{ state: 'call-open' }])]],
    [
      'accepts privacy in no company, and nothing without dtmf_mode',
      [
        { ...rule([{ member: 'trunk_id', is: 'unset' }], 403), moment: 'before-types' },
        rule([{ member: 'dtmf_mode', is: 'absent' }], 403),
        {
          ...rule(
            [
              { member: 'trunk_id', is: 'set' },
              { member: 'privacy', is: 'set' },
            ],
            422,
          ),
          moment: 'before-types',
        },
      ],
    ],
    [
      'accepts nothing',
      [rule([{ member: 'trunk_id', is: 'unset' }], 409), rule([{ member: 'trunk_id', is: 'set' }], 409)],
    ],
  ])('is not one that %s', (_, rules) => {
    expect(isLawful(rules)).toBe(false);
  });
});
