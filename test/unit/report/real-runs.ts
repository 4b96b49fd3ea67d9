/** Real runs in this process, against the reference service and against one with faults. */

import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';

/** What many tests look at is made once; with changes, even none, a run is made for the caller. */
const once = (make: (changes: Partial<RunOptions>) => Promise<RunArtefacts>) => {
  let made: Promise<RunArtefacts> | undefined;
  return (changes?: Partial<RunOptions>): Promise<RunArtefacts> => {
    if (changes !== undefined) return make(changes);
    made ??= make({});
    return made;
  };
};

/** The run against the reference service. */
export const referenceRun = once(async (changes) => {
  const { service, settings } = createReference();
  return artefacts(service, optionsFrom(settings, changes));
});

/** The run against a service that lists trunks with 206 and sends errors whose code is a number. */
export const faultyRun = once(async (changes) => {
  const { service, settings } = createReference();
  const faulty: Service = async (request) => {
    const reply = await service(request);
    if (reply.status >= 400) return { ...reply, body: '{"success":false,"error":{"code":7,"message":"no"}}' };
    return request.target.startsWith('/v1/trunks/') && reply.status === 200 ? { ...reply, status: 206 } : reply;
  };
  return artefacts(faulty, optionsFrom(settings, changes));
});

/** The same run with the exchanges that its findings name and a few more: its page is as rich, and opens faster. */
export function shortened(run: RunArtefacts): RunArtefacts {
  const cases = run.results.requirements.flatMap(({ cases }) => cases);
  const named = new Set(cases.flatMap(({ findings }) => findings.map(({ example }) => example)));
  return { ...run, exchanges: run.exchanges.filter(({ seq }) => seq <= FEW || named.has(seq)) };
}

const FEW = 40;

/** The secrets of these runs: the credentials, with and without their prefix, and the inbound secret. */
export function secretsOfRuns(): readonly string[] {
  const { settings } = createReference();
  const credentials = [
    settings.PCS_ACCESS_TOKEN,
    settings.PCS_OTHER_ORG_ACCESS_TOKEN,
    settings.PCS_REVOKED_ACCESS_TOKEN,
  ];
  const bare = credentials.map((credential) => credential.replace(/^.*?org_/, ''));
  return [...credentials, ...bare, settings.PCS_INBOUND_SECRET];
}

async function artefacts(service: Service, options: RunOptions): Promise<RunArtefacts> {
  const { record, results } = await judge(service, options);
  return { results, exchanges: record.exchanges };
}
