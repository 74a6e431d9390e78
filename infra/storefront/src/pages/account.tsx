import {
  changePassword,
  ok,
  requestEmailChange,
  requestErasure,
  sendVerification,
  type User,
  updateMe,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Confirmation } from '../components/confirmation.tsx';
import { Field, Form, NewPassword } from '../components/form.tsx';
import { LinkWallet } from '../components/link-wallet.tsx';
import { Page } from '../components/page.tsx';
import { SecondFactors } from '../components/second-factors.tsx';
import { Sessions } from '../components/sessions.tsx';
import { downloadPersonalData } from '../downloads.ts';
import { messageOf } from '../errors.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/account.ts';

export function AccountPage({ user }: { user: User }) {
  return (
    <Page title={t('account.title')}>
      <div class="panel narrow">
        <h1>{t('account.title')}</h1>
        <EmailAddress user={user} />
        <Profile user={user} />
        <h2>{t('account.wallet')}</h2>
        <LinkWallet user={user} />
        <WalletAddress user={user} />
        <Password user={user} />
        <SecondFactors />
        <Sessions />
        <OwnData user={user} />
      </div>
    </Page>
  );
}

/** The e-mail address, and a way to confirm it. */
function EmailAddress({ user }: { user: User }) {
  const { setUser } = useSession();
  const [message, setMessage] = useState<string>();
  const send = async () => {
    try {
      const { user: current } = await ok(sendVerification());
      setUser(current);
      setMessage(t('account.linkSent', { email: current.email }));
    } catch (error) {
      setMessage(messageOf(error));
    }
  };
  if (user.emailVerified) {
    return (
      <p>
        {user.email} <ChangeAddress />
      </p>
    );
  }
  return (
    <>
      <p>{t('account.unconfirmed', { email: user.email })}</p>
      <p>
        <button type="button" onClick={send}>
          {t('account.sendAgain')}
        </button>{' '}
        <ChangeAddress />
      </p>
      <p role="status">{message}</p>
    </>
  );
}

/** A button that mails a link to a new address. */
function ChangeAddress() {
  const [sentTo, setSentTo] = useState<string>();
  const request = async ({ email }: { email: string }) => {
    await ok(requestEmailChange({ email }));
    setSentTo(email);
  };
  if (sentTo) return <span role="status">{t('account.openLink', { email: sentTo })}</span>;
  return (
    <Confirmation<{ email: string }>
      button={t('account.changeAddress')}
      title={t('account.changeTitle')}
      submit={t('account.changeSubmit')}
      onConfirm={request}
    >
      <p>{t('account.changeHint')}</p>
      <Field name="email" label={t('account.newEmail')} type="email" autocomplete="email" required />
    </Confirmation>
  );
}

function Profile({ user }: { user: User }) {
  const { setUser } = useSession();
  const [isSaved, setSaved] = useState(false);
  const save = async (change: { name: string }) => {
    setUser((await ok(updateMe(change))).user);
    setSaved(true);
  };
  return (
    <Form<{ name: string }>
      submit={t('account.save')}
      onSubmit={save}
      onInput={() => setSaved(false)}
      footer={<p role="status">{isSaved && t('account.saved')}</p>}
    >
      <Field
        name="name"
        label={t('register.name')}
        defaultValue={user.name}
        autocomplete="name"
        maxLength={100}
        required
      />
    </Form>
  );
}

/** Where tickets are minted to, for users who do not connect the wallet in this browser. */
function WalletAddress({ user }: { user: User }) {
  const { setUser } = useSession();
  const [isSaved, setSaved] = useState(false);
  const save = async ({ walletAddress }: { walletAddress: string }) => {
    setUser((await ok(updateMe({ walletAddress: walletAddress || null }))).user);
    setSaved(true);
  };
  return (
    <Form<{ walletAddress: string }>
      submit={t('account.saveWallet')}
      onSubmit={save}
      onInput={() => setSaved(false)}
      footer={<p role="status">{isSaved && t('account.saved')}</p>}
    >
      {/* When a wallet is connected, the changed `key` resets the field to the wallet's address. */}
      <Field
        key={user.walletAddress}
        name="walletAddress"
        label={t('register.wallet')}
        hint={t('account.walletHint')}
        defaultValue={user.walletAddress ?? ''}
        placeholder="0x…"
        autocomplete="off"
        spellcheck={false}
      />
    </Form>
  );
}

/** The export of the user's data, and the end of the account. */
function OwnData({ user }: { user: User }) {
  const { signOut } = useSession();
  const [error, setError] = useState<unknown>();
  const download = () => downloadPersonalData(user.id).then(() => setError(undefined), setError);
  const close = async () => {
    await ok(requestErasure(user.id));
    // The session has ended with the account, so that the API may refuse to end it.
    await signOut().catch(() => location.assign('/'));
  };
  return (
    <>
      <h2>{t('data.title')}</h2>
      <p class="actions">
        <button type="button" onClick={download}>
          {t('data.download')}
        </button>
        <Confirmation
          button={t('data.close')}
          title={t('data.closeTitle')}
          submit={t('data.close')}
          onConfirm={close}
        >
          <p>{t('data.closeText')}</p>
        </Confirmation>
      </p>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}

type PasswordValues = { currentPassword: string; password: string };

function Password({ user }: { user: User }) {
  const [isChanged, setChanged] = useState(false);
  const change = async ({ currentPassword, password }: PasswordValues, form: HTMLFormElement) => {
    await ok(changePassword({ currentPassword, password }));
    form.reset();
    setChanged(true);
  };
  return (
    <>
      <h2>{t('account.password')}</h2>
      <Form<PasswordValues>
        submit={t('reset.submit')}
        onSubmit={change}
        onInput={() => setChanged(false)}
        footer={<p role="status">{isChanged && t('account.passwordChanged')}</p>}
      >
        {/* Password managers store the new password for this account. */}
        <input type="email" autocomplete="username" value={user.email} readOnly hidden />
        <Field
          name="currentPassword"
          label={t('account.currentPassword')}
          type="password"
          autocomplete="current-password"
          required
        />
        <NewPassword label={t('reset.password')} />
      </Form>
    </>
  );
}
