import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { type InvalidField, invalidFields } from '../core/errors.ts';
import { readJson } from './middleware.ts';

/** The validated parts of a request. */
export interface Parsed<Body, Query, Path> {
  body: Body;
  query: Query;
  path: Path;
}

interface Schemas<Body extends z.ZodType, Query extends z.ZodType, Path extends z.ZodType> {
  body?: Body;
  query?: Query;
  path?: Path;
}

/**
 * Returns a middleware that validates the parts of a request by schemas and adds them to the event.
 * @throws DomainError 400 with the invalid fields of the first invalid part; 413 for a body over 256 KiB; 415 for
 * another content type than JSON
 */
export function parseRequest<Body extends z.ZodType, Query extends z.ZodType, Path extends z.ZodType>(
  schemas: Schemas<Body, Query, Path>,
): middy.MiddlewareObj<
  APIGatewayProxyEventV2 & { parsed: Parsed<z.infer<Body>, z.infer<Query>, z.infer<Path>> }
> {
  return {
    before: ({ event }) => {
      event.parsed = {
        path: parsePart(schemas.path, () => event.pathParameters ?? {}),
        query: parsePart(schemas.query, () => event.queryStringParameters ?? {}),
        body: parsePart(schemas.body, () => readJson(event)),
      };
    },
  };
}

/** Parses a part of a request; returns undefined without a schema. */
function parsePart<Schema extends z.ZodType>(
  schema: Schema | undefined,
  read: () => unknown,
): z.infer<Schema>;
function parsePart(schema: z.ZodType | undefined, read: () => unknown): unknown {
  return schema && validate(schema, read());
}

// These messages continue a sentence that begins with the field's path. A schema's own message that begins with a
// capital letter is a whole sentence and is shown unchanged.
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? 'is required' : `must be ${withArticle(issue.expected)}`;
      case 'too_small':
        return issue.origin === 'string'
          ? Number(issue.minimum) === 1
            ? 'must not be empty'
            : `must have at least ${issue.minimum} characters`
          : `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
      case 'too_big':
        if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
        if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
        return `must be at most ${issue.maximum}`;
      case 'invalid_value':
        return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`;
      default:
        return 'is not valid';
    }
  },
});

/** Validates and converts a value by a schema. @throws DomainError 400 with all invalid fields */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const byPath = Map.groupBy(result.error.issues, ({ path }) => path.join('.'));
  const [first = { path: '', message: 'The body is not valid' }, ...others] = [...byPath].map(toInvalidField);
  throw invalidFields(first, ...others);
}

/** Describes the first error of a field. */
function toInvalidField([path, [issue]]: [string, z.core.$ZodIssue[]]): InvalidField {
  const message = issue?.message ?? 'is not valid';
  return { path, message: /^[A-Z]/.test(message) ? message : `${path || 'The body'} ${message}` };
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
