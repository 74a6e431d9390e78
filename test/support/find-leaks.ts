import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { secretNames } from '../../shared/runtime/settings.ts';

const settings = resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

/** Formats of personal data and secrets. */
const leakPatterns: Record<string, RegExp> = {
  'an e-mail address': /[\w.+-]+@[\w-]+\.[a-z]{2,}/i,
  'a token': /eyJ[\w-]{8,}\.[\w-]+/,
  'a bearer token': /bearer\s+(?!\[redacted\])[^\s"']/i,
  'the token of a link': /[?&]token=[\w-]{20,}/,
  'a check-in code': /\bc[0-9a-z]{24}\.\d+\.v2-\d+\.[\w-]+/,
  'a cookie': /refreshToken=/,
  'a payment reference': /BOX-[A-Z0-9]{1,6}-\d{13}-[A-Z0-9]{8}/,
  'a password’s hash': /\$2[aby]\$\d\d\$/,
};
/** The values of the stack's secrets, and the password of the tests' users. */
const secrets = [...secretNames.map((name) => settings[name] ?? ''), 'correct horse battery'].filter(Boolean);

/**
 * Returns the lines of a log that contain secrets or personal data. Each line is prefixed with the name of the pattern,
 * or with the text, that it contains.
 * @param furtherTexts further texts that must not be logged
 */
export function findLeaks(log: string, furtherTexts: readonly string[] = []): string[] {
  return log
    .split('\n')
    .flatMap((line) => [
      ...Object.entries(leakPatterns).flatMap(([name, pattern]) =>
        pattern.test(line) ? [`${name}: ${line}`] : [],
      ),
      ...[...secrets, ...furtherTexts].flatMap((text) => (line.includes(text) ? [`${text}: ${line}`] : [])),
    ]);
}
