/** Every planned case as a test: the runner shows the verdicts, the record holds them. */

import { beforeAll, describe, inject, test } from 'vitest';
import { requirementById } from '../src/contract/requirements/index.ts';
import { Kit } from '../src/run/kit.ts';
import { planRun } from '../src/run/plan.ts';
import { openSuitesEnd } from '../src/run/run-channel.ts';
import { runSuite, type SuiteEvent, type SuiteInput } from '../src/run/suite-run.ts';
import type { CaseResult, Results } from '../src/verdict/results.ts';
import { SUITES } from './index.ts';

const { channel, input } = inject('conformanceRun') as { readonly channel: string; readonly input: SuiteInput };
const end = openSuitesEnd<SuiteEvent>(channel);
const { cases } = planRun(SUITES, new Kit(input.options, ''));
const requirements = [...new Set(cases.map(({ requirement }) => requirement))];
const verdicts = new Map<string, CaseResult>();

function note(results: Results): void {
  for (const { cases: judged } of results.requirements) for (const one of judged) verdicts.set(one.id, one);
}

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the first parameter and demands a pattern
beforeAll(async ({}, suite) => {
  const selected = suite.tasks.flatMap((group) => ('tasks' in group ? group.tasks : [group]));
  const running = selected.filter(({ mode }) => mode === 'run' || mode === 'queued').map(({ name }) => name);
  // An editor may ask for one test: then only what it needs is sent.
  const only = running.length === cases.length ? input.options.only : running;
  try {
    note(await runSuite({ ...input, options: { ...input.options, only } }, SUITES, end.report, end.signal));
  } finally {
    end.finish();
  }
});

for (const id of requirements) {
  describe(`${id}: ${requirementById(id)?.statement}`, () => {
    for (const planned of cases.filter(({ requirement }) => requirement === id)) {
      test(planned.id, (context) => {
        const result = verdicts.get(planned.id);
        if (result === undefined) throw new Error('the case got no verdict');
        if (result.verdict === 'not-exercised') context.skip(`not exercised: ${result.reason}`);
        if (result.verdict === 'pass' || result.verdict === 'warning') return;
        throw new Error(`${result.verdict}: ${[result.reason, result.remedy].filter(Boolean).join('; ')}`);
      });
    }
  });
}
