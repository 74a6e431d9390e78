import {
  forgotPassword,
  login,
  ok,
  register,
  resetPassword,
  verifyEmail,
  verifyLogin,
} from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Choice, Field, Form, NewPassword } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { SecondFactorField } from '../components/session-confirmation.tsx';
import { messageOf } from '../errors.ts';
import { readProof, signInWithPasskey } from '../session/second-factor.ts';
import { useLinkToken } from '../session/session.ts';
import { addGuestOrders, useSession } from '../session/user.tsx';
import { findProvider, isDeclined, signInWithWallet } from '../session/wallet.ts';
import { t } from '../texts/account.ts';
import { t as shopText } from '../texts/shop.ts';
import { language } from '../texts/texts.ts';

export function LoginPage() {
  const { completeSignIn } = useSession();
  const { query } = useLocation();
  const [second, setSecond] = useState<{ challenge: string; methods: string[] }>();
  const [error, setError] = useState<unknown>();
  const signIn = async (values: { email: string; password: string }) => {
    const answer = await ok(login(values));
    if ('challenge' in answer) setSecond(answer);
    else completeSignIn(answer);
  };
  const signInBy = async (prove: () => ReturnType<typeof signInWithWallet>) => {
    setError(undefined);
    try {
      completeSignIn(await prove());
    } catch (failure) {
      setError(failure);
    }
  };
  const wallet = findProvider();
  if (second) {
    const { challenge, methods } = second;
    const complete = async ({ code }: { code: string }) =>
      completeSignIn(await ok(verifyLogin({ challenge, ...(await readProof(code.trim(), challenge)) })));
    return (
      <Page title={t('signIn.title')}>
        <div class="panel narrow">
          <h1>{t('signIn.title')}</h1>
          <Form<{ code: string }> submit={t('signIn.continue')} onSubmit={complete}>
            <SecondFactorField methods={methods} />
          </Form>
        </div>
      </Page>
    );
  }
  return (
    <Page title={t('signIn.title')}>
      <div class="panel narrow">
        <h1>{t('signIn.title')}</h1>
        <Form<{ email: string; password: string }>
          submit={t('signIn.title')}
          onSubmit={signIn}
          footer={
            <p>
              <button type="button" onClick={() => signInBy(signInWithPasskey)}>
                {t('signIn.withPasskey')}
              </button>{' '}
              {wallet && (
                <button type="button" onClick={() => signInBy(() => signInWithWallet(wallet))}>
                  {t('signIn.withWallet')}
                </button>
              )}
              {error !== undefined && (
                <span role="alert">{isDeclined(error) ? t('wallet.declined') : messageOf(error)}</span>
              )}
              <br />
              <a href="/forgot-password">{t('signIn.forgot')}</a>
              <br />
              {t('signIn.new')} <a href={`/register${location.search}`}>{t('register.title')}</a>
            </p>
          }
        >
          <Field
            name="email"
            label={t('signIn.email')}
            type="email"
            autocomplete="username"
            defaultValue={query.email}
            required
          />
          <Field
            name="password"
            label={t('signIn.password')}
            type="password"
            autocomplete="current-password"
            required
          />
        </Form>
      </div>
    </Page>
  );
}

type Values = {
  name: string;
  email: string;
  password: string;
  role: 'USER' | 'ORGANIZER';
};

export function RegisterPage() {
  const { completeSignIn } = useSession();
  const { query } = useLocation();
  const submit = async (values: Values) => completeSignIn(await ok(register({ ...values, language })));
  return (
    <Page title={t('register.title')}>
      <div class="panel narrow">
        <h1>{t('register.title')}</h1>
        <Form<Values>
          submit={t('register.title')}
          onSubmit={submit}
          footer={
            <p>
              {t('register.existing')} <a href={`/login${location.search}`}>{t('signIn.title')}</a>
            </p>
          }
        >
          <Field name="name" label={t('register.name')} autocomplete="name" maxLength={100} required />
          <Field
            name="email"
            label={t('signIn.email')}
            type="email"
            autocomplete="username"
            defaultValue={query.email}
            required
          />
          <NewPassword label={t('signIn.password')} />
          <fieldset>
            <legend>{t('register.want')}</legend>
            <div class="choices row">
              <Choice name="role" value="USER" defaultChecked>
                {t('register.buy')}
              </Choice>
              <Choice name="role" value="ORGANIZER">
                {t('register.organize')}
              </Choice>
            </div>
          </fieldset>
        </Form>
      </div>
    </Page>
  );
}

export function ForgotPasswordPage() {
  const [isSent, setSent] = useState(false);
  const submit = async (values: { email: string }) => {
    await ok(forgotPassword(values));
    setSent(true);
  };
  return (
    <Page title={t('signIn.forgot')}>
      <div class="panel narrow">
        <h1>{t('signIn.forgot')}</h1>
        <p>{t('forgot.explanation')}</p>
        <Form<{ email: string }>
          submit={t('forgot.submit')}
          onSubmit={submit}
          onInput={() => setSent(false)}
          footer={
            <>
              <p role="status">{isSent && t('forgot.sent')}</p>
              <p>
                <a href="/login">{t('forgot.back')}</a>
              </p>
            </>
          }
        >
          <Field name="email" label={t('signIn.email')} type="email" autocomplete="username" required />
        </Form>
      </div>
    </Page>
  );
}

/** The page that the link in the mail "Reset your password" opens. */
export function ResetPasswordPage() {
  const token = useLinkToken();
  const [isChanged, setChanged] = useState(false);
  const key = useRef<string>(undefined);
  const submit = async ({ password }: { password: string }) => {
    // The key is kept until the input changes, so that the API recognizes a retry after a lost answer.
    key.current ??= crypto.randomUUID();
    await ok(resetPassword({ token, password }, { idempotencyKey: key.current }));
    setChanged(true);
  };
  return (
    <Page title={t('reset.title')}>
      <div class="panel narrow">
        <h1>{t('reset.title')}</h1>
        {isChanged ? (
          <p role="status">
            {t('reset.changed')} <a href="/login">{t('signIn.title')}</a>
          </p>
        ) : (
          <Form<{ password: string }>
            submit={t('reset.submit')}
            onSubmit={submit}
            onInput={() => {
              key.current = undefined;
            }}
            footer={
              <p>
                <a href="/forgot-password">{t('reset.request')}</a>
              </p>
            }
          >
            <NewPassword label={t('reset.password')} />
          </Form>
        )}
      </div>
    </Page>
  );
}

/** The page that the link in the mail "Confirm your e-mail address" opens. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  const { user: currentUser, setUser } = useSession();
  const confirmedUser = useResource(async () => {
    const { user } = await ok(verifyEmail({ token }));
    if (user.id === currentUser?.id) {
      setUser(user);
      await addGuestOrders();
    }
    return user;
  }, [token]);
  return (
    <Page title={t('verify.title')}>
      <div class="panel narrow">
        <h1>{t('verify.title')}</h1>
        <Loaded of={confirmedUser}>
          {({ id, email }) => (
            <p role="status">
              {t('verify.confirmed', { email })} <a href="/">{shopText('page.seeEvents')}</a>
              {id !== currentUser?.id && (
                <> {t('verify.signIn', { signIn: <a href="/login">{t('verify.signInLink')}</a> })}</>
              )}
            </p>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
