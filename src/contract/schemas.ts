/** The request bodies and the error envelope as JSON Schema 2020-12 (specification, section 2), under their names. */

import callCreate from '#schemas/call-create.schema.json' with { type: 'json' };
import errorEnvelope from '#schemas/error-envelope.schema.json' with { type: 'json' };
import inboundAuth from '#schemas/inbound-auth.schema.json' with { type: 'json' };
import numberAssignment from '#schemas/number-assignment.schema.json' with { type: 'json' };
import trunkUpdate from '#schemas/trunk-update.schema.json' with { type: 'json' };
import voiceApplicationUpdate from '#schemas/voice-application-update.schema.json' with { type: 'json' };

/** The type words of JSON Schema. */
export type SchemaType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** A schema in the keywords that this project's schema files use, and in no others. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  /** One type, or several alternatives. */
  readonly type?: SchemaType | readonly SchemaType[];
  readonly const?: string | number | boolean | null;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** What members that `properties` does not name look like; absent: they are unrestricted. */
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  /** `uuid` is the only format that the schema files name. */
  readonly format?: string;
  readonly writeOnly?: boolean;
}

// TypeScript reads `type` in a JSON file as any string; that the files keep to JsonSchema is tested.

/** The schema of each request body (section 2), by the name that the operations refer to. */
export const BODY_SCHEMAS = {
  'call-create': callCreate as JsonSchema,
  'voice-application-update': voiceApplicationUpdate as JsonSchema,
  'inbound-auth': inboundAuth as JsonSchema,
  'trunk-update': trunkUpdate as JsonSchema,
  'number-assignment': numberAssignment as JsonSchema,
} as const;

/** The members that the specification names for a body; none for an operation without one. */
export const documentedMembers = (body: keyof typeof BODY_SCHEMAS | null): readonly string[] =>
  body === null ? [] : Object.keys(BODY_SCHEMAS[body].properties ?? {});

/** The schema of the body of every error (sections 2 and 7). */
export const ERROR_ENVELOPE: JsonSchema = errorEnvelope as JsonSchema;
