// Prints the outputs of the action as NAME=value lines, and writes the text of a comment beside the reports. Exits with 1 if
// nothing was judged.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, code, started] = process.argv.slice(2);
const results = join(folder, 'results.json');

/** A comment may have 65,536 characters. */
const MOST = 60_000;
/** By this line a workflow finds its earlier comment. */
const MARK = '<!-- pcs-conformance -->';

function comment() {
  const text = readFileSync(join(folder, 'summary.md'), 'utf8');
  const lines = text.slice(0, MOST).split('\n');
  const kept = text.length > MOST ? [...lines.slice(0, -1), '', 'The rest is in the report.', ''] : lines;
  const file = join(folder, 'comment.md');
  writeFileSync(file, `${MARK}\n${kept.join('\n')}`);
  return file;
}

function judged() {
  const { verdict, colour, summary, counts, gate } = JSON.parse(readFileSync(results, 'utf8'));
  const { cases, requests, calls } = counts;
  return {
    verdict,
    colour,
    gate: gate === undefined ? '' : code === '0' ? 'passes' : 'fails',
    ...Object.fromEntries(['new', 'known', 'gone'].map((name) => [name, gate?.[name].length ?? ''])),
    // Text of a target may be in it, and a line ends an output.
    summary: summary.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    passed: cases.pass,
    failed: cases.fail,
    warnings: cases.warning,
    inconclusive: cases.inconclusive,
    requests,
    calls,
    'comment-file': comment(),
  };
}

// After wrong usage, or if npm failed, the folder may hold the reports of an earlier run.
const isJudged = existsSync(results) && statSync(results).mtimeMs >= statSync(started).mtimeMs;
const outputs = { 'exit-code': code, ...(isJudged ? judged() : {}) };
for (const [name, value] of Object.entries(outputs)) console.log(`${name}=${value}`);
process.exitCode = isJudged || code === '2' ? 0 : 1;
