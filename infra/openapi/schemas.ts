import * as z from 'zod';
import type { JsonSchema } from '../../shared/http/contract.ts';

type Schema = z.ZodType | JsonSchema;

/** Converts schemas for an OpenAPI document, and collects the named ones. */
export class Schemas {
  /** The named schemas, for the document's `components`. */
  readonly named: Record<string, JsonSchema> = {};

  /** Converts the schema of a request's body or parameters. */
  requestSchema(schema: Schema): JsonSchema {
    return this.#convert(schema, 'input');
  }

  /** Converts the schema of a response's body. */
  responseSchema(schema: Schema): JsonSchema {
    return this.#convert(schema, 'output');
  }

  #convert(schema: Schema, io: 'input' | 'output'): JsonSchema {
    if (!(schema instanceof z.core.$ZodType)) return schema as JsonSchema;
    const converted = z.toJSONSchema(schema, { io, override: adaptSchema });
    const {
      $schema: _,
      $defs = {},
      ...root
    } = toComponentReferences(converted) as JsonSchema & { $defs?: object };
    Object.assign(this.named, $defs);
    return root;
  }
}

/** Makes `$ref`s point to the document's `components`, which contain the named schemas. */
function toComponentReferences(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/**
 * Removes `id`, the limits of safe integers and `additionalProperties: false`. Restores the examples that Zod omits for
 * transformed values, since this project's examples show the value before the transformation. Copies the description of
 * a nullable field from its non-null alternative.
 */
function adaptSchema({ zodSchema, jsonSchema }: OverrideContext): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.id;
  const examples = z.globalRegistry.get(zodSchema as never)?.examples;
  if (examples) jsonSchema.examples = examples as unknown[];
  if (jsonSchema.anyOf) jsonSchema.description ??= jsonSchema.anyOf.find(isDescribed)?.description;
}

function isDescribed({ description }: z.core.JSONSchema.BaseSchema): boolean {
  return description !== undefined;
}

interface OverrideContext {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Returns an example of a schema: the schema's own, or else one composed of the examples of its properties or items.
 * @param named the schemas that `$ref` may refer to, by name
 */
export function exampleOf(schema: JsonSchema, named: Record<string, JsonSchema>): unknown {
  const { examples, $ref, properties, items, anyOf } = schema as SchemaParts;
  if (examples) return examples[0];
  if ('default' in schema) return schema.default;
  if ('const' in schema) return schema.const;
  if (schema.enum) return (schema.enum as unknown[])[0];
  if ($ref) return exampleOf(named[$ref.split('/').at(-1) ?? ''] ?? {}, named);
  if (anyOf) return exampleOf(anyOf[0] ?? {}, named);
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, exampleOf(property, named)]),
    );
  }
  if (items) return [exampleOf(items, named)];
  return exampleOfType([schema.type].flat()[0]);
}

interface SchemaParts {
  examples?: unknown[];
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

function exampleOfType(type: unknown): unknown {
  const examplesByType: Record<string, unknown> = {
    string: '',
    number: 0,
    integer: 0,
    boolean: true,
    object: {},
  };
  return examplesByType[String(type)] ?? null;
}
