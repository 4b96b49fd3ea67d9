/** Escapes and markup of a target reach neither the terminal nor the reports. */

import { marked } from 'marked';
import { expect, test } from 'vitest';
import { json } from '../../fixtures/null/replies.ts';
import { isWhole } from '../sampled.ts';
import { World } from './simulation.ts';

const ATTACK = '\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script><img src=x onerror=alert(1)>\u202e\r\n::error::x';

/** Line feeds apart: C0 and C1 controls, and the marks that turn the direction of a text. */
const isControl = (letter: string): boolean => letter !== '\n' && /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(letter);

test('what an error says is shown as text', async () => {
  const world = new World({
    request: (_, when, { target }) =>
      when === 'after' && !/^\/v1\/(?:trunks|numbers)/.test(target)
        ? json(400, { success: false, error: { code: null, message: ATTACK } })
        : null,
  });
  const few = isWhole() ? [] : ['--only', 'ERROR-ENVELOPE,AUTH-SECRET'];
  const { code, screen } = await world.run(['run', '--profile', 'full', ...few]);
  expect([code, [...screen].filter(isControl)]).toEqual([1, []]);
  expect(world.disk.files.get('conformance-report/report.html')?.text).toContain('alert(1)');
  for (const [name, { text }] of world.disk.files) {
    expect([name, text.includes('\u001b')]).toEqual([name, false]);
    // In a code span of Markdown markup is text: what counts is the page that it becomes.
    const page = name.endsWith('.md') ? marked.parse(text, { async: false, gfm: true }) : text;
    if (/\.(html|md|svg)$/.test(name)) expect(page).not.toMatch(/<script>alert|<img src=x/);
  }
});
