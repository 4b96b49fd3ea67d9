// A process that judges one mutant after the other with the whole suite. It runs compiled files; a mutant that never
// returns is ended from outside.
import { createHash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createReference } from '../../dist/fixtures/service/reference.js';
import { judge, optionsFrom } from '../../dist/test/selftest/harness.js';
import { brokenIn } from '../../dist/test/selftest/judged.js';

const folder = process.argv[2] ?? '';
const switches = { activeMutant: undefined, currentTestId: undefined, hitCount: undefined, hitLimit: 0 };
globalThis.__stryker__ = switches;

const load = async (from) => (await import(pathToFileURL(join(from, 'reference.js')).href)).createReference;

/** What the operator knows: no mutant changes it. */
const { settings } = createReference();

/** The last resort of a service whose errors all are envelopes: what a handler throws, and no reply at all. */
const CRASHED = {
  status: 500,
  headers: [['Content-Type', 'application/json']],
  body: '{"success":false,"error":{"code":"internal","message":"Internal error."}}',
};

const isField = (field) =>
  Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === 'string');
/** Node throws where it is to send a status or a header field that is none. */
const isSendable = (reply) =>
  Number.isInteger(reply?.status) && reply.headers.every((field) => isField(field) && field[0] !== '');

async function judged(mutated) {
  const { service, inspect } = mutated();
  const seen = createHash('sha256');
  const guarded = async (request) => {
    const answer = async () => service(request);
    const given = await answer().catch(() => CRASHED);
    const reply = isSendable(given) ? given : CRASHED;
    seen.update(JSON.stringify([request.method, request.target, reply]));
    return reply;
  };
  const { results } = await judge(guarded, optionsFrom(settings));
  seen.update(JSON.stringify(inspect().restorable));
  return {
    verdict: results.verdict,
    broken: brokenIn(results),
    open: results.requirements.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id),
    responses: seen.digest('hex'),
  };
}

/** What is evaluated when the module is loaded is mutated only in a copy that is loaded again. */
let copies = 0;
async function judgedAfresh() {
  copies += 1;
  const copy = `${folder}-${process.pid}-${copies}`;
  cpSync(folder, copy, { recursive: true });
  try {
    return await judged(await load(copy));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const known = await load(folder);

process.on('message', async ({ mutant, isStatic, hitLimit }) => {
  Object.assign(switches, { activeMutant: mutant, hitCount: 0, hitLimit, currentTestId: 'run' });
  try {
    const outcome = await (isStatic ? judgedAfresh() : judged(known));
    process.send?.({ ...outcome, coverage: mutant === undefined ? switches.mutantCoverage : undefined });
  } catch (error) {
    process.send?.({ verdict: 'does not start', broken: [String(error)], open: [], responses: '' });
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
