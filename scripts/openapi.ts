/** The OpenAPI descriptions in `schemas`: one file each, which needs no other beside it. */

import { groupBy } from '../src/contract/lists.ts';
import { OPERATIONS, type Operation, type OperationId } from '../src/contract/operations.ts';
import { BODY_SCHEMAS, ERROR_ENVELOPE, type JsonSchema } from '../src/contract/schemas.ts';

/** The versions of OpenAPI that are written. */
export type OpenApiVersion = '3.1.0' | '3.0.3';

/** The words of the interface for a success, where it has any (section 4). */
const SUCCESS_WORDS: Readonly<Partial<Record<OperationId, string>>> = {
  createCall: 'Call created',
  updateVoiceApplication: 'Voice application updated',
  listNumbers: 'Numbers returned',
  listTrunks: 'Trunks returned',
};

/** The operations for which section 7 names the envelope. */
const NAMED_FAILURES: readonly OperationId[] = [
  ...(['updateVoiceApplication', 'getCarrierProvider', 'searchAvailableNumbers', 'hangUpCall', 'answerCall'] as const),
];

const UUID = '00000000-0000-4000-8000-000000000000';

/** A body for each schema, as a reader would send it. */
const EXAMPLES: Readonly<Record<keyof typeof BODY_SCHEMAS, object>> = {
  'call-create': { from: '+15005550006', to: '+15005550010' },
  'voice-application-update': { name: 'Reception', ring_timeout_seconds: 30 },
  'inbound-auth': { method: 'digest', username: 'carrier', realm: 'sip.example.com', secret: '<SECRET>' },
  'trunk-update': { name: 'Main trunk' },
  'number-assignment': { carrier_connection_id: UUID },
};

const ERROR_EXAMPLE = { success: false, error: { code: 'invalid_request', message: 'The field to is missing.' } };

const componentName = (title: string): string =>
  title.replace(/^Body of (the )?/, '').replace(/(?:^|\s)(\w)/g, (_, letter: string) => letter.toUpperCase());

const reference = (kind: 'schemas' | 'responses', name: string): object => ({ $ref: `#/components/${kind}/${name}` });

/** A schema as a component: without what a file of its own needs, and in the words of that version. */
function schemaIn(version: OpenApiVersion, { $id: _, $schema: __, title: ___, ...schema }: JsonSchema): object {
  const { type, const: only, properties, items, additionalProperties, ...rest } = schema;
  const within = (below: JsonSchema): object => schemaIn(version, below);
  const isOld = version === '3.0.3';
  const types = [type ?? []].flat();
  const plain = types.filter((one) => one !== 'null');
  const nullable = isOld && plain.length < types.length;
  return {
    ...rest,
    ...(type === undefined ? {} : { type: isOld ? plain[0] : type }),
    ...(nullable ? { nullable: true } : {}),
    ...(only === undefined ? {} : { [isOld ? 'enum' : 'const']: isOld ? [only] : only }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, below]) => [name, within(below)])),
    }),
    ...(items && { items: within(items) }),
    ...(additionalProperties && { additionalProperties: within(additionalProperties) }),
  };
}

const json = (schema: object, example?: object): object => ({
  content: { 'application/json': { schema, ...(example && { example }) } },
});

const ANY_JSON = { description: 'Any JSON; the interface does not show it.' };

function successOf({ id, success }: Operation, version: OpenApiVersion): object {
  const words = SUCCESS_WORDS[id as OperationId] ?? 'Success; the interface shows no status and no body.';
  // OpenAPI 3.0 has ranges too, but several generators read only numbers there.
  const status = success ?? (version === '3.0.3' ? 200 : '2XX');
  const note = success === null && version === '3.0.3' ? ' Any 2xx is a success.' : '';
  return { [status]: { description: `${words}${note}`, ...json(ANY_JSON) } };
}

function failuresOf(id: string, version: OpenApiVersion): object {
  const other = reference('responses', NAMED_FAILURES.some((one) => one === id) ? 'NamedError' : 'GeneralError');
  const named = { 400: 'BadRequest', 409: 'Conflict', 503: 'Unavailable' };
  const shown = Object.entries(id === 'createCall' ? named : {}).map(([status, name]) => [
    status,
    reference('responses', name),
  ]);
  return { ...Object.fromEntries(shown), ...(version === '3.0.3' ? {} : { '4XX': other }), default: other };
}

