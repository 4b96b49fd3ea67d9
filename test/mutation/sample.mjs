// Draws one-line mutants by a seed and says which test notices each, or that none does:
//
//   node test/mutation/sample.mjs --log FILE [--count 120] [--seed 1] [--within 1000] [--again] [--only SUBSTRING]
//
// The tree is copied, the copy is built, and every unit test notes which functions it calls (test/mutation/touched.ts). A mutant is
// written into the copy, compiled, and judged as npm test does: by the unit tests that call its function, the cheapest first, then
// by the proofs, then by the command; the first failure ends it. --within asks only unit tests of less than so many milliseconds.
// What does not compile, or leaves the compiled file as it was, is no mutant. FILE has a line of JSON for each mutant that was
// judged. The next call goes on behind it: with the tests that a survivor has not met, or with all of them if --again is given.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseAst } from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = [
  'src/verdict',
  'src/client',
  'src/run',
  'src/exchange',
  'src/certificate',
  'src/regression',
  'suites/expect',
];

const { values: given } = parseArgs({
  options: {
    log: { type: 'string' },
    count: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    within: { type: 'string', default: 'Infinity' },
    again: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
if (given.log === undefined) throw new Error('name the file for the results: --log FILE');
const LOG = given.log;
const WITHIN = Number(given.within);

/** @typedef {{ file: string, line: number, change: string, start: number, end: number, text: string }} Mutant */

const COMPARISONS = { '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const SWAPPED = { '&&': '||', '||': '&&' };

/** The edits of one node, as the range that is replaced and its new text. */
function* editsOf(node, code) {
  const textOf = ({ start, end }) => code.slice(start, end);
  const negated = (test) => ({ start: test.start, end: test.end, text: `!(${textOf(test)})`, change: 'negate' });
  const without = (list, at) => {
    const start = at === 0 ? list[0].start : list[at - 1].end;
    return {
      start,
      end: at === 0 && list.length > 1 ? list[1].start : list[at].end,
      text: '',
      change: 'drop from the list',
    };
  };
  switch (node.type) {
    case 'IfStatement':
      yield negated(node.test);
      yield {
        start: node.start,
        end: node.end,
        text: node.alternate ? textOf(node.alternate) : ';',
        change: 'drop the guard',
      };
      break;
    case 'ConditionalExpression':
    case 'WhileStatement':
      yield negated(node.test);
      break;
    case 'LogicalExpression': {
      const { left, right, operator } = node;
      if (SWAPPED[operator] === undefined) break;
      const between = code.slice(left.end, right.start).replace(operator, SWAPPED[operator]);
      yield {
        start: node.start,
        end: node.end,
        text: `(${textOf(left)}${between}${textOf(right)})`,
        change: 'swap && and ||',
      };
      yield { start: node.start, end: node.end, text: textOf(left), change: 'drop the right term' };
      yield { start: node.start, end: node.end, text: textOf(right), change: 'drop the left term' };
      break;
    }
    case 'BinaryExpression': {
      const other = COMPARISONS[node.operator];
      if (other === undefined) break;
      const between = code.slice(node.left.end, node.right.start);
      yield {
        start: node.left.end,
        end: node.right.start,
        text: between.replace(node.operator, other),
        change: `${node.operator} to ${other}`,
      };
      break;
    }
    case 'UnaryExpression':
      if (node.operator === '!')
        yield { start: node.start, end: node.argument.start, text: '', change: 'drop the not' };
      break;
    case 'ExpressionStatement':
      if (
        /^(Call|Assignment|Await|Update|Yield|Chain)/.test(node.expression.type) &&
        textOf(node).startsWith('super') === false
      )
        yield { start: node.start, end: node.end, text: ';', change: 'drop the statement' };
      break;
    case 'ArrayExpression':
      for (const at of node.elements.keys()) if (!node.elements.includes(null)) yield without(node.elements, at);
      break;
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.computed) break;
      if (callee.property.name === 'filter')
        yield { start: callee.object.end, end: node.end, text: '', change: 'drop the filter' };
      const other = new Map([
        ['some', 'every'],
        ['every', 'some'],
      ]).get(callee.property.name);
      if (other !== undefined)
        yield {
          start: callee.property.start,
          end: callee.property.end,
          text: other,
          change: `${callee.property.name} to ${other}`,
        };
      break;
    }
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const result =
        node.returnType === null || node.returnType === undefined ? '' : textOf(node.returnType).replace(/^:\s*/, '');
      const early = { void: 'return;', 'Promise<void>': 'return;', boolean: 'return false;' }[result];
      if (early === undefined || node.body === null) break;
      if (node.body.type === 'BlockStatement')
        yield { start: node.body.start + 1, end: node.body.start + 1, text: ` ${early}`, change: 'return early' };
      else if (result === 'boolean')
        for (const value of ['true', 'false'])
          yield { start: node.body.start, end: node.body.end, text: value, change: `always ${value}` };
      break;
    }
  }
}

/** All mutants of a file that change at most three lines of it. */
function mutantsOf(file) {
  const code = readFileSync(join(ROOT, file), 'utf8');
  /** @type {Mutant[]} */
  const found = [];
  const lineOf = (offset) => code.slice(0, offset).split('\n').length;
  const walk = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const each of node) walk(each);
      return;
    }
    if (typeof node.type !== 'string') return;
    const isWritten = !node.type.startsWith('TS') || /^TS(As|Satisfies|NonNull)/.test(node.type);
    if (!isWritten || /^(Import|ExportAll)/.test(node.type)) return;
    for (const { start, end, text, change } of editsOf(node, code)) {
      if (lineOf(end) - lineOf(start) < 3) found.push({ file, line: lineOf(start), change, start, end, text });
    }
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(code, { lang: 'ts' }));
  return found;
}

