import { configuration } from '../../infra/local/defaults.ts';
import { secretNames } from '../../shared/runtime/config.ts';

const settings = configuration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

/** What no log may hold: by its look, wherever it comes from … */
const shapes: Record<string, RegExp> = {
  'an e-mail address': /[\w.+-]+@[\w-]+\.[a-z]{2,}/i,
  'a token': /eyJ[\w-]{8,}\.[\w-]+/,
  'a bearer token': /bearer\s+(?!\[redacted\])[^\s"']/i,
  'a cookie': /refreshToken=/,
  'a payment reference': /BOX-[A-Z0-9]{1,6}-\d{13}-[A-Z0-9]{8}/,
  'a password’s hash': /\$2[aby]\$\d\d\$/,
};
/** … and by its very text: what the stack is configured with, and the password of the tests' users. */
const secrets = [...secretNames.map((name) => settings[name] ?? ''), 'correct horse battery'].filter(Boolean);

/**
 * The lines of a log that tell what they must not, each with what that is.
 * @param more texts that must not be there either
 */
export function leaksIn(log: string, more: readonly string[] = []): string[] {
  return log
    .split('\n')
    .flatMap((line) => [
      ...Object.entries(shapes).flatMap(([what, shape]) => (shape.test(line) ? [`${what}: ${line}`] : [])),
      ...[...secrets, ...more].flatMap((text) => (line.includes(text) ? [`${text}: ${line}`] : [])),
    ]);
}
