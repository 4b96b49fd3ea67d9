// Compiles the schemas of our own files to plain JavaScript (dist/validators), so that a run makes no code from strings: a
// hardened Node forbids that. The tests do so where dist is older than a schema.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

const ID = 'https://pcs-conformance.invalid/schemas/';
const FILES = ['results', 'choices', 'exchange', 'record', 'samples', 'expectations', 'implementation', 'verification'];
/** Files beside a certificate share its schema. */
const CERTIFICATE = ['certifiedRecord', 'manifest', 'signatureFile', 'statement'];
const BODIES = ['call-create', 'voice-application-update', 'inbound-auth', 'trunk-update', 'number-assignment'];

const schemaId = (name) => `${ID}${name}.schema.json`;
const idsOf = (names) => Object.fromEntries(names.map((name) => [name, schemaId(name)]));

/** Modules by name: what each exports, by the id of its schema; the schemas; and whether every error is listed. */
const MODULES = {
  envelope: { exports: idsOf(['error-envelope']), schemas: ['error-envelope'], allErrors: true },
  journal: { exports: idsOf(['journal-entry']), schemas: ['journal-entry'], allErrors: false },
  files: {
    exports: {
      ...idsOf(FILES),
      ...Object.fromEntries(CERTIFICATE.map((name) => [name, `${schemaId('certificate')}#/$defs/${name}`])),
    },
    schemas: [...FILES, 'certificate', ...BODIES],
    allErrors: false,
  },
};

/** What the code of ajv requires at run time, in Node's own words: the package then needs no ajv. */
const RUNTIME = {
  'require("ajv/dist/runtime/ucs2length").default': '((text) => [...text].length)',
  'require("ajv/dist/runtime/equal").default': 'require("node:util").isDeepStrictEqual',
};

const fileOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const schemaFile = (name) => fileOf(`schemas/${name}.schema.json`);
const validatorFile = (name) => fileOf(`dist/validators/${name}.cjs`);

/** The code of one module. Throws if it needs a package. */
function codeOf({ exports, schemas, allErrors }) {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    inlineRefs: false,
    allErrors,
    code: { source: true },
    schemas: schemas.map((name) => JSON.parse(readFileSync(schemaFile(name), 'utf8'))),
  });
  let code = standalone.default(ajv, exports);
  for (const [call, own] of Object.entries(RUNTIME)) code = code.replaceAll(call, own);
  const [left] = /require\("(?!node:)[^)]*/.exec(code) ?? [];
  if (left !== undefined) throw new Error(`the code of the schemas needs ${left})`);
  return code;
}

/** Writes the modules, each at once, since a run beside this one may read them. */
export function compileSchemas() {
  mkdirSync(fileOf('dist/validators'), { recursive: true });
  for (const [name, module] of Object.entries(MODULES)) {
    const file = validatorFile(name);
    writeFileSync(`${file}.${process.pid}`, codeOf(module));
    renameSync(`${file}.${process.pid}`, file);
  }
}

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether a schema, or this script, was changed after the modules were written. */
export function isStale() {
  const sources = Object.values(MODULES).flatMap(({ schemas }) => schemas.map(schemaFile));
  const newest = Math.max(...[fileURLToPath(import.meta.url), ...sources].map(changed));
  return Object.keys(MODULES).some((name) => changed(validatorFile(name)) < newest);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compileSchemas();
