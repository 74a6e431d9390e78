import {
  changePassword,
  ok,
  requestEmailChange,
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
import { messageOf } from '../errors.ts';
import { useSession } from '../session/user.tsx';

export function AccountPage({ user }: { user: User }) {
  return (
    <Page title="Account">
      <div class="panel narrow">
        <h1>Account</h1>
        <EmailAddress user={user} />
        <Profile user={user} />
        <h2>Wallet</h2>
        <LinkWallet user={user} />
        <Password user={user} />
        <SecondFactors />
        <Sessions />
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
      setMessage(`We sent a link to ${current.email}.`);
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
      <p>
        {user.email} <span class="quiet">is not confirmed yet. Please open the link that we mailed you.</span>
      </p>
      <p>
        <button type="button" onClick={send}>
          Send the link again
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
  if (sentTo) return <span role="status">Please open the link that we mailed to {sentTo}.</span>;
  return (
    <Confirmation<{ email: string }>
      button="Change the address"
      title="Change your e-mail address"
      submit="Send the link"
      onConfirm={request}
    >
      <p>We mail a link to the new address. Open it while you are signed in.</p>
      <Field name="email" label="New e-mail address" type="email" autocomplete="email" required />
    </Confirmation>
  );
}

type ProfileValues = { name: string; walletAddress: string };

function Profile({ user }: { user: User }) {
  const { setUser } = useSession();
  const [isSaved, setSaved] = useState(false);
  const save = async ({ name, walletAddress }: ProfileValues) => {
    // A changed wallet needs a confirmation, a name does not.
    const isWalletChanged = walletAddress !== (user.walletAddress ?? '');
    const change = { name, ...(isWalletChanged && { walletAddress: walletAddress || null }) };
    setUser((await ok(updateMe(change))).user);
    setSaved(true);
  };
  return (
    <Form<ProfileValues>
      submit="Save"
      onSubmit={save}
      onInput={() => setSaved(false)}
      footer={<p role="status">{isSaved && 'Saved.'}</p>}
    >
      <Field name="name" label="Name" defaultValue={user.name} autocomplete="name" maxLength={100} required />
      {/* When a wallet is connected, the changed `key` resets the field to the wallet's address. */}
      <Field
        key={user.walletAddress}
        name="walletAddress"
        label="Wallet address"
        hint="Tickets are minted as NFTs to this address."
        defaultValue={user.walletAddress ?? ''}
        placeholder="0x…"
        autocomplete="off"
        spellcheck={false}
      />
    </Form>
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
      <h2>Password</h2>
      <Form<PasswordValues>
        submit="Change password"
        onSubmit={change}
        onInput={() => setChanged(false)}
        footer={
          <p role="status">{isChanged && 'Your password is changed. You are signed out everywhere else.'}</p>
        }
      >
        {/* Password managers store the new password for this account. */}
        <input type="email" autocomplete="username" value={user.email} readOnly hidden />
        <Field
          name="currentPassword"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
        />
        <NewPassword label="New password" />
      </Form>
    </>
  );
}
