/** Business rules of lawful services: each has its effect at its moment, and none breaks a promise. */

import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../../fixtures/service/reference.ts';
import type { Condition, Rule } from '../../../fixtures/service/rule.ts';
import { acceptedBodies, isLawful } from '../../../fixtures/variants/lawful-rules.ts';
import { RULES } from '../../../fixtures/variants/rules.ts';
import { operationById, pathOf } from '../../../src/contract/operations.ts';
import { SETTING_OF } from '../../../src/contract/settings.ts';

/** A body of the operation that the reference service accepts. */
const bodyOf = ({ operation }: Rule, { settings }: Reference): object | undefined => {
  const [from, to] = [settings.PCS_CALL_FROM, settings.PCS_CALL_TO];
  const connection = settings.PCS_CARRIER_CONNECTION_ID;
  if (operation === 'assignNumber') return { carrier_connection_id: connection };
  return operation === 'createCall' ? { from, to } : undefined;
};

/** The status of the operation of a rule, asked with the valid credential, and the kind of its error. */
async function asked(rule: Rule, reference: Reference, body = bodyOf(rule, reference), token?: string) {
  const { settings, service } = reference;
  const operation = operationById(rule.operation);
  const ids = operation.resources.map((kind) => settings[SETTING_OF[kind]] ?? '');
  const headers = { authorization: `Bearer ${token ?? settings.PCS_ACCESS_TOKEN}`, 'content-type': 'application/json' };
  const sent = { method: operation.method, target: pathOf(operation, ids), headers };
  const reply = await service({ ...sent, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) });
  return { status: reply.status, code: typeof JSON.parse(String(reply.body || '{}')).error?.code };
}

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
function breaking(rule: Rule, reference: Reference): object {
  const { settings } = reference;
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
  return { ...bodyOf(rule, reference), ...Object.fromEntries(rule.when.flatMap(entriesFor)) };
}

const named = (operation: string, name: string): Rule => {
  const found = RULES.find((rule) => rule.operation === operation && rule.name.startsWith(name));
  if (found === undefined) throw new Error(`no rule of ${operation} is named ${name}`);
  return found;
};

describe('a business rule', () => {
  test('rejects with its status and the envelope what breaks it', async () => {
    for (const rule of SOME_RULES) {
      const reference = serving([rule]);
      const answer = await asked(rule, reference, breaking(rule, reference));
      expect(answer, `${rule.operation}: ${rule.name}`).toEqual({ status: rule.status, code: 'string' });
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
      const { status } = await asked(rule, reference, { ...bodyOf(rule, reference), ...body });
      expect(status, `${rule.operation}: ${rule.name} ${JSON.stringify(body)}`).toBeLessThan(300);
    }
  });

  test('never lets an invalid credential through, and its own rejection is none of that', async () => {
    const rule = named('createCall', 'trunk_id is named (409');
    const reference = serving([rule]);
    expect((await asked(rule, reference, bodyOf(rule, reference), 'pcs_org_x')).status).toBe(401);
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
    expect([(await asked(rule, reference)).status, (await asked(rule, reference)).status]).toEqual(due);
  });

  test('that looks back a minute forgets', async () => {
    let now = 0;
    const rule = named('createCall', 'no equal call in a minute (409');
    const reference = serving([rule], () => now);
    await asked(rule, reference);
    now = 60_000;
    expect((await asked(rule, reference)).status).toBe(201);
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
      'accepts nothing',
      [rule([{ member: 'trunk_id', is: 'unset' }], 409), rule([{ member: 'trunk_id', is: 'set' }], 409)],
    ],
  ])('is not one that %s', (_, rules) => {
    expect(isLawful(rules)).toBe(false);
  });
});
