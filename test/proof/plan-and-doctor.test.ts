/** What is told before anything is sent: the plan, and what is missing. */

import { describe, expect, test } from 'vitest';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import type { ServiceRequest } from '../../fixtures/service/types.ts';
import type { Results } from '../../src/verdict/results.ts';
import { narrowedWords, sampled } from '../sampled.ts';
import { type Hooks, World } from './simulation.ts';

/** A command in a world of its own, with other settings; what it said, and the requests that came. */
async function told(words: readonly string[], changes: Readonly<Record<string, string>> = {}, hooks: Hooks = {}) {
  const world = new World();
  Object.assign(world.reference.settings, changes);
  const { code, screen } = await world.run(words, hooks);
  return { code, screen, world, seen: world.reference.inspect().requests, settings: world.reference.settings };
}

/** Answers each request to these paths. */
const answering = (path: RegExp, status: number, body: unknown = ENVELOPE): Hooks => ({
  request: (_, when, { target }) => (when === 'before' && path.test(target) ? json(status, body) : null),
});

describe('plan', () => {
  test('sends nothing, and says what a run then does', async () => {
    const some = narrowedWords('CALL-CREATE-MINIMAL', 'UPDATE-REJECTED-NO-EFFECT', 'AUTH-SECRET');
    const scope = ['--profile', 'full', ...some];
    const { code, screen, world, seen } = await told(['plan', ...scope]);
    const json = JSON.parse((await world.run(['plan', ...scope, '--json'])).screen);
    expect([code, seen]).toEqual([0, []]);
    expect(screen).toContain(`Judges ${json.cases} cases of ${json.requirements} requirements.`);
    expect(screen).toContain(`Sends about ${json.requests} requests, at most ${json.maxRequests}.`);
    const calls = Number(/Places about (\d+) calls, at most 40/.exec(screen)?.[1]);
    await world.run(['run', ...scope]);
    const { requests, callsAccepted } = world.reference.inspect();
    expect([json.requests, calls]).toEqual([requests.length, callsAccepted]);
    const [, valid, invalid] =
      /Update a trunk \(\S+\): (\d+) with the credential, (\d+) with invalid ones/.exec(screen) ?? [];
    const changes = requests.filter(({ method, target }) => method === 'PATCH' && target.startsWith('/v1/trunks/'));
    expect(Number(valid) + Number(invalid)).toBe(changes.length);
  });

  // A plan without the query of a list said 318 where the run sent 376.
  test.each([
    ['--profile=read-only', {}],
    ['--only=SUCCESS-STATUS', {}],
    ['--profile=read-only', { PCS_LIST_TRUNKS_QUERY: 'page=1' }],
  ])('with %s and %j says how long a longer exploration is', async (scope, changes) => {
    const words = [scope, '--explore', '90'];
    const { screen } = await told(['plan', ...words, '--json'], changes);
    expect((await told(['run', ...words, '--quiet'], changes)).seen).toHaveLength(JSON.parse(screen).requests);
  });

  test('says that the inbound credential is replaced, whether it is restored, and what must not change meanwhile', async () => {
    const words = ['plan', '--profile', 'full', ...narrowedWords('SUCCESS-STATUS')];
    const { screen } = await told(words);
    expect(screen).toMatch(/inbound credential of carrier connection \S+ is replaced .*restored at the end/);
    expect(screen).toContain('Do not change these resources during a run');
    expect(screen).toMatch(/^Participant \S+ of conference \S+ is muted and stays muted/m);
    const unknown = await told(words, { PCS_INBOUND_SECRET: '' });
    expect(unknown.screen).toMatch(/is replaced .*not restored: set PCS_INBOUND_METHOD/);
  });

  test('says of the read-only profile that it writes nothing, and what it sends instead', async () => {
    const { screen, world, settings } = await told(['plan', '--profile', 'read-only']);
    expect(screen).toContain('Writes nothing.\n8 requests without a credential and without a body, to made-up ids,');
    expect(screen).toContain('Places no calls.');
    expect(screen).not.toMatch(new RegExp(`is replaced|Change none|${settings.PCS_TRUNK_ID}`));
    await world.run(['run', '--profile', 'read-only']);
    const { requests, writes } = world.reference.inspect();
    expect([requests.filter(({ method }) => /^P/.test(method)).length, writes]).toEqual([8, 0]);
    const fewer = await told(['plan', '--without', 'answer,mute']);
    expect(fewer.screen).toContain('6 requests without a credential');
  });
});

