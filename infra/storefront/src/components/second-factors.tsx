import { startRegistration } from '@simplewebauthn/browser';
import {
  activateTotp,
  addPasskey,
  beginTotp,
  deletePasskey,
  endTotp,
  listPasskeys,
  ok,
  passkeyOptions,
} from 'boxoffice-client';
import { generate } from 'lean-qr';
import { toSvgDataURL } from 'lean-qr/extras/svg';
import { useState } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { Confirmation } from './confirmation.tsx';
import { Field, Form } from './form.tsx';
import { Loaded, useResource } from './resource.tsx';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** The passkeys and the authenticator app of the account. */
export function SecondFactors() {
  const factors = useResource(() => ok(listPasskeys({})), []);
  const [setup, setSetup] = useState<{ secret: string; uri: string }>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const [error, setError] = useState<unknown>();
  const reload = () => (factors.state === 'loading' ? undefined : factors.reload());
  const attempt = async (change: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await change();
      await reload();
    } catch (failure) {
      setError(failure);
    }
  };
  const addKey = async ({ name }: { name: string }) => {
    const { options } = await ok(passkeyOptions());
    const response = await startRegistration({ optionsJSON: options as unknown as CreationOptions });
    const answer = await ok(
      addPasskey({ name: name || undefined, response } as Parameters<typeof addPasskey>[0]),
    );
    if (answer.recoveryCodes) setRecoveryCodes(answer.recoveryCodes);
    await reload();
  };
  const activate = async ({ code }: { code: string }) => {
    setRecoveryCodes((await ok(activateTotp({ code }))).recoveryCodes);
    setSetup(undefined);
    await reload();
  };
  return (
    <>
      <h2>Two-step sign-in</h2>
      <p class="quiet">
        With a passkey or an authenticator app, your password alone is not enough to sign in or to be paid
        out.
      </p>
      {recoveryCodes && (
        <div role="status">
          <p>Write these recovery codes down. Each signs you in once when you have lost everything else.</p>
          <ul>
            {recoveryCodes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Loaded of={factors}>
        {({ passkeys, totp, recoveryCodes: left }) => (
          <>
            <ul>
              {passkeys.map(({ id, name }) => (
                <li key={id}>
                  {name}{' '}
                  <Confirmation
                    button="Remove"
                    title={`Remove ${name}?`}
                    submit="Remove the passkey"
                    onConfirm={() => ok(deletePasskey(id)).then(reload)}
                  >
                    <p>You can’t sign in with it any more.</p>
                  </Confirmation>
                </li>
              ))}
            </ul>
            <Form<{ name: string }> submit="Add a passkey" onSubmit={addKey}>
              <Field name="name" label="Name of the passkey" placeholder="Passkey" maxLength={60} />
            </Form>
            {totp ? (
              <p>
                Your authenticator app is set up.{' '}
                <button type="button" onClick={() => attempt(() => ok(endTotp()))}>
                  Remove the authenticator app
                </button>
              </p>
            ) : (
              !setup && (
                <p>
                  <button type="button" onClick={() => attempt(async () => setSetup(await ok(beginTotp())))}>
                    Set up an authenticator app
                  </button>
                </p>
              )
            )}
            {(totp || passkeys.length > 0) && <p class="quiet">{left} recovery codes are left.</p>}
          </>
        )}
      </Loaded>
      {setup && (
        <Form<{ code: string }> submit="Activate" onSubmit={activate}>
          <p>
            <img
              src={toSvgDataURL(generate(setup.uri))}
              alt="QR code for your authenticator app"
              width={200}
            />
          </p>
          <p>
            Scan the code, or enter <code>{setup.secret}</code> in your app.
          </p>
          <Field name="code" label="Code that the app shows" autocomplete="one-time-code" required />
        </Form>
      )}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}
