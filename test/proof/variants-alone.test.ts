/** Each lawful choice alone: what it may leave open it does leave open, and what helps does help. */

import { describe, expect, test } from 'vitest';
import { rejected } from '../../fixtures/faults/replies.ts';
import { all, crossOrganization, on, textOf } from '../../fixtures/faults/visit.ts';
import { between } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { inLongAlone, narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';
import { proveVariant } from '../selftest/prove.ts';
import { firstChoices, kindOf, proveSingleChoices, proveUnaided } from './variants-alone.ts';

/** What meets the parser. */
const ASKED = narrowed('AUTH-SECRET', 'AUTH-SCHEME', 'ERROR-ENVELOPE/getTrunk', 'SUCCESS-STATUS');

const FIRST = sampled(firstChoices(), 30, kindOf);
proveSingleChoices(FIRST.items, `the first of each point, ${FIRST.words}`);

describe('a lawful service', () => {
  inLongAlone('is incomplete and does not fail if it demands all fields of a trunk that it does not show', async () => {
    const choices = { 'required-update-fields': 'all', 'success-shape': 'empty' };
    expect(await proveUnaided(choices)).toEqual({ kind: 'holds' });
    expect(await proveVariant(choices)).toEqual({ kind: 'holds' });
  });

  // Such a value is 2,000 levels deep.
  test('may store and show members that it does not know', async () => {
    const { service, settings } = createVariant({}, { policy: { unknownMembers: 'stored', maxDepth: 10_000 } });
    const { results } = await judge(service, optionsFrom(settings));
    expect([results.verdict, brokenIn(results)]).toEqual(['conformant', []]);
  });

  test('may leave the rejection of a token that is not ASCII to its HTTP parser', async () => {
    const { service, settings } = createReference();
    const parsed: Service = async (request) =>
      /[^\x20-\x7e]/.test(request.headers['authorization'] ?? '')
        ? { status: 400, headers: [], body: null }
        : service(request);
    const { results } = await judge(parsed, optionsFrom(settings, { strict: true, ...ASKED }));
    expect([results.verdict, brokenIn(results)]).toEqual(['conformant', []]);
  });

  inLongAlone('may send 100 Continue and 103 Early Hints before every response', async () => {
    const choices = { 'interim-responses': 'continue-and-hints', framing: 'chunked' };
    expect(await proveVariant(choices, { socket: true })).toEqual({ kind: 'holds' });
  });

  test('may limit the rate of a create call that it then puts off', async () => {
    const { service, settings } = createVariant({ 'unknown-reference': '409' });
    const sent = new Map<string, number>();
    const busy = between(async (visit, inner) => {
      if (!all(on('createCall'), crossOrganization)(visit)) return inner(visit.request);
      const body = textOf(visit);
      const before = sent.get(body) ?? 0;
      sent.set(body, before + 1);
      // Three others were put off once, so that few resends are left when a rate limit comes first.
      const statuses = sent.size < 4 ? [503] : [429, 429, 503];
      const status = statuses[before];
      return status === undefined ? inner(visit.request) : rejected(status, 'later');
    });
    const { results } = await judge(
      busy(service, settings),
      optionsFrom(settings, narrowed('ORG-CALL', 'CALL-CREATE-STATUS')),
    );
    expect(results.verdict).toBe('conformant');
  });
});
