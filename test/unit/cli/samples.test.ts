/** A wrong samples file is rejected before anything is sent. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplesOf } from '../../../src/cli/samples.ts';
import type { Settings } from '../../../src/settings/table.ts';

const FROM = '+15550100';
const TO = '+15550101';
const TRUNK = '0b7f4c52-9d0e-4a51-8a53-6f1f6f3c2a10';
const OTHER = '0b7f4c52-9d0e-4a51-8a53-6f1f6f3c2a11';
const CALL = { from: FROM, to: TO };

const file = join(mkdtempSync(join(tmpdir(), 'samples-')), 'bodies.json');
const settings = {
  samplesFile: file,
  call: { from: FROM, to: TO },
  resources: { trunk: TRUNK, carrierConnection: TRUNK },
} as unknown as Settings;

function read(samples: unknown, known: Partial<Settings> = {}) {
  writeFileSync(file, typeof samples === 'string' ? samples : JSON.stringify(samples));
  return samplesOf({ ...settings, ...known });
}

const NOWHERE_ELSE = 'leave it out: numbers may stand only under from and to';

const call = (more: object): object => ({ createCall: { ...CALL, ...more } });

test.each<[unknown, string]>([
  [[], ': the file is a list; write a JSON object there.'],
  [{ updateTrunk: 5 }, ': /updateTrunk is a number; write a JSON object there.'],
  [{ updateTrunk: { name: null } }, ': /updateTrunk/name is null; write a JSON string there.'],
  [{ updateVoiceApplication: { ring_timeout_seconds: 1.5 } }, 'ring_timeout_seconds is a number; write a JSON integer'],
  [call({ application_id: 1 }), ': /createCall/application_id is a number; write a JSON string or a JSON null there.'],
  [{ assignNumber: {} }, ': /assignNumber is an object; add "carrier_connection_id".'],
  [{ setInboundAuth: { secret: ['hunter2'] } }, ': /setInboundAuth/secret is a list; write a JSON string there.'],
  [call({ to: '911' }), `: /createCall/to is "911"; write PCS_CALL_TO (${TO}) there.`],
  [call({ from: '+1911' }), `: /createCall/from is "+1911"; write PCS_CALL_FROM (${FROM}) there.`],
  [call({ TO: '911' }), `: /createCall/TO is "911"; write PCS_CALL_TO (${TO}) there.`],
  [call({ legs: [{ to: 911 }] }), `: /createCall/legs/0/to is 911; write PCS_CALL_TO (${TO}) there.`],
  [call({ variables: { 'a/b': TO } }), `: /createCall/variables/a~1b is "${TO}"; ${NOWHERE_ELSE}.`],
  [{ updateTrunk: { forward: ['sip:+1 (555) 010-2@gw.invalid'] } }, `(555) 010-2@gw.invalid"; ${NOWHERE_ELSE}.`],
  [{ updateVoiceApplication: { caller_id: TO } }, `/caller_id is "${TO}"; write PCS_CALL_FROM (${FROM}) there.`],
  [call({ trunk_id: OTHER }), `: /createCall/trunk_id is "${OTHER}"; write PCS_TRUNK_ID (${TRUNK}) there.`],
  [
    call({ application_id: OTHER }),
    `/application_id is "${OTHER}"; set PCS_VOICE_APPLICATION_ID to it, or leave it out.`,
  ],
  [
    { assignNumber: { carrier_connection_id: 'x'.repeat(100) } },
    `"${'x'.repeat(79)}…; write PCS_CARRIER_CONNECTION_ID`,
  ],
])('%j is rejected', (samples, sentence) => {
  expect(() => read(samples)).toThrow(`--samples ${file}: `);
  expect(() => read(samples)).toThrow(sentence);
});

test('a file that is not JSON is rejected', () => {
  expect(() => read('{')).toThrow(
    `--samples ${file} is not valid JSON (line 1, column 2): name another file, or repair it.`,
  );
});

test('an unknown operation is rejected, and the known ones are named', () => {
  expect(() => read({ callPerson: {} })).toThrow(
    /: \/callPerson is not an operation with a body; use createCall, updateVoiceApplication, setInboundAuth, updateTrunk, assignNumber\.$/,
  );
});

test.each([
  { setInboundAuth: 'hunter2-canary' },
  { setInboundAuth: { secret: ['hunter2-canary'] } },
  { setInboundAuth: { Secret: '+15550100999', method: 5 } },
  { setInboundAuth: { secret: '+15550100999' } },
  { updateTrunk: 'hunter2-canary' },
  { password: 'hunter2-canary' },
  ['hunter2-canary'],
  '{"setInboundAuth":{"secret":"hunter2-canary"}',
])('%j is rejected without its secret', (samples) => {
  expect(() => read(samples)).toThrow(/^--samples (?!.*(?:hunter2|5550100999))/);
});

test('numbers are not accepted where none are configured', () => {
  expect(() => read({ createCall: CALL }, { call: {} })).toThrow(
    `--samples ${file}: /createCall/from is "${FROM}"; set PCS_CALL_FROM to it, or leave it out.`,
  );
});

test('bodies with nothing but configured numbers and ids are used unchanged', () => {
  const samples = {
    createCall: {
      ...CALL,
      trunk_id: TRUNK.toUpperCase(),
      application_id: null,
      codecs: ['PCMU'],
      tags: { line: '12345678' },
    },
    updateVoiceApplication: { name: 'Desk 5550100', caller_id: FROM },
    assignNumber: { carrier_connection_id: TRUNK },
    updateTrunk: { name: 'a' },
  };
  expect(read({ $schema: 'https://pcs-conformance.invalid/schemas/samples.schema.json', ...samples })).toEqual(samples);
});
