import type { JsonSchema } from '../../shared/http/contract.ts';

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
