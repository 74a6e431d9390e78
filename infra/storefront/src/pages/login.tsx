import { login, ok } from 'boxoffice-client';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { useSession } from '../session/user.tsx';

export function LoginPage() {
  const { completeSignIn } = useSession();
  return (
    <Page title="Sign in">
      <div class="panel narrow">
        <h1>Sign in</h1>
        <Form<{ email: string; password: string }>
          submit="Sign in"
          onSubmit={async (values) => completeSignIn(await ok(login(values)))}
          footer={
            <p>
              <a href="/forgot-password">Forgot your password?</a>
              <br />
              New here? <a href={`/register${location.search}`}>Register</a>
            </p>
          }
        >
          <Field name="email" label="E-mail" type="email" autocomplete="username" required />
          <Field name="password" label="Password" type="password" autocomplete="current-password" required />
        </Form>
      </div>
    </Page>
  );
}
