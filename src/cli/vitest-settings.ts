/** Gives the suites their input when vitest runs them by itself, in an editor say: the settings of the environment. */

import type { TestProject } from 'vitest/node';
import { readEnvironment } from '../settings/environment.ts';
import { readSettings, withReference } from '../settings/read-settings.ts';
import { suiteInputOf } from './conduct.ts';
import { startReference } from './start-reference.ts';

/** Reads the settings, starts the reference service if it is the target, and stops it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { env, envFile } = readEnvironment(process.cwd());
  const settings = readSettings({}, env, envFile);
  if (settings.target.kind === 'url') {
    project.provide('conformanceRun', { channel: 'pcs-conformance-editor', input: suiteInputOf(settings) });
    return async () => undefined;
  }
  const reference = await startReference({ host: '127.0.0.1', port: 0 });
  const known = withReference(settings, { ...reference.settings, PCS_BASE_URL: reference.url });
  project.provide('conformanceRun', { channel: 'pcs-conformance-editor', input: suiteInputOf(known) });
  return () => reference.close();
}
