import * as z from 'zod';
import type { JsonSchema } from '../../shared/http/contract.ts';

type Schema = z.ZodType | JsonSchema;

/** Turns schemas into what an OpenAPI document holds, and gathers those that have a name. */
export class Schemas {
  /** By name: what goes under `components`. */
  readonly named: Record<string, JsonSchema> = {};

  /** A body that callers send. */
  sent(schema: Schema): JsonSchema {
    return this.#convert(schema, 'input');
  }

  /** A body that we answer with. */
  answered(schema: Schema): JsonSchema {
    return this.#convert(schema, 'output');
  }

  #convert(schema: Schema, io: 'input' | 'output'): JsonSchema {
    if (!(schema instanceof z.core.$ZodType)) return schema as JsonSchema;
    const converted = z.toJSONSchema(schema, { io, override: tidy });
    const { $schema: _, $defs = {}, ...root } = moved(converted) as JsonSchema & { $defs?: object };
    Object.assign(this.named, $defs);
    return root;
  }
}

/** Named schemas lie under `components` in a document, not beside the schema that refers to them. */
function moved(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/**
 * Leaves out what says nothing: bounds that are JavaScript's own, and that there are no further fields today. Puts
 * back the examples that Zod leaves out where a value is transformed: ours are what is sent.
 */
function tidy({ zodSchema, jsonSchema }: Overridden): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.id;
  const examples = z.globalRegistry.get(zodSchema as never)?.examples;
  if (examples) jsonSchema.examples = examples as unknown[];
}

interface Overridden {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}