const FIXTURE = { 'ringing-call': ['PCS_RINGING_CALL_ID'], conference: ['PCS_CONFERENCE_ID', 'PCS_PARTICIPANT_ID'] };

/** A set of settings that a run may lack: each alone, all that are optional, and what a fixture command gives. */
const LACKING = sampled(
  ['full', 'read-only'].flatMap((profile) => {
    const names = Object.keys(new World().reference.settings).filter(
      (name) => !/ACCESS_TOKEN$|CALL_(?:FROM|TO)$/.test(name),
    );
    const optional = ['PCS_OTHER_ORG_ACCESS_TOKEN', 'PCS_REVOKED_ACCESS_TOKEN', 'PCS_OTHER_ORG_CALL_FROM'];
    const each = [...names, ...optional].map((name) => [profile, name, [name], []] as const);
    const fixtures = Object.entries(FIXTURE).map(([kind, gone]) => [profile, kind, gone, gone] as const);
    const all = [profile, 'fixtures', Object.values(FIXTURE).flat(), Object.values(FIXTURE).flat()] as const;
    return [all, ...fixtures, ...each, [profile, 'every setting', [], []] as const];
  }),
  44,
);

// A plan without the two fixtures said 716 where the run sent 984.
test.each(LACKING.items)(
  `plan, doctor and run agree (${LACKING.words}): profile %s without %s`,
  async (profile, _, gone, given) => {
    const world = new World();
    const { settings } = world.reference;
    const printed = Object.entries(FIXTURE).map(([kind, names]) => {
      return `${kind}) ${names.map((name) => `echo ${name}=${settings[name as keyof ReferenceSettings]}`).join(';')};;`;
    });
    Object.assign(settings, Object.fromEntries(gone.map((name) => [name, ''])));
    const fixture =
      given.length === 0 ? [] : ['--fixture-command', `of() { case $1 in ${printed.join(' ')} esac; }; of`];
    // Each operation once here, the fixtures among them; everything in the long project.
    const words = ['--profile', profile, ...fixture, ...narrowedWords('SUCCESS-STATUS')];
    const { requests, calls } = JSON.parse((await world.run(['plan', ...words, '--json'])).screen);
    const doctor = await world.run(['doctor', ...words, '--json']);
    const before = world.reference.inspect().requests.length;
    const { code } = await world.run(['run', ...words, '--quiet']);
    const { requests: sent, callsAccepted } = world.reference.inspect();
    expect([requests, calls]).toEqual([sent.length - before, callsAccepted]);
    const { requirements }: Results = JSON.parse(world.disk.files.get('conformance-report/results.json')?.text ?? '');
    const needed = requirements.flatMap(({ cases }) =>
      cases.flatMap(({ unanswered = [] }) => unanswered.flatMap(({ needs = [] }) => needs)),
    );
    const { missing }: { missing: readonly { names: readonly string[]; cases: number }[] } = JSON.parse(doctor.screen);
    const said = missing.filter(({ cases }) => cases > 0).flatMap(({ names }) => names);
    expect([doctor.code, needed.filter((name) => !said.includes(name))]).toEqual([code, []]);
  },
);

