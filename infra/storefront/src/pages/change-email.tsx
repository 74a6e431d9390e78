import { confirmEmailChange, ok, undoEmailChange } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { useLinkToken } from '../session/session.ts';
import { useSession } from '../session/user.tsx';

/** The page of the link that was mailed to a new address. */
export function ChangeEmailPage() {
  const token = useLinkToken();
  const { setUser } = useSession();
  const [email, setEmail] = useState<string>();
  const confirm = async () => {
    const { user } = await ok(confirmEmailChange({ token }));
    setUser(user);
    setEmail(user.email);
  };
  return (
    <Page title="Change your e-mail address">
      <div class="panel narrow">
        <h1>Change your address</h1>
        {email ? (
          <p role="status">
            From now on you sign in with {email}. <a href="/account">Back to your account</a>
          </p>
        ) : (
          <Form submit="Use this address" onSubmit={confirm}>
            <p>
              Your account gets the address that this link was mailed to. We tell the earlier one, which can
              undo it for seven days.
            </p>
          </Form>
        )}
      </div>
    </Page>
  );
}

/** The page of the link that was mailed to the earlier address. */
export function UndoEmailChangePage() {
  const token = useLinkToken();
  const [isUndone, setUndone] = useState(false);
  const undo = async () => {
    await ok(undoEmailChange({ token }));
    setUndone(true);
  };
  return (
    <Page title="Undo the change of your e-mail address">
      <div class="panel narrow">
        <h1>Undo the change of your address</h1>
        {isUndone ? (
          <p role="status">
            Your account has its earlier address again. Please{' '}
            <a href="/forgot-password">set a new password</a>.
          </p>
        ) : (
          <Form submit="Undo it, and sign out everywhere" onSubmit={undo}>
            <p>
              Your account gets its earlier address back. Your password ends, every device is signed out, your
              wallet is unlinked, and payouts to new bank accounts are stopped. API keys, webhook endpoints
              and staff that were added or changed since end too.
            </p>
          </Form>
        )}
      </div>
    </Page>
  );
}
