import { describe, expect, test } from 'vitest';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { isSuccess } from '../../src/contract/waiting.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { choicesOf } from '../../suites/index.ts';
import { OBSERVATIONS as GAPS } from '../../suites/observations/index.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { plainRun } from '../selftest/judged.ts';

/** What a run against the reference service, or a lawful variant of it, comes to. */
async function observe(freedoms: Readonly<Record<string, string>> = {}, changes: Partial<RunOptions> = {}) {
  const clock = skippingClock();
  const variant = createVariant(freedoms, { wait: clock.sleep, now: clock.now });
  const run = await judge(variant.service, optionsFrom(variant.settings, changes), clock);
  return observedIn(run);
}

function observedIn({ record, results }: Awaited<ReturnType<typeof judge>>) {
  const choices = choicesOf(record);
  const of = (gap: string) => choices.filter((one) => one.gap === gap).map(({ choice }) => choice);
  const observed = record.exchanges.filter(({ tag }) => tag.sequence.includes('/observed: '));
  return { record, results, choices, observed, of };
}

const whole = plainRun().then(observedIn);

describe('a run against the reference service', () => {
  test('observes a choice in every gap that is not excused, and in no other', async () => {
    const { choices } = await whole;
    const probed = GAPS.flatMap((gap) => ('readers' in gap ? [gap.id] : []));
    expect([...new Set(choices.map(({ gap }) => gap))].sort()).toEqual(probed.sort());
  });
});

describe('the read-only profile', () => {
  const reading = observe({}, { profile: 'read-only' });

  test('observes with GET, HEAD and OPTIONS alone', async () => {
    const { observed } = await reading;
    expect([...new Set(observed.map(({ request }) => request.method))].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
  });

  test('observes what reading shows', async () => {
    const { of } = await reading;
    expect(of('GAP-UNKNOWN-QUERY')).toEqual(['pcs_conformance_unknown=1: accepted (200)']);
    expect(of('GAP-VALUES-STATUS')).toEqual([]);
  });
});

describe('another choice of the target is another choice of the record', () => {
  const choices = sampled(
    [
      ['uuid-forms', 'lenient', 'GAP-UUID-FORMS', 'undashed: accepted (200)'],
      ['unknown-members', 'refused', 'GAP-UNKNOWN-MEMBERS', 'one member more: rejected (400)'],
      ['nesting', 'at-most-100', 'GAP-NESTING', 'arrays 400 deep in a further member: rejected (400)'],
      ['enumerations', 'common', 'GAP-VALUES-DIRECTION', 'outbound: accepted (200)'],
      ['update-formats', 'checked', 'GAP-RING-TIMEOUT-BOUNDS', '0: rejected (400)'],
      ['call-formats', 'checked', 'GAP-VALUES-DTMF-MODE', 'rfc2833: accepted (201)'],
      ['head-and-options', 'served', 'GAP-HEAD', 'HEAD /v1/trunks/: accepted (200)'],
      ['slash-form', 'redirected', 'GAP-OTHER-SLASH-FORM', 'redirected (308) to the other slash form'],
      ['ended-hang-up', '404', 'GAP-HANGUP-TWICE', 'hangUpCall after hangUpCall: rejected (404)'],
      [
        'envelope',
        'more-members',
        'GAP-ENVELOPE-MEMBERS',
        'code string, details array, details[] object, message string, retryable boolean, type string',
      ],
    ] as const,
    8,
  );

  test.each(choices.items)(`%s: %s (${choices.words})`, async (freedom, choice, gap, expected) => {
    const { of, record } = await observe({ [freedom]: choice });
    const { of: usual } = await whole;
    expect(of(gap)).toContain(expected);
    expect(usual(gap)).not.toContain(expected);
    expect(record.changed).toEqual([]);
    expect(record.errors).toEqual([]);
  });
});

describe('what an observation writes', () => {
  test('is named where no answer showed what was there', async () => {
    const { record } = await observe({ 'success-shape': 'empty' });
    const lost =
      /^voice application .* name, ring_timeout_seconds, .* were written, and no response showed the previous values; now .*callback_url is "https:\/\/voice\.pcs-conformance\.invalid\/callback"/;
    expect(record.changed.filter((sentence) => lost.test(sentence))).toHaveLength(1);
    const written = record.exchanges.filter(
      ({ tag, response }) => tag.operation === 'updateVoiceApplication' && isSuccess(response?.status ?? null),
    );
    expect(JSON.parse(written.at(-1)?.request.body?.text ?? '')).toMatchObject({
      callback_url: 'https://voice.pcs-conformance.invalid/callback',
    });
  });

  const rejections = sampled(
    [
      ['U+0000 and unknown words', /\\u0000|pcs-conformance|rfc2833/, 5],
      ['an unpaired surrogate', /\\ud800/, 3],
      ['an unpaired surrogate and U+0000', /\\ud800|\\u0000/, 2],
    ] as const,
    3,
  );

  test.each(rejections.items)(
    `accepts all other boundary values in few calls where %s is rejected (${rejections.words})`,
    async (_, rejected, calls) => {
      const refusing =
        (inner: Service): Service =>
        async (request) => {
          const text = new TextDecoder().decode(request.body);
          const isRefused = request.target === '/v1/calls/' && rejected.test(text);
          return isRefused ? json(400, ENVELOPE) : inner(request);
        };
      const { service, settings } = createReference();
      const { record, results } = await judge(refusing(service), optionsFrom(settings));
      const values = ['40 variables', 'variables with boundary names', 'dtmf_mode long', 'codecs with an empty word'];
      const placed = record.exchanges.filter(
        ({ tag, response }) => tag.sequence.startsWith('createCall/boundary: ') && response?.status === 201,
      );
      const told = placed.map(({ tag }) => tag.about).join('; ');
      expect(values.filter((value) => !told.includes(value))).toEqual([]);
      expect(placed.filter(({ tag }) => !tag.sequence.includes('boundary: valid'))).toHaveLength(calls);
      expect([results.verdict, results.questions.open]).toEqual(['conformant', 0]);
    },
  );
});
