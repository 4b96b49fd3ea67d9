import { describe, expect, test } from 'vitest';
import { alikeIn, causesOf, reasonsOf } from '../../../src/report/causes.ts';
import { renderConsole } from '../../../src/report/console.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { failingCases, type RunArtefacts } from '../../../src/report/model.ts';
import type { CaseResult, FoldedFinding, RequirementResult } from '../../../src/verdict/results.ts';
import { attribute, elements, withId } from '../report-html/pages.ts';
import { MADE, madeOf, madeWith } from './made-run.ts';

const finding = (actual: string, where = 'the status', stimulus = 'a made request'): FoldedFinding => {
  return { expected: 'status 400', actual, where, stimulus, example: 2, exchanges: [2] };
};

const ONE = { planned: 1, answered: 1 } as const;

function requirement(id: string, cases: readonly Partial<CaseResult>[], more: Partial<RequirementResult> = {}) {
  const whole = cases.map((one): CaseResult => {
    return {
      id: `${id}/${one.operation}`,
      operation: '',
      verdict: 'fail',
      findings: [],
      judged: 1,
      questions: ONE,
      ...one,
    };
  });
  const result = { id, level: 'must', section: '4', statement: 'It is made.', verdict: 'fail', cases: whole } as const;
  return { ...result, ...more } satisfies RequirementResult;
}

const told = ({ first, extent }: ReturnType<typeof causesOf>[number]) => [first.result.id, extent];

