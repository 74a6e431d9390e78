import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: documents are not typed
type Json = any;

/** Checks values against the schemas of an OpenAPI document. Unknown fields are errors. */
export class SchemaChecker {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #components: Json;
  readonly #compiled = new Map<Json, ValidateFunction>();

  constructor(document: Json) {
    formats.default(this.#ajv);
    this.#components = { schemas: closeObjects(document.components.schemas) };
  }

  /** Returns the errors of a value; empty when it is valid. */
  findErrors(schema: Json, value: unknown): string[] {
    const check = this.#compiled.get(schema) ?? this.#compile(schema);
    check(value);
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  #compile(schema: Json): ValidateFunction {
    const check = this.#ajv.compile({ ...closeObjects(schema), components: this.#components });
    this.#compiled.set(schema, check);
    return check;
  }
}

/** Returns the schema with `additionalProperties: false` on every object. */
function closeObjects(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closeObjects);
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closeObjects(part)]));
  const isOpen = schema.type === 'object' && schema.properties && schema.additionalProperties === undefined;
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}
