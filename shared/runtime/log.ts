import { Logger } from '@aws-lambda-powertools/logger';

/**
 * Ids and counts. Never pass tokens, e-mails, names or payment details: more people can read the log than the table.
 */
type Fields = Record<string, string | number | boolean | undefined>;

/** Writes one JSON line per entry, with sensitive fields and texts redacted. */
const logger = new Logger({ serviceName: 'boxoffice', jsonReplacerFn: redact });

export const log = {
  info: (message: string, fields: Fields = {}) => logger.info(message, fields),
  warn: (message: string, fields: Fields = {}) => logger.warn(message, fields),
  /** Logs the name, message and stack of `cause`. They are never part of a response. */
  error: (message: string, cause: unknown, fields: Fields = {}) =>
    logger.error(message, {
      ...fields,
      cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
      stack: cause instanceof Error ? cause.stack : undefined,
    }),
};

const redactedText = '[redacted]';

/** Names of fields that always contain a secret or personal data. Fields such as `tokenId` stay readable. */
const sensitiveKey =
  /(?:authorization|cookie|password|secret|token|e-?mail|private_?key|api_?key|account_?number|account_?name|^name)s?$/i;

const sensitiveText: readonly [RegExp, string][] = [
  // RPC endpoints contain their key in the path, and ethers quotes the whole address in its errors.
  [/(https?:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']+)[/?#][^\s"']*/gi, '$1$2/…'],
  [/\bBearer\s+[^\s"']+/gi, `Bearer ${redactedText}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, redactedText],
  // A payment's reference gives access to the payment at its provider. The order's id suffices for tracing.
  [/\bBOX-[A-Z0-9]{1,6}-\d{13}-[A-Z0-9]{8}\b/g, redactedText],
  [/[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}/gi, redactedText],
];

/**
 * Redacts fields that callers pass by mistake, and secrets in the messages of libraries' errors. Powertools calls it
 * for every property of an entry, at any depth; numbers and booleans pass.
 */
function redact(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (sensitiveKey.test(key)) return redactedText;
  let text = value;
  for (const [pattern, replacement] of sensitiveText) text = text.replace(pattern, replacement);
  return text;
}
