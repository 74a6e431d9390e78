import { confirmEmailChange, ok, undoEmailChange } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { useLinkToken } from '../session/session.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/account.ts';

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
    <Page title={t('account.changeTitle')}>
      <div class="panel narrow">
        <h1>{t('changeEmail.heading')}</h1>
        {email ? (
          <p role="status">
            {t('changeEmail.done', { email })} <a href="/account">{t('changeEmail.back')}</a>
          </p>
        ) : (
          <Form submit={t('changeEmail.submit')} onSubmit={confirm}>
            <p>{t('changeEmail.explanation')}</p>
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
    <Page title={t('changeEmail.undoTitle')}>
      <div class="panel narrow">
        <h1>{t('changeEmail.undoHeading')}</h1>
        {isUndone ? (
          <p role="status">
            {t('changeEmail.undone')} <a href="/forgot-password">{t('changeEmail.setPassword')}</a>
          </p>
        ) : (
          <Form submit={t('changeEmail.undoSubmit')} onSubmit={undo}>
            <p>{t('changeEmail.undoExplanation')}</p>
          </Form>
        )}
      </div>
    </Page>
  );
}
