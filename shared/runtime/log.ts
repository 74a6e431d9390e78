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

/**
 * The last guard of what is logged. Callers pass ids and counts only; this catches what slips in, mostly
 * inside the messages of libraries' errors.
 */

const hidden = '[redacted]';

/** Fields that never hold anything but a secret or personal data. `tokenId` and the like stay readable. */
const sensitiveKey =
  /(?:authorization|cookie|password|secret|token|e-?mail|private_?key|api_?key|account_?number|account_?name|^name)s?$/i;

const sensitiveText: readonly [RegExp, string][] = [
  // RPC endpoints carry their key in the path, and ethers quotes the whole address in its errors.
  [/(https?:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']+)[/?#][^\s"']*/gi, '$1$2/…'],
  [/\bBearer\s+[^\s"']+/gi, `Bearer ${hidden}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, hidden],
  // Who has a payment's reference can ask its provider about it; the order's id does for tracing.
  [/\bBOX-[A-Z0-9]{1,6}-\d{13}-[A-Z0-9]{8}\b/g, hidden],
  [/[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}/gi, hidden],
];

/** A field's value as it may be logged; a number or a boolean is no secret. */
export function redact<Plain extends number | boolean | undefined>(key: string, value: string | Plain) {
  if (typeof value !== 'string') return value;
  if (sensitiveKey.test(key)) return hidden;
  let text: string = value;
  for (const [pattern, replacement] of sensitiveText) text = text.replace(pattern, replacement);
  return text;
}

/**
 * Writes one JSON line to standard output. Lambda's own console would put a timestamp and a request id before
 * it, and CloudWatch then finds neither fields nor metrics in the line.
 */
export function writeLine(entry: object): void {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}
