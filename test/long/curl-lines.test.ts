/** The curl lines of a report do what the run did: a shell runs each against the same fault (model, section 8). */

import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test as vitestTest } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { listen } from '../../fixtures/service/serve.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { Transport } from '../../src/exchange/message.ts';
import { rerunFact } from '../../src/report/commands.ts';
import { foundBlocks } from '../../src/report/found.ts';
import { allCases, type RunArtefacts } from '../../src/report/model.ts';
import type { CaseResult } from '../../src/verdict/results.ts';
import { lacks } from '../programs.ts';
import { CASE_FAULTS } from '../proof/case-faults.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../selftest/harness.ts';
import { isBroken, neverHanging } from '../selftest/judged.ts';

const test = vitestTest.skipIf(lacks('curl', import.meta.url));

/** A response that never ends is a failure after this many seconds. */
const HOME = mkdtempSync(join(tmpdir(), 'curl-'));
writeFileSync(join(HOME, '.curlrc'), 'max-time = 5\n');

interface Printed {
  readonly id: string;
  readonly seq: number;
  readonly line: string;
  readonly says: string;
}

/** Each curl line that the reports print of the cases that fail or warn, once. */
function printedIn(run: RunArtefacts): readonly Printed[] {
  const lines = new Map<string, Printed>();
  for (const each of allCases(run.results).filter(({ result }) => isBroken(result))) {
    const [block] = foundBlocks([each], run, 1);
    if (block?.kind !== 'found') continue;
    for (const { seq, commands } of block.cases.flatMap(({ findings }) => findings)) {
      const [, [span] = [], note = []] = commands.find(([name]) => name === 'curl') ?? [];
      if (typeof span !== 'object' || span.kind !== 'command') continue;
      lines.set(span.line, { id: each.result.id, seq, line: span.line, says: note.join('') });
    }
  }
  return [...lines.values()];
}

/** What a service keeps: each value of each record, as text. */
const valuesOf = (restorable: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(restorable).flatMap(([name, record]) =>
    typeof record === 'object'
      ? Object.entries(Object(record)).map(([field, value]) => `${name} ${field} ${JSON.stringify(value)}`)
      : [`${name} ${record}`],
  );

/** The status of the last response that a shell sees when it runs the line, or `null` for none. */
function statusOf(line: string, env: Readonly<Record<string, string>>): Promise<number | null> {
  return new Promise((resolve) => {
    const shell = execFile('/bin/sh', ['-s'], { env, encoding: 'latin1', maxBuffer: 1e8 }, (error, stdout) => {
      const statuses = [...stdout.matchAll(/^HTTP\/1\.1 (\d{3}) ?.*\r$/gm)].map(([, status]) => Number(status));
      resolve(error === null ? (statuses.at(-1) ?? null) : null);
    });
    shell.stdin?.end(`${line}\n`);
  });
}

/** A service with the fault, and a clock that never waits. */
function faultyWith(fault: Fault) {
  const clock = skippingClock();
  const reference = createVariant({}, { wait: clock.sleep, now: clock.now, policy: { longList: 20 } });
  return { ...reference, ...planted(fault, reference), clock };
}

/** What is wrong with the curl lines that a run against the fault prints. */
async function complaintsAbout(fault: Fault) {
  const { service, settings, inspect, clock } = faultyWith(fault);
  const seen = new Set<string>();
  const spied: Service = async (request) => {
    const reply = await service(request);
    for (const value of valuesOf(inspect().restorable)) seen.add(value);
    return reply;
  };
  // Each request takes its time, so that the record shows which went out beside others.
  const toService = transportTo(spied);
  const slow: Transport = async (request) => {
    await clock.sleep(1);
    return toService(request);
  };
  const { record, results } = await judge(spied, optionsFrom(settings), clock, slow);
  const { url, close } = await listen(neverHanging(service));
  const run = { results: { ...results, target: url }, exchanges: record.exchanges };
  const complaints: string[] = [];
  const env = { PATH: process.env['PATH'] ?? '', HOME, ...settings };
  const lines = printedIn(run);
  for (const { id, seq, line, says } of lines) {
    const complain = (what: string): unknown => complaints.push(`${fault.name} ${id} ${what}: ${line.slice(0, 700)}`);
    const before = inspect();
    const status = await statusOf(line, env);
    const after = inspect();
    const named = record.exchanges.find((one) => one.seq === seq)?.response?.status ?? null;
    if (status !== named) complain(`gets ${status} and not ${named}`);
    if (line.includes('⟦')) complain('holds a placeholder');
    if (after.callsAccepted > before.callsAccepted && !says.includes('call')) complain('calls without a word');
    if (after.writes > before.writes && says === '') complain('writes without a word');
    const strange = valuesOf(after.restorable).filter((value) => !seen.has(value));
    if (strange.length > 0) complain(`leaves ${strange.join(', ').slice(0, 200)}`);
  }
  await close();
  const [first] = allCases(results).filter(({ result }) => isBroken(result));
  if (first !== undefined) complaints.push(...(await rerunOf(fault, first.result, run)));
  return { printed: lines.length, complaints };
}

/** What the line that judges a case again does without a word, against the same fault. */
async function rerunOf(fault: Fault, one: CaseResult, run: RunArtefacts): Promise<readonly string[]> {
  const [, , [says = ''] = []] = rerunFact(one, run);
  const { service, settings, inspect, clock } = faultyWith(fault);
  await judge(service, optionsFrom(settings, { only: [one.id] }), clock);
  const { callsAccepted, writes } = inspect();
  return [
    ...(callsAccepted > 0 && !String(says).includes('calls')
      ? [`the rerun of ${one.id} places ${callsAccepted} calls`]
      : []),
    ...(writes > 0 && says === '' ? [`the rerun of ${one.id} writes ${writes} times`] : []),
  ].map((what) => `${fault.name}: ${what}`);
}

/** These answer by the number of requests before, so that no line can do what the run did. */
const BY_NUMBER: readonly string[] = ['crash-every-twentieth', 'first-anonymous-change-taken', 'revoked-once'];
const TOLD = [...FAULTS, ...CASE_FAULTS].filter(({ name }) => !BY_NUMBER.includes(name));
const SIZE = 20;
const batches = Array.from({ length: Math.ceil(TOLD.length / SIZE) }, (_, at) => at * SIZE);

describe('each curl line gets the status that its finding names, and changes nothing else', () => {
  /** Lines that were run: without any, nothing is proved. */
  let printed = 0;

  test.each(batches)('of the faults from %i on', async (from) => {
    const complaints: string[] = [];
    for (const fault of TOLD.slice(from, from + SIZE)) {
      const told = await complaintsAbout(fault);
      printed += told.printed;
      complaints.push(...told.complaints);
    }
    expect(complaints).toEqual([]);
  });

  test('most findings have one', () => {
    expect(printed).toBeGreaterThan(TOLD.length);
  });
});