describe('likely causes', () => {
  test('join the cases of a requirement that deviate alike', () => {
    const requirements = [
      requirement('MADE-A', [
        { operation: 'getTrunk', findings: [finding('status 500', 'the body of the 500')] },
        { operation: 'listTrunks', findings: [finding('status 500'), finding('another')] },
        { operation: 'listNumbers', findings: [finding('status 200')] },
      ]),
    ];
    const run = madeWith({ requirements });
    const causes = causesOf(failingCases(run.results), run);
    expect(causes.map(({ extent }) => extent)).toEqual(['one cause, 2 cases', '1 case', '1 case']);
    expect(causes.map(({ places }) => places)).toEqual(['getTrunk and 1 more operation', 'listTrunks', 'listNumbers']);
  });

  test('are as many as there are stimuli, each by its name, unless nothing that was sent meets the requirement', () => {
    const stimuli = ['U+0000 in name', 'HTTPS:// as voice_url', 'a name of 129 characters', 'an id of 300', 'a blank'];
    const findings = stimuli.map((stimulus) => finding('status 500', 'the status', stimulus));
    const causesFor = (more: Partial<CaseResult>) => {
      const run = madeWith({
        requirements: [requirement('MADE-A', [{ operation: 'updateTrunk', findings, ...more }])],
      });
      return {
        causes: causesOf(failingCases(run.results), run),
        text: renderConsole(run, { color: false, detail: 'normal' }),
      };
    };
    const some = causesFor({});
    expect(some.causes.map(({ sent }) => sent)).toEqual(stimuli);
    expect(some.text).toContain('- MADE-A: got status 500 to an id of 300 (updateTrunk); a blank (updateTrunk)');
    expect(stimuli.filter((stimulus) => !some.text.includes(stimulus))).toEqual([]);
    const all = causesFor({ everywhere: true });
    expect(all.causes.map(({ sent }) => sent)).toEqual([`whatever was sent, such as ${stimuli[0]}`]);
  });

  test('of operations that fail whatever is sent are as many as these operations', () => {
    const broken = (operation: string) => {
      const findings = ['a tab', 'a blank'].map((stimulus) => finding('status 500', 'the status', stimulus));
      return { operation, findings, everywhere: true as const };
    };
    const run = madeWith({
      requirements: [requirement('NO-SERVER-ERROR', [broken('getTrunk'), broken('updateTrunk')])],
    });
    expect(causesOf(failingCases(run.results), run).map(({ places }) => places)).toEqual(['getTrunk', 'updateTrunk']);
  });

  test('keep a value that was accepted apart from a crash of another request, which explains what was rejected', () => {
    const crash = { ...finding('status 500', 'the status', 'arrays 2,000 deep'), example: 3, exchanges: [3] };
    const operation = 'createCall';
    const causesFor = (status: number) => {
      const run = madeWith({
        requirements: [
          requirement('NO-SERVER-ERROR', [{ operation, findings: [crash] }]),
          requirement('CALL-CREATE-FIELD-TYPES', [{ operation, findings: [finding(`status ${status}`)] }]),
        ],
      });
      const answered = run.exchanges.map((exchange) => {
        const { seq, response } = exchange;
        return seq === 2 && response !== null ? { ...exchange, response: { ...response, status } } : exchange;
      });
      return causesOf(failingCases(run.results), { ...run, exchanges: answered }).map(told);
    };
    expect(causesFor(201)).toEqual([
      ['NO-SERVER-ERROR/createCall', '1 case'],
      ['CALL-CREATE-FIELD-TYPES/createCall', '1 case'],
    ]);
    expect(causesFor(500)).toEqual([
      ['NO-SERVER-ERROR/createCall', 'one cause, 2 cases; with CALL-CREATE-FIELD-TYPES'],
    ]);
  });

  test('of one request with several values share a card, which names each of them', () => {
    const stimuli = Array.from({ length: 40 }, (_, at) => `a string of ${300 + at} letters: /name`);
    const runOf = (within: (at: number) => string) => {
      const findings = stimuli.map((stimulus, at) => ({
        ...finding('status 500', undefined, stimulus),
        within: within(at),
      }));
      const requirements = [requirement('MADE-A', [{ operation: 'updateTrunk', findings }])];
      return madeWith({ requirements, verdict: 'non-conformant' });
    };
    const textOf = (within: (at: number) => string) => renderConsole(runOf(within), { color: false, detail: 'normal' });
    const [one, many] = [textOf(() => 'long strings'), textOf((at) => `long strings, turn ${at}`)];
    expect([one, many].map((text) => text.match(/✗ MADE-A on/g)?.length)).toEqual([1, 3]);
    expect(one).toMatch(/also to +│ a string of 301 letters: \/name; /);
    expect([one, many].map((text) => text.match(/, with (\d+) likely cause/)?.[1])).toEqual(['1', '40']);
    expect([one, many].map((text) => text.match(/Likely causes \((\d+)\)/)?.[1])).toEqual(['1', '40']);
    expect(stimuli.filter((stimulus) => !one.includes(stimulus))).toEqual([]);
    expect(stimuli.filter((stimulus) => !many.includes(stimulus))).toEqual([]);
  });

  test('share a card, which names each stimulus, where a valid request to that operation shows the same', () => {
    const at = (example: number, stimulus: string) => ({ ...finding('status 500', undefined, stimulus), example });
    const runOf = (control: number) => {
      const cases = ['updateTrunk', 'getTrunk'].map((operation, place) => {
        return {
          operation,
          findings: [at(2, `a tab (${operation})`), at(place === 0 ? 3 : 2, `a blank (${operation})`)],
        };
      });
      const exchanges = MADE.exchanges.map((one) => ({ ...one, tag: { ...one.tag, control: one.seq === control } }));
      return { ...madeWith({ requirements: [requirement('MADE-A', cases)] }), exchanges };
    };
    const cardsOf = (run: RunArtefacts) =>
      alikeIn(causesOf(failingCases(run.results), run)).map((alike) => alike.map(({ sent }) => sent));
    const [tab, blank, ...others] = ['updateTrunk', 'getTrunk'].flatMap((id) => [`a tab (${id})`, `a blank (${id})`]);
    expect(cardsOf(runOf(3))).toEqual([[blank, tab], ...others.map((sent) => [sent])]);
    expect(cardsOf(runOf(1)).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  });

  test('hold what follows from a failure on the same operation, the root first', () => {
    const one = (operation: string, where = 'the status') => ({ operation, findings: [finding('status 200', where)] });
    const requirements = [
      requirement('AUTH-ALIAS', [one('getTrunk'), one('listTrunks'), one('listNumbers')], { section: '5' }),
      requirement('AUTH-CREDENTIAL-REQUIRED', [one('getTrunk'), one('listTrunks')], { section: '5' }),
      requirement('AUTH-SECRET', [one('getTrunk')], { section: '5' }),
    ];
    const { results } = madeWith({ requirements });
    expect(causesOf(failingCases(results), { ...MADE, results }).map(told)).toEqual([
      ['AUTH-CREDENTIAL-REQUIRED/getTrunk', 'one cause, 5 cases; with AUTH-ALIAS, AUTH-SECRET'],
      ['AUTH-ALIAS/listNumbers', '1 case'],
    ]);
  });

  test('do not lay an accepted id to a body without the envelope', () => {
    const requirements = [
      requirement('ERROR-ENVELOPE', [{ operation: 'getTrunk', findings: [finding('none', 'the body of the 404')] }]),
      requirement('MALFORMED-ID-REFUSED', [{ operation: 'getTrunk', findings: [finding('status 200')] }]),
    ];
    const { results } = madeWith({ requirements });
    expect(causesOf(failingCases(results), { ...MADE, results }).map(told)).toHaveLength(2);
  });

  test('of several operations are shown by the smallest request, however often another was seen', () => {
    const [, large] = MADE.exchanges;
    if (large === undefined) throw new Error('the made run is empty');
    const small = { ...large, seq: 90, request: { ...large.request, path: '/v1/trunks/', body: null } };
    const requirements = [
      requirement('MADE-A', [
        { operation: 'getTrunk', findings: [{ ...finding('none'), example: large.seq }] },
        { operation: 'listTrunks', findings: [{ ...finding('none'), example: small.seq }] },
      ]),
    ];
    const run = { ...madeWith({ requirements }), exchanges: [...MADE.exchanges, small] };
    const [cause] = causesOf(failingCases(run.results), run);
    expect([cause?.finding?.example, cause?.places]).toEqual([small.seq, 'listTrunks and 1 more operation']);
  });

  test('are shown with what was sent, the request and the response', () => {
    const common = finding('none', 'the body of the 401');
    const odd = { ...finding('none', 'the body of the 404', 'an id'), example: 3 };
    const requirements = [
      requirement('MADE-A', [{ operation: 'getTrunk', findings: [common, odd], everywhere: true }]),
    ];
    const run = madeWith({ requirements });
    const [cause] = causesOf(failingCases(run.results), run);
    expect(cause?.finding).toBe(common);
    const console = renderConsole(run, { color: false, detail: 'normal' });
    expect(console).toMatch(
      /actual +│ none \(the body of the 401\)\n {2}sent .*\n {2}request .*\n {2}response +│ status 400 hostile/,
    );
    expect(renderConsole(run, { color: false, detail: 'quiet' })).toMatch(/where +│ the body of the 401/);
  });

  test('seen in two walks have a command each that sends its own walk', () => {
    const exchanges = MADE.exchanges.map((exchange) => {
      const origin = { seed: 7, path: `${exchange.seq}:0`, commands: 2 };
      return { ...exchange, tag: { ...exchange.tag, origin } };
    });
    const [one, two] = [2, 3].map((example) => ({
      ...finding('status 500', 'the status', `walk ${example}`),
      ...{ example, exchanges: [example], walk: `${example}:0` },
    }));
    if (one === undefined || two === undefined) throw new Error('the made run is empty');
    const requirements = [requirement('MADE-A', [{ operation: 'getTrunk', findings: [one, two] }])];
    const run = { ...madeWith({ requirements }), exchanges };
    const page = renderHtml(run);
    const reruns = elements(withId(page, 'why'), ({ tagName }) => tagName === 'button')
      .flatMap((button) => attribute(button, 'data-copy') ?? [])
      .flatMap((line) => / --path (\S+)/.exec(line)?.[1] ?? []);
    expect(reruns).toEqual(['2:0', '3:0']);
    // Only what is new leads to a command: the known walk shows nothing of it.
    const known = { case: 'MADE-A/getTrunk', stimulus: 'walk 2', at: 0, reason: 'r' };
    const fresh = { kind: 'finding', case: 'MADE-A/getTrunk', stimulus: 'walk 3', at: 1, detail: 'd' } as const;
    const gate = { code: 1, sentences: [], new: [fresh], known: [known], gone: [] } as const;
    expect(renderConsole({ ...run, gate }, { color: false, detail: 'quiet' })).toMatch(/rerun .* --path 3:0 /);
  });

  test('come in the order in which a reader wants them: suite, security, crashes, the most cases, recommendations', () => {
    const one = (operation: string) => ({ operation, findings: [finding('status 200')] });
    const requirements = [
      requirement('MADE-SHOULD', [{ ...one('getTrunk'), verdict: 'warning' }], { level: 'should', section: '5' }),
      requirement('MADE-ONE', [one('getTrunk')]),
      requirement('MADE-TWO', [one('getTrunk'), one('listTrunks')]),
      requirement('NO-SERVER-ERROR', [one('getTrunk')]),
      requirement('SECRET-WITHHELD', [one('getTrunk')]),
      requirement('MADE-AUTH', [one('getTrunk'), one('listTrunks')], { section: '5' }),
      requirement('MADE-BROKEN', [{ operation: 'getTrunk', verdict: 'error', reason: 'it broke' }]),
    ];
    const { results } = madeWith({ requirements, strict: true });
    expect(causesOf(failingCases(results), { ...MADE, results }).map(({ first }) => first.requirement.id)).toEqual([
      ...['MADE-BROKEN', 'MADE-AUTH', 'SECRET-WITHHELD', 'NO-SERVER-ERROR', 'MADE-TWO', 'MADE-ONE', 'MADE-SHOULD'],
    ]);
  });

  test('are warnings where nothing fails, and what is missing where the run is incomplete', () => {
    expect(reasonsOf(madeOf('conformant', ['warning'])).causes.map(({ first }) => first.result.id)).toEqual([
      'MADE-WARNING/getTrunk',
    ]);
    const { open, sentence } = reasonsOf(madeOf('incomplete', ['inconclusive'], { reason: 'a case is open' }));
    expect([sentence, open.map(({ remedy }) => remedy)]).toEqual(['a case is open', ['set PCS_TRUNK_ID']]);
    expect(reasonsOf(madeOf('conformant', ['inconclusive'])).open).toEqual([]);
    expect(reasonsOf(madeOf('non-conformant', ['pass'], { reason: 'a symptom is flaky' })).sentence).toBe(
      'a symptom is flaky',
    );
  });
});
