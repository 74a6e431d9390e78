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
import { t } from '../texts/account.ts';
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
      <h2>{t('factors.title')}</h2>
      <p class="quiet">{t('factors.explanation')}</p>
      {recoveryCodes && (
        <div role="status">
          <p>{t('factors.writeDown')}</p>
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
                    button={t('factors.remove')}
                    title={t('factors.removeTitle', { name })}
                    submit={t('factors.removeSubmit')}
                    onConfirm={() => ok(deletePasskey(id)).then(reload)}
                  >
                    <p>{t('factors.removeHint')}</p>
                  </Confirmation>
                </li>
              ))}
            </ul>
            <Form<{ name: string }> submit={t('factors.add')} onSubmit={addKey}>
              <Field
                name="name"
                label={t('factors.name')}
                placeholder={t('factors.passkey')}
                maxLength={60}
              />
            </Form>
            {totp ? (
              <p>
                {t('factors.appIsSet')}{' '}
                <button type="button" onClick={() => attempt(() => ok(endTotp()))}>
                  {t('factors.removeApp')}
                </button>
              </p>
            ) : (
              !setup && (
                <p>
                  <button type="button" onClick={() => attempt(async () => setSetup(await ok(beginTotp())))}>
                    {t('factors.setUpApp')}
                  </button>
                </p>
              )
            )}
            {(totp || passkeys.length > 0) && <p class="quiet">{t('factors.codesLeft', { count: left })}</p>}
          </>
        )}
      </Loaded>
      {setup && (
        <Form<{ code: string }> submit={t('factors.activate')} onSubmit={activate}>
          <p>
            <img src={toSvgDataURL(generate(setup.uri))} alt={t('factors.qr')} width={200} />
          </p>
          <p>{t('factors.scan', { secret: <code>{setup.secret}</code> })}</p>
          <Field name="code" label={t('factors.code')} autocomplete="one-time-code" required />
        </Form>
      )}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}
