/** junit.xml, the format of build servers. */

import { picked } from '../contract/lists.ts';
import { durationOf } from '../run/facts.ts';
import { requirementOf } from '../verdict/record.ts';
import { EXIT_OF, type RequirementResult, type Results } from '../verdict/results.ts';
import { failureText } from './console.ts';
import { foldedChanges, knownPhrase } from './gate.ts';
import { type CaseOfRequirement, exitOf, gatedOf, isFailing, type RunArtefacts } from './model.ts';
import { element, visible, xmlText } from './text.ts';

type Mark = 'failure' | 'error' | 'skipped' | null;
type Counted = Readonly<{ xml: string; mark: Mark }>;

/** An inconclusive case is a JUnit error, so neither skipped nor green; under a gate only new findings are red. */
function markOf({ result }: CaseOfRequirement, run: RunArtefacts): Mark {
  const { fresh, known } = gatedOf(result, run);
  const isIdle = result.verdict === 'not-exercised' || (result.verdict === 'inconclusive' && run.gate !== undefined);
  if (known.length > 0) return 'skipped';
  if (fresh[0]?.kind === 'not judged') return 'error';
  if (isIdle) return 'skipped';
  if (result.verdict === 'error' || result.verdict === 'inconclusive') return 'error';
  return isFailing(result.verdict, run.results) ? 'failure' : null;
}

function inside(each: CaseOfRequirement, mark: Mark, run: RunArtefacts): readonly string[] {
  const { result } = each;
  const { fresh, known } = gatedOf(result, run);
  const phrases = foldedChanges(fresh).map(({ phrase }) => phrase);
  const message = visible(fresh.length === 0 ? (result.reason ?? '') : `NEW: ${phrases.join('; ')}`);
  const remedy = result.remedy === undefined ? [] : [`to resolve: ${visible(result.remedy)}`];
  const why = known.map((entry) => `known failure: ${visible(knownPhrase(entry))}`);
  if (mark === 'skipped') return [element('skipped', { message: [...why, message, ...remedy].join('; ') })];
  const isShown = result.findings.length > 0 || result.verdict === 'error';
  const text = xmlText(isShown ? failureText(each, run) : [message, ...remedy].join('\n').trimEnd());
  if (mark !== null) return [element(mark, { type: result.verdict, message }, [text])];
  if (result.verdict !== 'warning') return [];
  return [properties({ warning: message }), element('system-out', {}, [text])];
}

function totals(cases: readonly Counted[]) {
  const of = (mark: Mark): number => cases.filter((testCase) => testCase.mark === mark).length;
  return { tests: cases.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

function properties(entries: object): string {
  const all = Object.entries(entries).map(([name, value]) => element('property', { name, value: visible(`${value}`) }));
  return element('properties', {}, all);
}

function suiteOf(name: string, about: readonly string[], cases: readonly Counted[], { facts }: RunArtefacts) {
  const content = [...about, ...cases.map(({ xml }) => xml)];
  // JUnit times have no zone; UTC is meant.
  const place = facts && { timestamp: facts.startedAt.slice(0, 19), hostname: visible(facts.host) };
  const attributes = { name, ...totals(cases), ...place };
  return { xml: element('testsuite', attributes, content), cases };
}

function requirementSuite(requirement: RequirementResult, run: RunArtefacts) {
  const { id } = requirement;
  const cases = requirement.cases.map((result) => {
    const mark = markOf({ requirement, result }, run);
    const content = inside({ requirement, result }, mark, run);
    return { xml: element('testcase', { name: result.id, classname: id }, content), mark };
  });
  return suiteOf(id, [properties(picked(requirement, ['level', 'section', 'statement', 'reading']))], cases, run);
}

const leftBy = ({ possiblyOpen, unrestored = [] }: Results): readonly string[] => [...possiblyOpen, ...unrestored];

/** A run can be incomplete or void without a red case, or leave a call open; then the run itself is a case. */
function runTestSuite(run: RunArtefacts) {
  const { results } = run;
  const mark = EXIT_OF[results.verdict] === 1 ? 'failure' : 'error';
  const left = leftBy(results).filter((sentence) => !results.summary.includes(sentence));
  const message = visible([...(run.gate?.sentences ?? []), results.summary, ...left].join('; '));
  const content = [element(mark, { type: results.verdict, message }, [xmlText(message)])];
  const xml = element('testcase', { name: 'RUN/verdict', classname: 'RUN' }, content);
  return suiteOf('RUN', [], [{ mark, xml }], run);
}

/** The run as JUnit XML. Many cases share a request, so that only the whole run has a time. */
export function renderJunit(run: RunArtefacts): string {
  const { results } = run;
  const judged = results.requirements.map((requirement) => requirementSuite(requirement, run));
  const isRed = judged.some(({ cases }) => cases.some(({ mark }) => mark === 'failure' || mark === 'error'));
  const isGreen = run.gate === undefined ? EXIT_OF[results.verdict] === 0 : exitOf(run) === 0;
  const isOfRun = run.gate?.new.some((entry) => requirementOf(entry.case) === 'RUN') ?? leftBy(results).length > 0;
  const all = isGreen || (isRed && !isOfRun) ? judged : [...judged, runTestSuite(run)];
  const { tests, failures, errors } = totals(all.flatMap(({ cases }) => cases));
  const time = (durationOf(run.exchanges) / 1_000).toFixed(3);
  const attributes = { name: `${results.suite.name} ${results.profile}`, tests, failures, errors, time };
  const root = element('testsuites', attributes, ['\n', ...all.map(({ xml }) => `${xml}\n`)]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}
