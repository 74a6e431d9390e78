import { startAuthentication } from '@simplewebauthn/browser';
import { ok, passkeyLogin, passkeyLoginOptions } from 'boxoffice-client';

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/**
 * Asks for a passkey.
 * @param challenge the challenge of a login whose password was right
 */
export async function askForPasskey(challenge?: string) {
  const { options } = await ok(passkeyLoginOptions({ challenge }));
  return startAuthentication({ optionsJSON: options as unknown as RequestOptions });
}

/** Signs in with a passkey that the browser offers. */
export async function signInWithPasskey() {
  return ok(passkeyLogin({ response: await askForPasskey() }));
}

/** Returns the proof that the visitor entered: a code, a recovery code, or a passkey when the field is empty. */
export async function readProof(code: string, challenge?: string) {
  if (code === '') return { response: await askForPasskey(challenge) };
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
}
