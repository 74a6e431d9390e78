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
      <Page title="Sign in">
        <div class="panel narrow">
          <h1>Sign in</h1>
          <Form<{ code: string }> submit="Continue" onSubmit={complete}>
            <SecondFactorField methods={methods} />
          </Form>
        </div>
      </Page>
    );
  }
  return (
    <Page title="Sign in">
      <div class="panel narrow">
        <h1>Sign in</h1>
        <Form<{ email: string; password: string }>
          submit="Sign in"
          onSubmit={signIn}
          footer={
            <p>
              <button type="button" onClick={() => signInBy(signInWithPasskey)}>
                Sign in with a passkey
              </button>{' '}
              {wallet && (
                <button type="button" onClick={() => signInBy(() => signInWithWallet(wallet))}>
                  Sign in with a wallet
                </button>
              )}
              {error !== undefined && (
                <span role="alert">
                  {isDeclined(error) ? 'You declined in your wallet.' : messageOf(error)}
                </span>
              )}
              <br />
              <a href="/forgot-password">Forgot your password?</a>
              <br />
              New here? <a href={`/register${location.search}`}>Register</a>
            </p>
          }
        >
          <Field
            name="email"
            label="E-mail"
            type="email"
            autocomplete="username"
            defaultValue={query.email}
            required
          />
          <Field name="password" label="Password" type="password" autocomplete="current-password" required />
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
  walletAddress: string;
};

export function RegisterPage() {
  const { completeSignIn } = useSession();
  const { query } = useLocation();
  const submit = async ({ walletAddress, ...values }: Values) =>
    completeSignIn(await ok(register({ ...values, walletAddress: walletAddress || null })));
  return (
    <Page title="Register">
      <div class="panel narrow">
        <h1>Register</h1>
        <Form<Values>
          submit="Register"
          onSubmit={submit}
          footer={
            <p>
              Already have an account? <a href={`/login${location.search}`}>Sign in</a>
            </p>
          }
        >
          <Field name="name" label="Name" autocomplete="name" maxLength={100} required />
          <Field
            name="email"
            label="E-mail"
            type="email"
            autocomplete="username"
            defaultValue={query.email}
            required
          />
          <NewPassword label="Password" />
          <fieldset>
            <legend>I want to</legend>
            <div class="choices row">
              <Choice name="role" value="USER" defaultChecked>
                buy tickets
              </Choice>
              <Choice name="role" value="ORGANIZER">
                organize events
              </Choice>
            </div>
          </fieldset>
          <Field
            name="walletAddress"
            label="Wallet address"
            hint="Tickets are minted as NFTs to this address. Leave it empty if you have none."
            placeholder="0x…"
            autocomplete="off"
            spellcheck={false}
          />
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
    <Page title="Forgot your password?">
      <div class="panel narrow">
        <h1>Forgot your password?</h1>
        <p>Enter your e-mail address. We send you a link to choose a new password.</p>
        <Form<{ email: string }>
          submit="Send the link"
          onSubmit={submit}
          onInput={() => setSent(false)}
          footer={
            <>
              <p role="status">
                {isSent &&
                  'If you have an account, the link is on its way. The link is valid for one hour. Please check your spam folder too.'}
              </p>
              <p>
                <a href="/login">Back to sign in</a>
              </p>
            </>
          }
        >
          <Field name="email" label="E-mail" type="email" autocomplete="username" required />
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
    <Page title="Reset your password">
      <div class="panel narrow">
        <h1>Reset your password</h1>
        {isChanged ? (
          <p role="status">
            Your password is changed, and you are signed out everywhere. <a href="/login">Sign in</a>
          </p>
        ) : (
          <Form<{ password: string }>
            submit="Change password"
            onSubmit={submit}
            onInput={() => {
              key.current = undefined;
            }}
            footer={
              <p>
                <a href="/forgot-password">Request a new link</a>
              </p>
            }
          >
            <NewPassword label="New password" />
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
    <Page title="Confirm your e-mail address">
      <div class="panel narrow">
        <h1>Confirm your e-mail address</h1>
        <Loaded of={confirmedUser}>
          {({ id, email }) => (
            <p role="status">
              {email} is confirmed. <a href="/">See what is on.</a>
              {id !== currentUser?.id && (
                <>
                  {' '}
                  To work at events or to add your earlier orders, <a href="/login">sign in</a> and open the
                  link once more.
                </>
              )}
            </p>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
