/** Canaries: whatever the target echoes, in every encoding, no credential and no secret is in anything that is written. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';
import { isWhole, narrowedWords } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { live } from './live.ts';

const swapped = (text: string): string =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');

/** Base64 in its three alignments, among other text. */
const base64 = (text: string): readonly string[] =>
  [0, 1, 2].map((shift) => Buffer.from(`${'{'.repeat(shift)}${text}~~`).toString('base64'));

/** What stands of it whatever comes before and after: the letters shared with the neighbours cut off. */
const inBase64 = (text: string): readonly string[] => base64(text).map((form) => form.slice(4, -6));

const forUrls = (form: string): string => form.replaceAll('+', '-').replaceAll('/', '_');

const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Forms in which a reader would find a value. */
const FORMS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  raw: (text) => [text],
  'reversed case': (text) => [swapped(text)],
  base64: inBase64,
  base64url: (text) => inBase64(text).map(forUrls),
  percent: (text) => [percent(text), percent(text).toUpperCase()],
  hex: (text) => [Buffer.from(text).toString('hex'), Buffer.from(text).toString('hex').toUpperCase()],
  'JSON-escaped': (text) => [escaped(text)],
};

/** The same forms as a target would send them. */
const ECHOES: typeof FORMS = { ...FORMS, base64, base64url: (text) => base64(text).map(forUrls) };

/** A secret without the character in its middle, beside the secret as it is. */
const lessOne = (text: string): string =>
  text.length > 16 ? text.slice(0, -1) : text.slice(0, text.length / 2) + text.slice(text.length / 2 + 1);

const GATEWAY_KEY = 'Gateway/Key+7f3b9a5c=canary';
/** Short enough that what is left on either side of a missing character is no part of eight. */
const SHORT_KEY = 'k3yQ9k7Z';
/** In a file of samples; it is never sent. */
const SAMPLE_SECRET = 'Sample/Secret+7c2d9e41=canary';
const PATH_TOKEN = 'Path-8d1e4c7a-Canary';
const QUERY_TOKEN = 'query.5e2f9b8d.canary';

/** In this many answers, one says back what the target was told: more of them would show the same. */
const ONE_IN = isWhole() ? 3 : 15;
/** What is said back in answers of each kind; in the long project, in those of a whole run. */
const ASKED = narrowedWords(
  ...['CREDENTIAL-WITHHELD/getTrunk', 'SECRET-WITHHELD/setInboundAuth', 'AUTH-SECRET', 'SUCCESS-STATUS'],
);

/** Says back in an error, and in a header, everything that it was told. */
function echoing(seen: Set<string>): (service: Service) => Service {
  let answers = 0;
  return (service) => async (request) => {
    const reply = await service({ ...request, target: request.target.replace(`/${PATH_TOKEN}`, '') });
    const told = [
      PATH_TOKEN,
      QUERY_TOKEN,
      request.headers['authorization'] ?? '',
      request.headers['x-gateway-key'] ?? '',
      request.headers['x-short-key'] ?? '',
    ];
    const secret = /"secret":\[?"([^"]+)"/.exec(Buffer.from(request.body).toString())?.[1];
    if (secret !== undefined) told.push(secret);
    if (secret !== undefined) seen.add(secret);
    const all = told.filter((one) => one !== '');
    answers += 1;
    if (secret === undefined && answers % ONE_IN > 0) return reply;
    return echo(reply, [...all, ...all.map(lessOne)], request.target);
  };
}

function echo(reply: ServiceReply, told: readonly string[], target: string): ServiceReply {
  const forms = told.flatMap((text) => Object.values(ECHOES).flatMap((form) => form(text)));
  const header = ['X-Debug', told.map((text) => Buffer.from(text).toString('base64')).join(' ')] as const;
  if (reply.status < 400) return { ...reply, headers: [...reply.headers, header] };
  const error = { code: 'echo', message: `${target} ${forms.join(' ')}`, details: forms, [forms[0] ?? 'none']: told };
  return { ...reply, headers: [...reply.headers, header], body: JSON.stringify({ success: false, error }) };
}

/** The canary inside a value: the credential's secret part, without the last letter that a truncated one lacks. */
const core = (value: string): string => value.replace(/^.*?org_/, '').slice(0, -1);

describe('the canaries', () => {
  test('are in no artefact and in no output of a run', async () => {
    const seen = new Set<string>();
    await live({ wrap: echoing(seen) }, async ({ env }) => {
      const folder = emptyFolder();
      const words = ['run', '--profile', 'full', '--header', `X-Gateway-Key: ${GATEWAY_KEY}`, ...ASKED];
      words.push('--header', `X-Short-Key: ${SHORT_KEY}`);
      const tokens = {
        PCS_BASE_URL: `${env['PCS_BASE_URL']}/${PATH_TOKEN}`,
        PCS_AVAILABLE_NUMBERS_QUERY: `api_key=${QUERY_TOKEN}`,
      };
      const sample = { method: 'digest', username: 'u', realm: 'r', secret: SAMPLE_SECRET };
      writeFileSync(join(folder, 'samples.json'), JSON.stringify({ setInboundAuth: sample }));
      words.push('--samples', 'samples.json');
      const { code, out, err } = await command(words, { ...env, ...tokens }, folder);
      expect([code, err]).toEqual([1, expect.any(String)]);
      expect(out).toContain('CREDENTIAL-WITHHELD');
      expect(out).toContain('SECRET-WITHHELD');
      const reports = join(folder, 'conformance-report');
      const texts = readdirSync(reports, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const);
      expect(texts.map(([name]) => name)).toEqual(expect.arrayContaining(['journal.ndjson', 'results.json']));
      expect(seen.size).toBeGreaterThan(0);
      const { PCS_ACCESS_TOKEN = '', PCS_OTHER_ORG_ACCESS_TOKEN = '', PCS_REVOKED_ACCESS_TOKEN = '' } = env;
      const values = [
        PCS_ACCESS_TOKEN,
        PCS_OTHER_ORG_ACCESS_TOKEN,
        PCS_REVOKED_ACCESS_TOKEN,
        GATEWAY_KEY,
        SHORT_KEY,
        `${lessOne(SHORT_KEY)}.`,
        PATH_TOKEN,
        QUERY_TOKEN,
        SAMPLE_SECRET,
        ...seen,
      ];
      const found: string[] = [];
      for (const value of values.map(core)) {
        for (const [form, make] of Object.entries(FORMS)) {
          for (const [name, text] of [...texts, ['output', out + err] as const]) {
            // Of a short value in base64, too few letters are its own to be found by them.
            const forms = make(value).filter((one) => one.length >= 7);
            if (forms.some((one) => text.includes(one))) found.push(`${form} of ${value.slice(0, 3)}… in ${name}`);
          }
        }
      }
      expect(found).toEqual([]);
    });
  });
});
