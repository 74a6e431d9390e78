import * as z from 'zod';
import { invalid } from '../core/errors.ts';

// The texts below are half sentences, completed with the field's name. A schema's own message is a whole
// sentence, begins with a capital letter, and is shown as it is.
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
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

/** The value as the schema describes it. @throws DomainError 400 that names the first field at fault. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') || 'The body';
  const message = issue?.message ?? 'is not valid';
  throw invalid(/^[A-Z]/.test(message) ? message : `${field} ${message}`);
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
