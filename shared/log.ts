import { writeLine } from './output.ts';
import { redact } from './redact.ts';

/**
 * One JSON line per entry. Pass ids and counts, never tokens, e-mails, names or payment details:
 * what is logged is read by more people than the table is.
 */
type Fields = Record<string, string | number | boolean | undefined>;

function write(level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Fields): void {
  const entry = { level, message, timestamp: new Date().toISOString(), ...fields };
  writeLine(Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, redact(key, value)])));
}

export const log = {
  info: (message: string, fields: Fields = {}) => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}) => write('WARN', message, fields),
  /** `cause` is logged by name and message and never shown to a caller. */
  error: (message: string, cause: unknown, fields: Fields = {}) =>
    write('ERROR', message, {
      ...fields,
      cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
      stack: cause instanceof Error ? cause.stack : undefined,
    }),
};