/** Numbers from 0 to 1 that follow from the seed alone (mulberry32). */
function drawn(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled(items, random) {
  const left = [...items];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const to = Math.floor(random() * (at + 1));
    [left[at], left[to]] = [left[to], left[at]];
  }
  return left;
}

const COPY = mkdtempSync(join(tmpdir(), 'mutants-'));
process.on('exit', () => rmSync(COPY, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

/** Runs a program in the copy; npm test imports what was built, and so does this. A mutant may loop: timeout ends it, with its workers. */
const inCopy = (program, words, environment = {}) =>
  spawnSync('timeout', ['--kill-after=5', environment.TOUCHED === undefined ? '400' : '3600', program, ...words], {
    cwd: COPY,
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, npm_lifecycle_event: 'test', NO_COLOR: '1', ...environment },
  });

const compile = () =>
  inCopy('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--incremental', '--tsBuildInfoFile', '.compiled'])
    .status === 0;

/** Runs test files of `npm test`: the first failure, or undefined. */
function failureOf(files, project, environment = {}, bail = ['--bail=1']) {
  const report = join(COPY, 'tests.json');
  rmSync(report, { force: true });
  const words = ['run', '--config', 'test/mutation/sample.config.ts', '--project', project, ...bail, '--reporter=json'];
  const { status, stderr } = inCopy('node_modules/.bin/vitest', [...words, `--outputFile=${report}`, ...files], {
    TEST_FILES: files.join(','),
    ...environment,
  });
  if (status === 0) return undefined;
  if (!existsSync(report)) return `no report: ${stderr.slice(-300)}`;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const { name, assertionResults, status: of } of testResults) {
    const failed = assertionResults.find((one) => one.status === 'failed');
    if (failed !== undefined || of === 'failed')
      return `${name.slice(COPY.length + 1)}: ${failed?.fullName ?? 'the file'}`;
  }
  return 'an error beside the tests';
}

