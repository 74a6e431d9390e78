import { Logger } from '@aws-lambda-powertools/logger';

/**
 * Ids and counts. Never pass tokens, e-mails, names or payment details: more people read the log than the table.
 */
type Fields = Record<string, string | number | boolean | undefined>;

/** One JSON line per entry, with sensitive fields and texts redacted. */
const logger = new Logger({ serviceName: 'boxoffice', jsonReplacerFn: redact });

export const log = {
  info: (message: string, fields: Fields = {}) => logger.info(message, fields),
  warn: (message: string, fields: Fields = {}) => logger.warn(message, fields),
  /** Logs `cause` by name, message and stack; callers never see it. */
  error: (message: string, cause: unknown, fields: Fields = {}) =>
    logger.error(message, {
      ...fields,
      cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
      stack: cause instanceof Error ? cause.stack : undefined,
    }),
};

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

/**
 * The last guard, for what callers pass by mistake and for the texts of libraries' errors. Powertools calls it for
 * every property of an entry, at any depth; numbers and booleans pass.
 */
function redact(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (sensitiveKey.test(key)) return hidden;
  let text = value;
  for (const [pattern, replacement] of sensitiveText) text = text.replace(pattern, replacement);
  return text;
}
