/** ctrf.json: the cases in the Common Test Report Format. An undefined member is left out. */

import type { CaseResult } from '../verdict/results.ts';
import { dateOf, durationOf, type RunArtefacts, spentOnCases } from './artefacts.ts';
import { allCases, type CaseOfRequirement, isFailing, knownIn } from './cases.ts';
import { failureText } from './failure.ts';
import { visible } from './text.ts';

const STATUSES = ['passed', 'failed', 'skipped', 'pending', 'other'] as const;

type Status = (typeof STATUSES)[number];

type CtrfTest = Readonly<Record<string, unknown>> & { readonly status: Status };

const SPEC_VERSION = '0.0.0';

function statusOf({ id, verdict }: CaseResult, run: RunArtefacts): Status {
  if (knownIn(run).has(id)) return 'skipped';
  if (isFailing(verdict, run.results)) return 'failed';
  if (verdict === 'inconclusive') return 'other';
  return verdict === 'not-exercised' ? 'skipped' : 'passed';
}

function testOf(each: CaseOfRequirement, run: RunArtefacts, spent: ReadonlyMap<string, number>): CtrfTest {
  const { requirement, one } = each;
  const { level, section, reading } = requirement;
  return {
    name: one.id,
    testId: one.id,
    status: statusOf(one, run),
    duration: Math.round(spent.get(one.id) ?? 0),
    suite: [requirement.id],
    ...(one.reason === undefined ? {} : { message: visible(one.reason) }),
    ...(one.findings.length === 0 ? {} : { trace: failureText(each, run) }),
    rawStatus: one.verdict,
    tags: [level, one.verdict],
    labels: { operation: one.operation, level, section, reading },
    extra: { statement: requirement.statement, remedy: one.remedy, known: knownIn(run).get(one.id) },
  };
}

/** Where it ran, and against which version. */
function environmentOf({ facts, results }: RunArtefacts): object {
  if (facts === undefined) return {};
  const { host, labels, targetVersion, startedAt, endedAt } = facts;
  const extra = { host, labels, startedAt, endedAt };
  return { environment: { appName: results.target, appVersion: targetVersion, extra } };
}

/** The run in CTRF. `rawStatus` holds the verdict of the case, `extra` that of the run. */
export function renderCtrf(run: RunArtefacts): string {
  const { results, exchanges } = run;
  const spent = spentOnCases(exchanges);
  const tests = allCases(results).map((each) => testOf(each, run, spent));
  const counted = STATUSES.map((status) => [status, tests.filter((test) => test.status === status).length]);
  const { suite, verdict, summary, profile, without, partial, strict, target, seed, counts, questions } = results;
  const report = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    generatedBy: suite.name,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        tests: tests.length,
        ...Object.fromEntries(counted),
        suites: results.requirements.length,
        start: dateOf(run, 0),
        stop: dateOf(run, durationOf(exchanges)),
        duration: Math.round(durationOf(exchanges)),
      },
      ...environmentOf(run),
      tests,
      extra: { verdict, summary, gate: run.gate, profile, without, partial, strict, target, seed, counts, questions },
    },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
