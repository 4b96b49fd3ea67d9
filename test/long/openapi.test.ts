/** What other people's tools make of the descriptions in OpenAPI: two linters, and a client in TypeScript and in Python. */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { emptyFolder } from '../e2e/command.ts';
import { live } from '../e2e/live.ts';
import { lacks } from '../programs.ts';

const schema = (file: string): string => fileURLToPath(new URL(`../../schemas/${file}`, import.meta.url));
const FILES = ['openapi.json', 'openapi-3.0.json'] as const;

/** They come from their registries, and are too heavy for the dependencies. */
const VERSIONS = {
  redocly: '@redocly/cli@2.77.0',
  spectral: '@stoplight/spectral-cli@6.16.3',
  generator: 'openapi-typescript@7.13.0',
  fetch: 'openapi-fetch@0.17.0',
  python: 'openapi-python-client==0.29.1',
} as const;

const NPX = ['--yes', '--package'] as const;

/** Runs a program; the error has what it printed. */
async function ran(program: string, words: readonly string[], cwd: string, env: object = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env } as NodeJS.ProcessEnv };
  const { stdout } = await promisify(execFile)(program, words, options).catch((error) => {
    throw new Error(`${program} ${words.join(' ')}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

describe.each(FILES)('%s', (file) => {
  test('has no error for Redocly but the slashes at the end of paths, which are those of the interface', async () => {
    const words = ['lint', '--skip-rule', 'no-path-trailing-slash', schema(file)];
    await ran('npx', [...NPX, VERSIONS.redocly, '--', 'redocly', ...words], emptyFolder());
  });

  test('has no error for Spectral', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    const words = ['lint', '--fail-severity', 'error', schema(file)];
    await ran('npx', [...NPX, VERSIONS.spectral, '--', 'spectral', ...words], cwd);
  });

  test('gives a TypeScript client that calls every operation', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
    await ran('npm', ['install', '--no-audit', '--no-fund', VERSIONS.fetch], cwd);
    await ran('npx', [...NPX, VERSIONS.generator, '--', 'openapi-typescript', schema(file), '-o', 'api.d.ts'], cwd);
    writeFileSync(join(cwd, 'client.ts'), TYPESCRIPT);
    const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
    const types = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));
    const flags = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--typeRoots', types];
    await ran(tsc, [...flags, '--types', 'node', 'client.ts'], cwd);
    await live({}, async ({ env }) => {
      expectEvery(JSON.parse(await ran(process.execPath, ['client.js'], cwd, env)));
    });
  });

  test.skipIf(lacks('python3', import.meta.url))('gives a Python client that calls every operation', async () => {
    const cwd = emptyFolder();
    await ran('python3', ['-m', 'venv', 'tools'], cwd);
    const bin = join(cwd, 'tools', 'bin');
    await ran(join(bin, 'pip'), ['install', '--quiet', VERSIONS.python, 'ruff'], cwd);
    const path = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
    mkdirSync(join(cwd, 'made'));
    const words = [
      'generate',
      '--path',
      schema(file),
      '--output-path',
      join(cwd, 'made'),
      '--overwrite',
      '--meta',
      'none',
    ];
    await ran(join(bin, 'openapi-python-client'), [...words, '--fail-on-warning'], cwd, path);
    writeFileSync(join(cwd, 'client.py'), PYTHON);
    await live({}, async ({ env }) => {
      expectEvery(JSON.parse(await ran(join(bin, 'python'), ['client.py'], cwd, env)));
    });
  });
});

/** Every operation was called and accepted. */
function expectEvery(statuses: Readonly<Record<string, number>>): void {
  expect(Object.keys(statuses).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
  expect(Object.entries(statuses).filter(([, status]) => status < 200 || status > 299)).toEqual([]);
}

const TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const { env } = process;
const of = (name: string): string => env[name] ?? '';
const client = createClient<paths>({
  baseUrl: of('PCS_BASE_URL'),
  headers: { Authorization: \`Bearer \${of('PCS_ACCESS_TOKEN')}\` },
});
const body: components['schemas']['CreateCall'] = { from: of('PCS_CALL_FROM'), to: of('PCS_CALL_TO'), trunk_id: null };
// @ts-expect-error A body without to is no body of create call.
const wrong: components['schemas']['CreateCall'] = { from: '' };
const trunk = { path: { trunk_id: of('PCS_TRUNK_ID') } };
const connection = of('PCS_CARRIER_CONNECTION_ID');
const created = await client.POST('/v1/calls/', { body });
const { data } = created.data as { data: { call: { id: string } } };
const all = {
  createCall: created,
  hangUpCall: await client.POST('/v1/calls/{id}/hangup', { params: { path: { id: data.call.id } } }),
  answerCall: await client.POST('/v1/calls/{id}/answer', { params: { path: { id: of('PCS_RINGING_CALL_ID') } } }),
  updateVoiceApplication: await client.PATCH('/v1/voice-applications/{id}', {
    params: { path: { id: of('PCS_VOICE_APPLICATION_ID') } },
    body: { ring_timeout_seconds: 30 },
  }),
  setInboundAuth: await client.PUT('/v1/carrier-connections/{carrier_connection_id}/inbound-auth', {
    params: { path: { carrier_connection_id: connection } },
    body: { method: 'digest', username: 'carrier', realm: 'sip.example.com', secret: 'made-up-for-this-test' },
  }),
  updateTrunk: await client.PATCH('/v1/trunks/{trunk_id}', { params: trunk, body: { name: 'Main trunk' } }),
  getTrunk: await client.GET('/v1/trunks/{trunk_id}', { params: trunk }),
  assignNumber: await client.PUT('/v1/numbers/{number_id}/carrier-connection', {
    params: { path: { number_id: of('PCS_NUMBER_ID') } },
    body: { carrier_connection_id: connection },
  }),
  getCarrierProvider: await client.GET('/v1/carrier-providers/{carrier_provider_id}', {
    params: { path: { carrier_provider_id: of('PCS_CARRIER_PROVIDER_ID') } },
  }),
  searchAvailableNumbers: await client.GET('/v1/numbers/available'),
  muteParticipant: await client.POST('/v1/conferences/{id}/participants/{participant_id}/mute', {
    params: { path: { id: of('PCS_CONFERENCE_ID'), participant_id: of('PCS_PARTICIPANT_ID') } },
  }),
  listNumbers: await client.GET('/v1/numbers/'),
  listTrunks: await client.GET('/v1/trunks/'),
};
console.log(JSON.stringify(Object.fromEntries(Object.entries(all).map(([id, { response }]) => [id, response.status]))));
`;

const PYTHON = `
import json
from os import environ as of
from uuid import UUID
from made import AuthenticatedClient
from made.api.calls import answer_call, create_call, hang_up_call
from made.api.carrier_connections import set_inbound_auth
from made.api.carrier_providers import get_carrier_provider
from made.api.conferences import mute_participant
from made.api.numbers import assign_number, list_numbers, search_available_numbers
from made.api.trunks import get_trunk, list_trunks, update_trunk
from made.api.voice_applications import update_voice_application
from made.models import CreateCall, InboundCarrierAuthentication, NumberAssignment, TrunkUpdate, VoiceApplicationUpdate

client = AuthenticatedClient(base_url=of["PCS_BASE_URL"], token=of["PCS_ACCESS_TOKEN"])
connection = of["PCS_CARRIER_CONNECTION_ID"]
created = create_call.sync_detailed(client=client, body=CreateCall(from_=of["PCS_CALL_FROM"], to=of["PCS_CALL_TO"]))
call = json.loads(created.content)["data"]["call"]["id"]
secret = InboundCarrierAuthentication(method="digest", username="carrier", realm="sip.example.com", secret="made-up-for-it")
assignment = NumberAssignment(carrier_connection_id=UUID(connection))
answers = {
    "createCall": created,
    "hangUpCall": hang_up_call.sync_detailed(call, client=client),
    "answerCall": answer_call.sync_detailed(of["PCS_RINGING_CALL_ID"], client=client),
    "updateVoiceApplication": update_voice_application.sync_detailed(
        of["PCS_VOICE_APPLICATION_ID"], client=client, body=VoiceApplicationUpdate(ring_timeout_seconds=30)
    ),
    "setInboundAuth": set_inbound_auth.sync_detailed(connection, client=client, body=secret),
    "updateTrunk": update_trunk.sync_detailed(of["PCS_TRUNK_ID"], client=client, body=TrunkUpdate(name="Main trunk")),
    "getTrunk": get_trunk.sync_detailed(of["PCS_TRUNK_ID"], client=client),
    "assignNumber": assign_number.sync_detailed(of["PCS_NUMBER_ID"], client=client, body=assignment),
    "getCarrierProvider": get_carrier_provider.sync_detailed(of["PCS_CARRIER_PROVIDER_ID"], client=client),
    "searchAvailableNumbers": search_available_numbers.sync_detailed(client=client),
    "muteParticipant": mute_participant.sync_detailed(of["PCS_CONFERENCE_ID"], of["PCS_PARTICIPANT_ID"], client=client),
    "listNumbers": list_numbers.sync_detailed(client=client),
    "listTrunks": list_trunks.sync_detailed(client=client),
}
print(json.dumps({name: int(answer.status_code) for name, answer in answers.items()}))
`;
