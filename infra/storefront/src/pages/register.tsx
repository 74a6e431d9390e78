import { ok, register } from 'boxoffice-client';
import { Choice } from '../components/choice.tsx';
import { Field, Form } from '../components/form.tsx';
import { NewPassword } from '../components/new-password.tsx';
import { Page } from '../components/page.tsx';
import { useSession } from '../session/user.tsx';

type Values = {
  name: string;
  email: string;
  password: string;
  role: 'USER' | 'ORGANIZER';
  walletAddress: string;
};

export function RegisterPage() {
  const { completeSignIn } = useSession();
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
          <Field name="email" label="E-mail" type="email" autocomplete="username" required />
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