function prepare() {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter((one) => one !== '' && existsSync(join(ROOT, one)))) {
    mkdirSync(dirname(join(COPY, file)), { recursive: true });
    cpSync(join(ROOT, file), join(COPY, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(COPY, 'node_modules'));
  if (!compile() || inCopy('node', ['scripts/copy-assets.mjs']).status !== 0)
    throw new Error('the copy does not build');
  cpSync(join(COPY, 'dist'), join(COPY, 'dist-before'), { recursive: true });
}

const UNIT = [
  'test/unit/',
  ...readdirSync(join(ROOT, 'test')).flatMap((file) => (/\.test\.ts$/.test(file) ? `test/${file}` : [])),
];

/** What each unit test calls; kept beside the log. */
function touched() {
  const kept = `${LOG}.touched`;
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const notes = join(COPY, 'notes');
  mkdirSync(notes);
  const failure = failureOf(UNIT, 'short', { TOUCHED: notes }, []);
  if (failure !== undefined) throw new Error(`a test fails without any mutant: ${failure}`);
  const all = readdirSync(notes).map((note) => JSON.parse(readFileSync(join(notes, note), 'utf8')));
  writeFileSync(kept, JSON.stringify(all));
  return all;
}

/** Where in the compiled file the mutant stands: the first character that differs, or -1. */
function differenceIn(built) {
  const before = readFileSync(join(COPY, built.replace(/^dist/, 'dist-before')), 'utf8');
  const after = readFileSync(join(COPY, built), 'utf8');
  if (before === after) return -1;
  let at = 0;
  while (before[at] === after[at]) at += 1;
  return at;
}

/** Test files that call the function in which the mutant stands (any of its file, if it stands in none), cheapest first. */
function judgesOf(notes, built, at) {
  const calls = ({ files }) => {
    const functions = files[built] ?? [];
    // V8 names functions from the outside in.
    const innermost = functions.findLast(([start, end]) => start <= at && at < end);
    return innermost === undefined ? functions.some(([, , count]) => count > 0) : innermost[2] > 0;
  };
  return notes.filter(calls).sort((a, b) => a.millis - b.millis);
}

/** The proofs, small files first: they take least. */
const PROOFS = readdirSync(join(ROOT, 'test/proof'))
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/proof/${file}`)
  .sort((a, b) => statSync(join(ROOT, a)).size - statSync(join(ROOT, b)).size);

/** What notices the mutant among the tests that take at least so long; undefined where it is none. */
function judge(mutant, notes, atLeast) {
  const source = join(COPY, mutant.file);
  // The tree itself may have changed since.
  const code = readFileSync(source, 'utf8');
  const built = `dist/${mutant.file.replace(/\.ts$/, '.js')}`;
  writeFileSync(source, code.slice(0, mutant.start) + mutant.text + code.slice(mutant.end));
  try {
    if (!compile()) return undefined;
    const at = differenceIn(built);
    if (at === -1) return undefined;
    const judges = judgesOf(notes, built, at).filter(({ millis }) => millis >= atLeast && millis < WITHIN);
    const failure =
      judges.length === 0
        ? undefined
        : failureOf(
            judges.map(({ test }) => test),
            'short',
          );
    if (failure !== undefined) return failure;
    if (WITHIN < Infinity) return SURVIVED;
    return failureOf(PROOFS, 'short') ?? failureOf([], 'command') ?? SURVIVED;
  } finally {
    // The next compilation takes it back.
    writeFileSync(source, code);
  }
}

const sources = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true })
    .map((file) => join(room, String(file)))
    .filter((file) => file.endsWith('.ts') && statSync(join(ROOT, file)).isFile())
    .sort(),
);
const all = sources.flatMap(mutantsOf);
const order = shuffled(all, drawn(Number(given.seed))).filter(({ file }) => file.includes(given.only));

const keyOf = ({ file, start, end, text }) => `${file}:${start}-${end}:${text}`;
const logged = existsSync(LOG)
  ? readFileSync(LOG, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
const SURVIVED = 'survived';
const known = new Map(logged.map((one) => [one.key, one]));

prepare();
const notes = touched();
let judged = 0;
for (const mutant of order) {
  if (judged >= Number(given.count)) break;
  const key = keyOf(mutant);
  const before = known.get(key);
  const asked = before?.asked ?? Infinity;
  const isOpen = before?.noticed === SURVIVED && (given.again || asked < WITHIN);
  if (before !== undefined && !isOpen) {
    if (before.noticed !== 'none') judged += 1;
    continue;
  }
  const noticed = judge(mutant, notes, isOpen && !given.again ? asked : 0) ?? 'none';
  if (noticed !== 'none') judged += 1;
  const { file, line, change, start, end, text } = mutant;
  const was = readFileSync(join(COPY, file), 'utf8').slice(start, end);
  // JSON has no Infinity: all tests were asked.
  appendFileSync(LOG, `${JSON.stringify({ key, file, line, change, was, text, noticed, asked: WITHIN })}\n`);
  if (noticed !== 'none')
    console.log(`${judged} ${file}:${line} ${change}: ${was.slice(0, 80)} → ${text.slice(0, 80)}\n    ${noticed}`);
}
console.log(`${judged} of ${given.count} mutants judged, drawn from ${all.length}`);
