import { ok, resetPassword } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { Form } from '../components/form.tsx';
import { NewPassword } from '../components/new-password.tsx';
import { Page } from '../components/page.tsx';
import { useLinkToken } from '../session/link-token.ts';

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
