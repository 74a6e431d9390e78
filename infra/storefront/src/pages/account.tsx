import { ok, type User, updateMe } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { useSession } from '../session/user.tsx';

type Values = { name: string; walletAddress: string };

export function AccountPage({ user }: { user: User }) {
  const { setUser } = useSession();
  const [isSaved, setSaved] = useState(false);
  const save = async ({ name, walletAddress }: Values) => {
    setUser((await ok(updateMe({ name, walletAddress: walletAddress || null }))).user);
    setSaved(true);
  };
  return (
    <Page title="Account">
      <div class="panel narrow">
        <h1>Account</h1>
        <p class="quiet">{user.email}</p>
        <Form<Values>
          submit="Save"
          onSubmit={save}
          onInput={() => setSaved(false)}
          footer={<p role="status">{isSaved && 'Saved.'}</p>}
        >
          <Field
            name="name"
            label="Name"
            defaultValue={user.name}
            autocomplete="name"
            maxLength={100}
            required
          />
          <Field
            name="walletAddress"
            label="Wallet address"
            hint="Tickets are minted to it as NFTs."
            defaultValue={user.walletAddress ?? ''}
            placeholder="0x…"
            autocomplete="off"
            spellcheck={false}
          />
        </Form>
      </div>
    </Page>
  );
}
