import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { isSuccess } from '../../src/contract/statuses.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { renderChoices } from '../../src/run/choices.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { BOUNDARY } from '../../src/verdict/record.ts';
import { requirementById } from '../../suites/catalogue.ts';
import { choicesOf } from '../../suites/index.ts';
import { OBSERVATIONS as GAPS, gapById } from '../../suites/observations/index.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';

/** What a run against the reference service, or a lawful variant of it, comes to. */
async function observe(freedoms: Readonly<Record<string, string>> = {}, changes: Partial<RunOptions> = {}) {
  const clock = skippingClock();
  const variant = createVariant(freedoms, { wait: clock.sleep, now: clock.now });
  const { record, results } = await judge(variant.service, optionsFrom(variant.settings, changes), clock);
  const choices = choicesOf(record);
  const of = (gap: string) => choices.filter((one) => one.gap === gap).map(({ choice }) => choice);
  const observed = record.exchanges.filter(({ tag }) => tag.sequence.includes('/observed: '));
  return { record, results, choices, observed, of };
}

const whole = observe();

const JSON_TYPE = [['Content-Type', 'application/json']] as const;
const REFUSED = JSON.stringify({ success: false, error: { code: 'no', message: 'no' } });

describe('a run against the reference service', () => {
  test('observes a choice in every gap that is not excused, and in no other', async () => {
    const { choices } = await whole;
    const probed = GAPS.flatMap((gap) => ('probe' in gap ? [gap.id] : []));
    expect([...new Set(choices.map(({ gap }) => gap))].sort()).toEqual(probed.sort());
  });

  test('spends at most 70 requests and no call on observations, within 750 and 12', async () => {
    const { observed, results } = await whole;
    const placed = observed.filter(({ tag, response }) => tag.operation === 'createCall' && response?.status === 201);
    expect(observed.length).toBeLessThanOrEqual(70);
    expect(placed.length).toBe(0);
    expect(results.counts.requests).toBeLessThanOrEqual(850);
    expect(results.counts.calls).toBeLessThanOrEqual(12);
  });

  test('stays conformant, puts everything back and breaks nowhere', async () => {
    const { record, results } = await whole;
    expect(results.verdict).toBe('conformant');
    expect(record.changed).toEqual([]);
    expect(record.errors).toEqual([]);
  });

  test('sends boundary values of a call behind everything else of it but the smallest body again', async () => {
    const { record } = await whole;
    const calls = record.exchanges.filter(({ tag }) => tag.operation === 'createCall');
    const isOf = (name: string) => (one: Exchange) => one.tag.sequence.startsWith(`createCall/${name}`);
    const ofBoundaries = calls.filter((one) => one.tag.asks.some(({ id }) => id === BOUNDARY));
    // A body without both numbers is not one of the unusual values that may crash a target.
    const isEarly = isOf('invalid: /from and /to are missing');
    expect(ofBoundaries.filter(isEarly)).toHaveLength(1);
    const first = calls.findIndex((one) => ofBoundaries.includes(one) && !isEarly(one));
    const behind = calls
      .slice(first)
      .map((one) => ['boundary: valid 8', 'boundary: ', 'the smallest'].find((name) => isOf(name)(one)));
    const rest = Array<string>(4).fill('boundary: ');
    expect(behind).toEqual(['boundary: valid 8', ...rest, 'the smallest']);
  });

  test('asks known requirements and gaps alone', async () => {
    const { record } = await whole;
    const ids = record.exchanges.flatMap(({ tag }) => tag.asks.map(({ id }) => id));
    const isKnown = (id: string) => id === BOUNDARY || requirementById(id) !== undefined || gapById(id) !== undefined;
    const strange = ids.filter((id) => !isKnown(id));
    expect(strange).toEqual([]);
  });

  test('gives the same bytes with the same seed', async () => {
    const { choices } = await whole;
    const again = await observe();
    expect(renderChoices(again.choices)).toBe(renderChoices(choices));
  });

  test('gives the same choices whichever requests are under way side by side', async () => {
    const { choices } = await whole;
    const inTurn = await observe({}, { drawnOrder: 'one lane follows the other' });
    expect(renderChoices(inTurn.choices)).toBe(renderChoices(choices));
  });

  test('leaves trunk and voice application as they were', async () => {
    const reference = createReference();
    const { PCS_TRUNK_ID: trunk, PCS_VOICE_APPLICATION_ID: application, PCS_ACCESS_TOKEN: access } = reference.settings;
    const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
    const shown = async (): Promise<readonly unknown[]> => {
      const paths = [`/v1/trunks/${trunk}`, `/v1/voice-applications/${application}`];
      const body = new TextEncoder().encode('{}');
      return Promise.all(paths.map((target) => reference.service({ method: 'PATCH', target, headers, body })));
    };
    const before = await shown();
    await judge(reference.service, optionsFrom(reference.settings));
    expect(await shown()).toEqual(before);
    expect(before).toEqual([expect.objectContaining({ status: 200 }), expect.objectContaining({ status: 200 })]);
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
      ['duplicate-members', 'refused', 'GAP-DUPLICATE-MEMBERS', 'the first member twice: rejected (400)'],
      ['nesting', 'at-most-100', 'GAP-NESTING', 'arrays 400 deep in a further member: rejected (400)'],
      ['enumerations', 'common', 'GAP-VALUES-DIRECTION', 'outbound: accepted (200)'],
      ['enumerations', 'common', 'GAP-VALUES-STATUS', 'inactive: accepted (200)'],
      ['enumerations', 'common', 'GAP-VALUES-METHOD', 'ip: accepted (200)'],
      ['update-formats', 'checked', 'GAP-RING-TIMEOUT-BOUNDS', '0: rejected (400)'],
      ['call-formats', 'checked', 'GAP-VALUES-DTMF-MODE', 'rfc2833: accepted (201)'],
      ['head-and-options', 'served', 'GAP-HEAD', 'HEAD /v1/trunks/: accepted (200)'],
      ['slash-form', 'redirected', 'GAP-OTHER-SLASH-FORM', 'redirected (308) to the other slash form'],
      ['ended-hang-up', '404', 'GAP-HANGUP-TWICE', 'rejected (404)'],
      ['muted-again', '409', 'GAP-MUTE-TWICE', 'rejected (409)'],
      ['refusal-status', '403', 'GAP-AUTH-REFUSAL-STATUS', 'rejected (403)'],
      [
        'envelope',
        'more-members',
        'GAP-ENVELOPE-MEMBERS',
        'data, documentation, error.details, error.retryable, error.type, request_id',
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

  test('is not a value of a trunk if no response shows its state', async () => {
    const { observed } = await observe({ 'success-shape': 'empty' });
    expect(observed.filter(({ tag }) => tag.sequence.includes('values of status'))).toEqual([]);
  });

  test('places no call while another request may need it', async () => {
    const { record } = await whole;
    const sent = record.exchanges.filter(({ tag }) => tag.sequence.startsWith('createCall/boundary: all'));
    const placed = sent.filter(({ response }) => response?.learned?.create === 'placed');
    const bad = record.exchanges.filter(({ request, tag }) => {
      return request.credential === 'wrong-secret' && tag.sequence !== 'hangUpCall/no effect';
    });
    expect(placed).toHaveLength(1);
    expect(placed[0]?.seq).toBeGreaterThan(Math.max(...bad.map(({ seq }) => seq)));
  });

  const rejections = sampled(
    [
      [
        'U+0000 and unknown words',
        /\\u0000|pcs-conformance|rfc2833/,
        ', none with U+0000; long words of unusual characters',
        12,
      ],
      [
        'an unpaired surrogate',
        /\\ud800/,
        ', each surrogate paired; long words of unusual characters; one member more',
        12,
      ],
      [
        'an unpaired surrogate and U+0000',
        /\\ud800|\\u0000/,
        ', each surrogate paired, no U+0000; long words of unusual characters',
        13,
      ],
    ] as const,
    3,
  );

  test.each(rejections.items)(
    `accepts all other boundary values in one call where %s is rejected (${rejections.words})`,
    async (_, rejected, most, calls) => {
      const refusing =
        (inner: Service): Service =>
        async (request) => {
          const text = new TextDecoder().decode(request.body);
          const isRefused = request.target === '/v1/calls/' && rejected.test(text);
          return isRefused ? { status: 400, headers: JSON_TYPE, body: REFUSED } : inner(request);
        };
      const { service, settings } = createReference();
      const { record, results } = await judge(refusing(service), optionsFrom(settings));
      const placed = record.exchanges.filter(
        ({ tag, response }) => tag.sequence.startsWith('createCall/boundary: all') && response?.status === 201,
      );
      expect(placed.map(({ tag }) => tag.about)).toContain(
        `all fields; many, long, empty and boundary variables${most}`,
      );
      expect([results.verdict, results.questions.open]).toEqual(['conformant', 0]);
      expect(record.calls).toBe(calls);
    },
  );
});
