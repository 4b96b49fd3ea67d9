import { describe, expect, test } from 'vitest';
import { renderAnnotations } from '../../../src/report/build-servers.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import type { RequirementResult } from '../../../src/verdict/results.ts';
import { MADE, MARK, madeOf, madeWith, RESULTS } from './made-run.ts';

interface Command {
  readonly command: string;
  readonly title: string | undefined;
  readonly message: string;
}

/** Reads a log as a build server does: after any line end, at the first `::` of a line, and at `##[` anywhere. */
function commandsIn(log: string): readonly Command[] {
  return log.split(/\r\n|[\r\n\u0085\u2028\u2029]/).flatMap((line) => {
    const text = line.trimStart();
    if (text.includes('##[')) return [{ command: 'forged', title: undefined, message: text }];
    if (!text.startsWith('::')) return text === '' ? [] : [{ command: 'plain', title: undefined, message: text }];
    const end = text.indexOf('::', 2);
    const [command = '', ...rest] = text.slice(2, end).split(' ');
    const properties = rest
      .join(' ')
      .split(',')
      .map((pair) => pair.split('='));
    const title = properties
      .find(([key]) => key === 'title')
      ?.slice(1)
      .join('=');
    const plain = (value: string): string =>
      value
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',')
        .replaceAll('%25', '%');
    return [{ command, title: title === undefined ? undefined : plain(title), message: plain(text.slice(end + 2)) }];
  });
}

/** The made run with so many requirements that fail, each in a way of its own. */
function withFailures(count: number): RunArtefacts {
  const failing = RESULTS.requirements.find(({ verdict }) => verdict === 'fail');
  const requirements = Array.from({ length: count }, (_, at) => {
    const cases = failing?.cases.map((one) => ({ ...one, id: `MADE-${at}/createCall` })) ?? [];
    return { ...failing, id: `MADE-${at}`, cases } as RequirementResult;
  });
  return madeWith({ requirements });
}

describe('annotations', () => {
  test('are the verdict, one error for each failing case, and one warning for each warning', () => {
    expect(commandsIn(renderAnnotations(MADE)).map(({ command, title }) => [command, title])).toEqual([
      ['error', 'void (profile full without muteParticipant)'],
      ['error', 'MADE-FAIL/createCall (must, section 4)'],
      ['error', 'MADE-ERROR/hangUpCall (must, section 4)'],
      ['warning', 'MADE-WARNING/getTrunk (should, section 4)'],
    ]);
  });

  test('are ten at most: GitHub shows no more of a step', () => {
    const commands = commandsIn(renderAnnotations(withFailures(12)));
    expect(commands).toHaveLength(10);
    expect(commands[0]?.message).toMatch(/ \(3 more in the report\)$/);
    expect(commands.at(-1)?.title).toContain('MADE-8/');
    expect(commandsIn(renderAnnotations(withFailures(9)))[0]?.message).not.toContain('more in the report');
  });

  test('carry the text of a target without obeying it', () => {
    const [, first] = commandsIn(renderAnnotations(MADE));
    expect(first?.message).toContain(MARK);
    expect(first?.message).toContain('&lt;b&gt; %0A: :error: :forged %3A');
    expect(first?.message).not.toContain('\n');
  });

  test('name an incomplete run without a failing case', () => {
    const commands = commandsIn(renderAnnotations(madeOf('incomplete', ['pass', 'inconclusive'])));
    expect(commands.map(({ title }) => title)).toEqual(['incomplete (profile full without muteParticipant)']);
  });
});
