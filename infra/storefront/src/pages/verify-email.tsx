import { ok, verifyEmail } from 'boxoffice-client';
import { Page } from '../components/page.tsx';
import { Loaded } from '../components/resource.tsx';
import { useResource } from '../components/use-resource.ts';
import { useLinkToken } from '../session/link-token.ts';
import { useSession } from '../session/user.tsx';

/** The page that the link in the mail "Confirm your e-mail address" opens. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  const { user: currentUser, setUser } = useSession();
  const confirmedUser = useResource(async () => {
    const { user } = await ok(verifyEmail({ token }));
    if (user.id === currentUser?.id) setUser(user);
    return user;
  }, [token]);
  return (
    <Page title="Confirm your e-mail address">
      <div class="panel narrow">
        <h1>Confirm your e-mail address</h1>
        <Loaded of={confirmedUser}>
          {({ email }) => (
            <p role="status">
              {email} is confirmed. <a href="/">See what is on.</a>
            </p>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
