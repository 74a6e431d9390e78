import { forgotPassword, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';

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
