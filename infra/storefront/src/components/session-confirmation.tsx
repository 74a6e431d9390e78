import { confirmSession, ok } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readProof } from '../session/second-factor.ts';
import { beginSession, fetchWithSession, setConfirmation } from '../session/session.ts';
import { t } from '../texts/shop.ts';
import { Dialog } from './confirmation.tsx';
import { Field } from './form.tsx';

/** A request that waits until the visitor has confirmed the session. */
interface Pending {
  methods: string[];
  resolve: (isConfirmed: boolean) => void;
}

/** The dialog for requests that need a session which the visitor has just confirmed. */
export function SessionConfirmation() {
  const [pending, setPending] = useState<Pending>();
  const isConfirmed = useRef(false);
  useEffect(() => {
    setConfirmation((methods) => {
      isConfirmed.current = false;
      return new Promise((resolve) => setPending({ methods, resolve }));
    });
  }, []);
  if (!pending) return null;
  const confirm = async ({ password, code = '' }: { password?: string; code?: string }) => {
    const proof = password === undefined ? await readProof(code) : { password };
    beginSession((await ok(confirmSession(proof, { fetch: fetchWithSession }))).token);
    isConfirmed.current = true;
  };
  const close = () => {
    setPending(undefined);
    pending.resolve(isConfirmed.current);
  };
  return (
    <Dialog title={t('confirm.title')} submit={t('confirm.submit')} onConfirm={confirm} onClose={close}>
      {pending.methods.includes('password') ? (
        <Field
          name="password"
          label={t('confirm.password')}
          type="password"
          autocomplete="current-password"
          required
        />
      ) : (
        <SecondFactorField methods={pending.methods} />
      )}
    </Dialog>
  );
}

/** The field for a code. An empty one means that the visitor uses a passkey. */
export function SecondFactorField({ methods }: { methods: readonly string[] }) {
  const hasPasskey = methods.includes('passkey');
  return (
    <Field
      name="code"
      label={t(methods.includes('totp') ? 'confirm.appCode' : 'confirm.recoveryCode')}
      hint={t(hasPasskey ? 'confirm.orPasskey' : 'confirm.orRecoveryCode')}
      autocomplete="one-time-code"
      spellcheck={false}
      required={!hasPasskey}
    />
  );
}