/** What a placeholder names: `carrier_connection_id`, `id` of a conference. */
const resourceOf = (kind: string): string => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function operationIn(version: OpenApiVersion, operation: Operation): object {
  const { id, title, path, resources, body } = operation;
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  const parameters = names.map((name, at) => ({
    ...{ name, in: 'path', required: true },
    description: `Identifier of the ${resourceOf(resources[at] ?? '').replace(/^participant/, 'conference participant')}.`,
    schema: { type: 'string' },
  }));
  const content = (name: keyof typeof BODY_SCHEMAS): object =>
    json(reference('schemas', componentName(BODY_SCHEMAS[name].title ?? name)), EXAMPLES[name]);
  return {
    operationId: id,
    summary: title,
    tags: [path.split('/')[2] ?? ''],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : { requestBody: { required: BODY_SCHEMAS[body].required !== undefined, ...content(body) } }),
    responses: { ...successOf(operation, version), ...failuresOf(id, version) },
  };
}

const failure = (description: string): object => ({
  description,
  ...json(reference('schemas', 'ErrorEnvelope'), ERROR_EXAMPLE),
});

/** The interface in OpenAPI. Version 3.0.3 has no status ranges, no `const` and no lists of types. */
export function openApi(version: OpenApiVersion): object {
  const isOld = version === '3.0.3';
  const byPath = groupBy(OPERATIONS as readonly Operation[], ({ path }) => path);
  const paths = [...byPath].map(([path, operations]) => [
    path,
    Object.fromEntries(operations.map((one) => [one.method.toLowerCase(), operationIn(version, one)])),
  ]);
  const bodies = Object.values(BODY_SCHEMAS).map((schema) => [
    componentName(schema.title ?? ''),
    schemaIn(version, schema),
  ]);
  return {
    openapi: version,
    info: {
      title: 'Programmable Communications Service',
      version: '1.0.0',
      description:
        "The thirteen operations whose shape the interface shows. What it leaves open is left open here: success bodies, query parameters, and the success status of ten operations. Only the id createCall is the interface's own; the other operation ids are this project's names.",
      license: {
        name: 'Apache-2.0',
        ...(isOld ? { url: 'https://www.apache.org/licenses/LICENSE-2.0' } : { identifier: 'Apache-2.0' }),
      },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The base address of the target.',
        variables: {
          base_url: {
            default: 'https://pcs-conformance.invalid',
            description: 'No address is fixed; the default is deliberately unreachable.',
          },
        },
      },
    ],
    security: [{ organizationCredential: [] }],
    tags: [...new Set(OPERATIONS.map(({ path }) => path.split('/')[2] ?? ''))].map((name) => ({
      name,
      description: `Operations on ${name.replaceAll('-', ' ')}.`,
    })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        organizationCredential: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The credential of an organization: a fixed organization prefix and then the secret part (section 5).',
        },
      },
      schemas: { ...Object.fromEntries(bodies), ErrorEnvelope: schemaIn(version, ERROR_ENVELOPE) },
      responses: {
        BadRequest: failure('The request is malformed or invalid (section 7).'),
        Conflict: failure('The request or a resource is in conflict (section 7).'),
        Unavailable: failure('A dependency that is needed at run time is unavailable (section 7).'),
        NamedError: failure(
          'A failure of an operation for which section 7 names the envelope; the status is not shown.',
        ),
        GeneralError: failure(
          'Any other failure: section 7 requires the envelope in general (reading R1); the status is not shown.',
        ),
      },
    },
  };
}

/** The files in `schemas`, by the version that each has. */
export const OPENAPI_FILES = { 'openapi.json': '3.1.0', 'openapi-3.0.json': '3.0.3' } as const;

/** The description as its file holds it, in the form of the formatter. */
export function renderOpenApi(version: OpenApiVersion): string {
  const oneLine = (_: string, words: string): string => `[${words.replace(/\s+/g, ' ')}]`;
  return `${JSON.stringify(openApi(version), null, 2).replace(/\[\s+((?:"[\w-]+"|false)(?:,\s+"[\w-]+")*)\s+\]/g, oneLine)}\n`;
}