describe('with nothing but an address and a credential', () => {
  const { settings } = new World().reference;
  const trunk = settings.PCS_TRUNK_ID;
  const others = Object.keys(settings).filter((name) => name !== 'PCS_ACCESS_TOKEN');
  const bare = Object.fromEntries(others.map((name) => [name, '']));

  test('doctor prints what the lists show as lines for .env, and names first what matters most', async () => {
    const { code, screen, seen } = await told(['doctor'], bare);
    expect([code, seen.every(({ method }) => method === 'GET')]).toEqual([0, true]);
    expect(screen).toContain(`\n# Main trunk\nPCS_TRUNK_ID=${trunk}\n`);
    expect(screen).not.toContain('PCS_TRUNK_ID not set');
    expect(screen).toContain(`\n# ${settings.PCS_CALL_FROM}\nPCS_NUMBER_ID=${settings.PCS_NUMBER_ID}\n`);
    const scope = narrowedWords('SUCCESS-STATUS', 'ORG-ISOLATION', 'ORG-CALL', 'AUTH-REVOKED');
    const full = JSON.parse((await told(['doctor', '--profile', 'full', '--json', ...scope], bare)).screen);
    const weights = (full.missing as readonly { readonly cases: number; readonly incomplete: boolean }[]).map(
      ({ cases, incomplete }) => cases + (incomplete ? 1_000 : 0),
    );
    expect(weights.length).toBeGreaterThan(8);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    // Without the credential of the second organization, no case would name what else is missing of it.
    expect(full.missing).toContainEqual(expect.objectContaining({ names: ['PCS_OTHER_ORG_CALL_FROM'], cases: 1 }));
  });

  test('doctor misses a trunk where the list shows none', async () => {
    const empty = answering(/^.v1.trunks.$/, 200, { success: true, data: [] });
    expect((await told(['doctor'], bare, empty)).screen).toMatch(/^PCS_TRUNK_ID not set: .* 7 cases of /m);
  });

  test('a read-only run reads a trunk of the list, and writes to none', async () => {
    const { code, seen, world } = await told(['run', '--profile', 'read-only', '--explore', '0'], bare);
    expect(code).toBe(0);
    const onTrunk = seen.filter(({ target }) => target.includes(trunk));
    expect(onTrunk.length).toBeGreaterThan(10);
    expect(onTrunk.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
    expect(world.reference.inspect().writes).toBe(0);
  });

  test('doctor says of a listed trunk whose id is sent as a malformed one that no setting can name it', async () => {
    const odd = answering(/^.v1.trunks.$/, 200, { success: true, data: [{ id: 'xyz', name: 'Main' }] });
    const { screen } = await told(['doctor', ...narrowedWords('LIST-STATUS')], bare, odd);
    expect(screen).toContain(
      '\n# Main\n# xyz is what the suite sends as a malformed id: PCS_TRUNK_ID cannot name it\n',
    );
  });

  test('doctor says as run does of a search that found no numbers that it is served', async () => {
    const error = { code: 'NO_NUMBERS', message: 'none' };
    const none = answering(/^.v1.numbers.available/, 404, { success: false, error });
    expect((await told(['doctor', ...narrowedWords('LIST-STATUS')], bare, none)).code).toBe(0);
  });

  test('doctor exits 3 where a documented list is not served', async () => {
    const missing = answering(/^.v1.numbers.$/, 404);
    const { code, screen } = await told(['doctor', ...narrowedWords('LIST-STATUS')], bare, missing);
    expect([code, screen]).toEqual([
      3,
      expect.stringContaining(
        'Wrong: GET /v1/numbers/ is documented and gets status 404: serve it, or leave it out with --without listNumbers.',
      ),
    ]);
  });
});

test('doctor says as run does that calls need numbers, and how each remedy comes before its cases', async () => {
  const { code, screen } = await told(['doctor', '--profile', 'full'], { PCS_CALL_FROM: '', PCS_TRUNK_ID: '' });
  expect([code, screen]).toEqual([
    3,
    expect.stringMatching(/^Wrong: Profile full places calls, and PCS_CALL_FROM is not set: set /m),
  ]);
  expect(screen).toMatch(
    /^PCS_TRUNK_ID not set: set PCS_TRUNK_ID to a trunk .*; otherwise a run is incomplete \(exit 3\), since \d+ cases of [^;]+ more cannot be judged$/m,
  );
  expect(screen).not.toMatch(/\b1 cases|^PCS_CALL_FROM, PCS_CALL_TO not set/m);
});

describe('doctor', () => {
  test.each(['doctor', 'run'])(
    '%s exits 3 where the search needs a query, and says so with what is missing',
    async (command) => {
      const error = { code: 'bad_request', message: 'country is required' };
      const needy = answering(/^.v1.numbers.available(?!.*country=)/, 400, { success: false, error });
      const { code, screen } = await told([command, ...narrowedWords('SUCCESS-STATUS')], {}, needy);
      expect([code, screen]).toEqual([3, expect.stringContaining('set PCS_AVAILABLE_NUMBERS_QUERY to a query')]);
      expect(screen).toContain('the target says "country is required"');
    },
  );

  const DOCTOR = ['doctor', '--profile', 'full', ...narrowedWords('SUCCESS-STATUS', 'ORG-ISOLATION', 'AUTH-REVOKED')];
  const NO_ID = '0d4a1f5c-7c1e-4f0a-9d3e-3f2a1b0c9d8e';
  const CONNECTION_ID = new World().reference.settings.PCS_CARRIER_CONNECTION_ID;
  const SECOND = 'pcs_org_Second0Second1Second2';

  /** Takes the second credential for the first: keys of one organization. */
  const alike = (request: ServiceRequest, settings: ReferenceSettings): void => {
    if (request.headers['authorization'] === `Bearer ${SECOND}`)
      Object.assign(request.headers, { authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}` });
  };
  const hooks: Hooks = {
    request: ({ reference }, when, request) => {
      if (when === 'before') alike(request, reference.settings);
      return null;
    },
  };

  test('sends only reads, and says what no read can show where all is well', async () => {
    const { code, screen, seen } = await told(DOCTOR);
    expect(screen).toMatch(
      /^Not checked, because no read of this target shows it: .*PCS_CONFERENCE_ID.*\.\nThe call in PCS_RINGING_CALL_ID has to ring /,
    );
    expect([code, screen.endsWith('http://service.invalid answers and accepts the credential.')]).toEqual([0, true]);
    expect(screen).toContain('PCS_OTHER_ORG_VOICE_APPLICATION_ID');
    expect(screen).not.toContain('PCS_OTHER_ORG_CARRIER_CONNECTION_ID');
    const madeUp = await told(DOCTOR, { PCS_OTHER_ORG_CARRIER_CONNECTION_ID: NO_ID });
    expect(madeUp.screen).toMatch(/^Not checked, .*PCS_OTHER_ORG_CARRIER_CONNECTION_ID/);
    expect([...new Set(seen.map(({ method }) => method))]).toEqual(['GET']);
  });

  test('says the same as JSON', async () => {
    const changes = { PCS_TRUNK_ID: '', PCS_CALL_FROM: '+15005550999', PCS_SOMETHING: 'else' };
    const [unjudged, cases] = [expect.any(String), expect.any(Number)];
    const { code, screen } = await told([...DOCTOR, '--json'], changes);
    expect([code, JSON.parse(screen)]).toEqual([
      3,
      {
        target: 'http://service.invalid',
        warnings: ['PCS_SOMETHING is not a setting'],
        missing: [
          { names: ['PCS_TRUNK_ID'], unjudged, cases, incomplete: true, remedy: expect.stringMatching(/^set PCS_/) },
        ],
        wrong: [expect.stringContaining('PCS_CALL_FROM')],
        unchecked: expect.arrayContaining(['PCS_CONFERENCE_ID']),
        listed: expect.arrayContaining([{ setting: 'PCS_TRUNK_ID', id: expect.any(String), name: 'Main trunk' }]),
      },
    ]);
  });

  test.each<readonly [string, string, RegExp]>([
    ['PCS_TRUNK_ID', NO_ID, /^Wrong: PCS_TRUNK_ID names nothing .*\(status 404\): check PCS_TRUNK_ID\.$/m],
    ['PCS_CARRIER_PROVIDER_ID', NO_ID, /^Wrong: PCS_CARRIER_PROVIDER_ID names nothing .*\(status 404\)/m],
    ['PCS_NUMBER_ID', NO_ID, /^Wrong: the list of numbers does not show PCS_NUMBER_ID/m],
    [
      'PCS_VOICE_APPLICATION_ID',
      CONNECTION_ID,
      /^Wrong: a list shows PCS_VOICE_APPLICATION_ID as the id of something/m,
    ],
    ['PCS_CALL_FROM', '+15005550999', /^Wrong: the list of numbers does not show PCS_CALL_FROM/m],
    ['PCS_OTHER_ORG_ACCESS_TOKEN', 'pcs_org_Wrong0Wrong1Wrong2', /^Wrong: no read accepts PCS_OTHER_ORG_ACCESS_TOKEN/m],
    ['PCS_OTHER_ORG_ACCESS_TOKEN', SECOND, /PCS_OTHER_ORG_ACCESS_TOKEN reads what PCS_ACCESS_TOKEN reads/],
    ['PCS_OTHER_ORG_TRUNK_ID', NO_ID, /^Wrong: PCS_OTHER_ORG_TRUNK_ID names nothing that PCS_OTHER_ORG_ACCESS_TOKEN/m],
    ['PCS_OTHER_ORG_CALL_FROM', '+15005550999', /^Wrong: the list of numbers of the other organization does not show/m],
    ['PCS_REVOKED_ACCESS_TOKEN', SECOND, /List trunks accepts PCS_REVOKED_ACCESS_TOKEN/],
    ['PCS_ACCESS_TOKEN', 'pcs_org_Wrong0Wrong1Wrong2', /rejects the credential.*check PCS_ACCESS_TOKEN/],
  ])('finds a wrong %s (%s)', async (name, value, says) => {
    const { code, screen, seen } = await told(DOCTOR, { [name]: value }, hooks);
    expect([code, screen]).toEqual([3, expect.stringMatching(says)]);
    expect(seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  // Of a target that takes ten requests a second, the trunk, the provider and the second organization were said to be wrong.
  test('waits as run does where the target limits its caller, and blames no setting for what stays limited', async () => {
    const limited = async (isOver: (nth: number) => boolean) => {
      let came = 0;
      return told(
        DOCTOR,
        {},
        {
          request: (_, when) => {
            if (when === 'before') came += 1;
            return when === 'before' && isOver(came) ? json(429, ENVELOPE, [['Retry-After', '2']]) : null;
          },
        },
      );
    };
    const { code, screen } = await limited((nth) => nth % 3 === 0);
    expect([code, screen]).toEqual([
      0,
      expect.stringMatching(/^The target puts a read off .status 429.: waiting 65 s at most\.$\n(?!The)/m),
    ]);
    const always = (await limited((nth) => nth > 4)).screen;
    expect(always).not.toContain('Wrong: ');
    expect(always).toMatch(/^Not checked, .*PCS_CARRIER_PROVIDER_ID.*PCS_OTHER_ORG_ACCESS_TOKEN/m);
  });

  // A run against each of them is conformant.
  test.each<readonly [string, unknown]>([
    ['in groups of digits', [{ id: new World().reference.settings.PCS_NUMBER_ID, number: '+1 (500) 555-0006' }]],
    ['alone', ['+1 (500) 555-0006']],
  ])('misses no number in a list that shows numbers %s', async (how, items) => {
    const { code, screen } = await told(DOCTOR, {}, answering(/^.v1.numbers.$/, 200, items));
    expect([code, screen]).toEqual([0, expect.not.stringContaining('Wrong')]);
    expect(/^Not checked.*PCS_NUMBER_ID/m.test(screen)).toBe(how === 'alone');
  });

  test('blames the target where it fails a read, and no setting', async () => {
    const { code, screen } = await told(DOCTOR, {}, answering(/^.v1.trunks.\S/, 500));
    expect([code, screen.match(/^Wrong: .*/gm)]).toEqual([
      3,
      [
        'Wrong: GET /v1/trunks/{trunk_id} gets status 500: fix the 5xx, and run again; the target says "Nothing is here.".',
      ],
    ]);
  });

  test('does not wait for a search that is never available', async () => {
    const { code, world } = await told(DOCTOR, {}, answering(/^.v1.numbers.available/, 503));
    expect([code, world.clock.now() - new World().clock.now() < 5_000]).toEqual([0, true]);
  });

  test.each(['doctor', 'run'])('%s finds credentials that were swapped, and nothing is written', async (command) => {
    const { PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN } = new World().reference.settings;
    const swapped = { PCS_ACCESS_TOKEN: PCS_OTHER_ORG_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN: PCS_ACCESS_TOKEN };
    const { code, screen, world } = await told([command, '--profile', 'full'], swapped);
    expect([code, world.reference.inspect().writes]).toEqual([3, 0]);
    expect(screen).toContain(
      'PCS_OTHER_ORG_ACCESS_TOKEN reads PCS_TRUNK_ID, and PCS_ACCESS_TOKEN does not (status 404): swap the two credentials, or check PCS_TRUNK_ID',
    );
  });

  test('misses nothing that a fixture command brings, which it does not run', async () => {
    const lacking = { PCS_RINGING_CALL_ID: '', PCS_CONFERENCE_ID: '', PCS_PARTICIPANT_ID: '' };
    const words = ['doctor', '--profile', 'full', ...narrowedWords('SUCCESS-STATUS')];
    expect((await told(words, lacking)).screen).toMatch(/PCS_RINGING_CALL_ID.* not set/);
    const { screen } = await told([...words, '--fixture-command', 'no-such-command'], lacking);
    expect(screen).not.toMatch(/PCS_RINGING_CALL_ID|PCS_CONFERENCE_ID/);
    expect(screen).toContain('PCS_FIXTURE_CLEANUP is not set: the suite does not end the fixtures that it starts.');
  });

  test('says for a missing setting which requirements cannot be judged without it', async () => {
    // A whole run rejects missing numbers.
    const scope = ['--profile', 'full', '--only', 'CALL-CREATE-MINIMAL,AUTH-REVOKED,SUCCESS-STATUS'];
    const lacking = { PCS_CALL_TO: '', PCS_REVOKED_ACCESS_TOKEN: '', PCS_INBOUND_REALM: '' };
    const { code, screen } = await told(['doctor', ...scope], lacking);
    expect(code).toBe(3);
    expect(screen).toMatch(
      /PCS_CALL_FROM, PCS_CALL_TO not set: set .*; otherwise a run is incomplete .* \d+ cases? of .*CALL-CREATE-MINIMAL.* cannot be judged/,
    );
    expect(screen).toMatch(
      /PCS_REVOKED_ACCESS_TOKEN not set: set .*; otherwise \d+ cases of AUTH-REVOKED cannot be judged/,
    );
    // A case that passes without a trunk of theirs was not told.
    const { screen: few } = await told(['doctor', '--profile', 'full', '--only', 'ORG-CALL'], {
      PCS_OTHER_ORG_TRUNK_ID: '',
    });
    expect(few).toMatch(/PCS_OTHER_ORG_TRUNK_ID not set: .*; otherwise 1 case of ORG-CALL cannot be judged in full$/m);
    expect(screen).toMatch(/PCS_INBOUND_SECRET not set: .*not restored/);
    expect((await told(['doctor', ...scope], { PCS_INBOUND_METHOD: '' })).screen).toContain('PCS_INBOUND_METHOD');
    expect(screen).not.toContain('PCS_TRUNK_ID');
  });

  test('counts the cases that make a run incomplete as the run does', async () => {
    const [scope, lacking] = [
      ['--profile', 'full', '--only', 'SUCCESS-STATUS,UPDATE-FIELD-ALONE'],
      { PCS_TRUNK_ID: '' },
    ];
    const [, cases] = /since (\d+) cases of/.exec((await told(['doctor', ...scope], lacking)).screen) ?? [];
    const { screen } = await told(['run', ...scope], lacking);
    expect(screen).toContain(`: ${cases} cases could not be judged: `);
  });
});
