/**
 * junit.xml: a test suite per requirement, a test case per case, and red for every run that is not conformant, or whose
 * gate fails where there is one. A warning is a passed test with a property, a known failure a skipped one.
 */

import type { RequirementResult } from '../verdict/results.ts';
import { namedFacts, type RunArtefacts, spentOnCases } from './artefacts.ts';
import { type CaseOfRequirement, isFailing, knownIn, knownPhrase } from './cases.ts';
import { failureText } from './failure.ts';
import { element, visible, xmlText } from './text.ts';

type Mark = 'failure' | 'error' | 'skipped' | null;

type Spent = ReturnType<typeof spentOnCases>;

interface Counted {
  readonly xml: string;
  readonly mark: Mark;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** An inconclusive case is an error to JUnit, so that it is neither skipped nor green; but a gate that passes has no red case. */
function markOf({ one }: CaseOfRequirement, run: RunArtefacts): Mark {
  if (one.verdict === 'not-exercised' || knownIn(run).has(one.id)) return 'skipped';
  if (one.verdict === 'inconclusive') return run.gate?.code === 0 ? 'skipped' : 'error';
  if (one.verdict === 'error') return 'error';
  return isFailing(one.verdict, run.results) ? 'failure' : null;
}

function inside(each: CaseOfRequirement, mark: Mark, run: RunArtefacts): readonly string[] {
  const { one } = each;
  const message = visible(one.reason ?? '');
  const remedy = one.remedy === undefined ? [] : [`to resolve: ${visible(one.remedy)}`];
  const known = knownIn(run).get(one.id);
  const why = known === undefined ? [] : [`known failure: ${visible(knownPhrase(known))}`];
  if (mark === 'skipped') return [element('skipped', { message: [...why, message, ...remedy].join('; ') })];
  const isShown = one.findings.length > 0 || one.verdict === 'error';
  const text = xmlText(isShown ? failureText(each, run) : [message, ...remedy].join('\n').trimEnd());
  if (mark !== null) return [element(mark, { type: one.verdict, message }, [text])];
  if (one.verdict !== 'warning') return [];
  return [properties({ warning: message }), element('system-out', {}, [text])];
}

function testCase(each: CaseOfRequirement, run: RunArtefacts, spent: Spent): Counted {
  const { requirement, one } = each;
  const mark = markOf(each, run);
  const attributes = { name: one.id, classname: requirement.id, time: seconds(spent.get(one.id) ?? 0) };
  return { xml: element('testcase', attributes, inside(each, mark, run)), mark };
}

function totals(cases: readonly Counted[]): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const of = (mark: Mark): number => cases.filter((one) => one.mark === mark).length;
  return { tests: cases.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

function properties(entries: object): string {
  const all = Object.entries(entries).map(([name, value]) => element('property', { name, value: visible(`${value}`) }));
  return element('properties', {}, all);
}

function runProperties({ results, gate, ...run }: RunArtefacts): object {
  const { verdict, profile, without, partial, strict, target, seed, suite, counts, questions } = results;
  const { requests, calls, unplannedCalls } = counts;
  const asked = { questions: questions.planned, 'questions-answered': questions.answered };
  const cost = { requests, calls, 'unplanned-calls': unplannedCalls };
  const name = `${suite.name} ${suite.version}`;
  const facts = Object.fromEntries(namedFacts(run).map(([fact, value]) => [fact.replace(' ', '-'), value]));
  const outcome = gate === undefined ? {} : { gate: gate.code === 0 ? 'passes' : 'fails' };
  return {
    verdict,
    ...outcome,
    ...{ profile, without, partial, strict, target, seed, suite: name },
    ...{ ...asked, ...cost, ...facts },
  };
}

interface Suite {
  readonly xml: string;
  readonly cases: readonly Counted[];
}

/** JUnit writes a moment without its zone, and UTC is meant. */
function placeOf({ facts }: RunArtefacts): object {
  return facts === undefined ? {} : { timestamp: facts.startedAt.slice(0, 19), hostname: visible(facts.host) };
}

function suiteOf(name: string, time: number, about: object, cases: readonly Counted[], run: RunArtefacts): Suite {
  const content = [properties({ ...about, ...runProperties(run) }), ...cases.map(({ xml }) => xml)];
  const attributes = { name, ...totals(cases), time: seconds(time), ...placeOf(run) };
  return { xml: element('testsuite', attributes, content), cases };
}

function requirementSuite(requirement: RequirementResult, run: RunArtefacts, spent: Spent): Suite {
  const cases = requirement.cases.map((one) => testCase({ requirement, one }, run, spent));
  const { id, level, section, statement, reading } = requirement;
  const about = { level, section, statement, ...(reading === undefined ? {} : { reading }) };
  const time = requirement.cases.reduce((sum, one) => sum + (spent.get(one.id) ?? 0), 0);
  return suiteOf(id, time, about, cases, run);
}

/** A run can be incomplete or void without a red case; then the run is a case of its own. */
function runSuite(run: RunArtefacts): Suite {
  const { results } = run;
  const mark = results.verdict === 'non-conformant' ? 'failure' : 'error';
  const message = visible([...(run.gate?.sentences ?? []), results.summary].join('; '));
  const content = [element(mark, { type: results.verdict, message }, [xmlText(message)])];
  const xml = element('testcase', { name: 'RUN/verdict', classname: 'RUN', time: seconds(0) }, content);
  return suiteOf('RUN', 0, {}, [{ mark, xml }], run);
}

/** The run as JUnit XML. */
export function renderJunit(run: RunArtefacts): string {
  const { results } = run;
  const spent = spentOnCases(run.exchanges);
  const judged = results.requirements.map((requirement) => requirementSuite(requirement, run, spent));
  const isRed = judged.some(({ cases }) => cases.some(({ mark }) => mark === 'failure' || mark === 'error'));
  const isGreen = run.gate === undefined ? results.verdict === 'conformant' : run.gate.code === 0;
  const all = isGreen || isRed ? judged : [...judged, runSuite(run)];
  const { tests, failures, errors } = totals(all.flatMap(({ cases }) => cases));
  const time = seconds([...spent.values()].reduce((sum, one) => sum + one, 0));
  const attributes = { name: `${results.suite.name} ${results.profile}`, tests, failures, errors, time };
  const root = element('testsuites', attributes, ['\n', ...all.map(({ xml }) => `${xml}\n`)]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}
