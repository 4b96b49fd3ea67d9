/** Every file of a report folder, read as others read it. */

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import harSchema from 'har-schema';
import { parse } from 'parse5';
import { validateXML } from 'xmllint-wasm';
import { schemaProblem } from '../../src/regression/own-files.ts';
import type { RunArtefacts } from '../../src/report/model.ts';
import { REPORTERS } from '../../src/report/write-reports.ts';

type Complaints = (text: string) => readonly string[] | Promise<readonly string[]>;

const JUNIT = readFileSync(new URL('../unit/report/junit.xsd', import.meta.url), 'utf8');

const HAR = new Ajv({ strict: false, validateFormats: false, logger: false });
HAR.addMetaSchema(draft06);
const { har, ...parts } = harSchema;
for (const schema of Object.values(parts)) HAR.addSchema(schema);
const isHar = HAR.compile(har ?? {});

const bySchema =
  (kind: 'results' | 'choices'): Complaints =>
  (text) => {
    const problem = schemaProblem(kind, JSON.parse(text));
    return problem === null ? [] : [problem];
  };

const ofHtml: Complaints = (text) => {
  const errors: string[] = [];
  parse(text, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) });
  return errors;
};

/** A table of Markdown ends where a row has another number of cells. */
const ofMarkdown: Complaints = (text) => {
  const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
  const lines = text.split('\n');
  return lines.filter((line, at) => {
    const before = lines[at - 1] ?? '';
    return line.startsWith('|') && before.startsWith('|') && cells(line) !== cells(before);
  });
};

const COMPLAINTS: Readonly<Record<string, Complaints>> = {
  'results.json': bySchema('results'),
  'choices.json': bySchema('choices'),
  'report.html': ofHtml,
  'results.sarif': (text) => (Array.isArray(JSON.parse(text).runs?.[0]?.results) ? [] : ['it has no results']),
  'junit.xml': async (contents) => {
    const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents }, schema: [JUNIT] });
    return errors.map(({ message }) => message);
  },
  'evidence.har': (text) => (isHar(JSON.parse(text)) ? [] : [HAR.errorsText(isHar.errors)]),
  'summary.md': ofMarkdown,
  'badge.json': (text) => ('schemaVersion' in JSON.parse(text) ? [] : ['it has no version']),
};

/** What is wrong with the files of this run, each with its name; a file that nobody here can read is wrong. */
export async function complaintsAbout(run: RunArtefacts): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { file, render } of REPORTERS) {
    const text = render(run);
    if (text === null) continue;
    const complain = COMPLAINTS[file] ?? (() => ['no proof reads this file']);
    for (const problem of await complain(text)) problems.push(`${file}: ${problem}`);
  }
  return problems;
}
