/** A few commands in warm and in cold processes; test/long compares one of every kind. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inLongAlone } from '../sampled.ts';
import { cleanEnvironment, emptyFolder } from './command.ts';
import { until } from './live.ts';
import { WarmProcesses } from './warm.ts';
import { demandTheSame, LINES } from './warm-lines.ts';

inLongAlone('the commands print the same, exit with the same codes and write the same files', async () => {
  const isBrief = (words: readonly string[]): boolean => !words.includes('--json');
  await demandTheSame(LINES.filter((words) => ['explain', 'run', 'serve'].includes(words[0] ?? '') && isBrief(words)));
});

test('a command that hangs is seen to hang, and killing its process does not affect the next command', async () => {
  const processes = new WarmProcesses();
  const folder = emptyFolder();
  const file = join(folder, '.env');
  const env = cleanEnvironment();
  let isOver = false;
  const served = processes.run({ words: ['serve', '--port', '0', '--out', file], env, cwd: folder });
  void served.then(() => {
    isOver = true;
  });
  await until(() => existsSync(file));
  const asked = await processes.run({ words: ['--version'], env, cwd: folder });
  expect([asked.code, isOver]).toEqual([0, false]);
  processes.kill();
  expect(await served).toMatchObject({ code: null });
  expect(await processes.run({ words: ['--version'], env, cwd: folder })).toMatchObject({ code: 0, out: asked.out });
});
