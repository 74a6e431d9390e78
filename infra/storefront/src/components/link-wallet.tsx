import { ok, type User, unlinkWallet } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { useSession } from '../session/user.tsx';
import { findProvider, isDeclined, linkWallet } from '../session/wallet.ts';

/** Connects the visitor's wallet, which signs a message to prove its ownership, or disconnects it. */
export function LinkWallet({ user }: { user: User }) {
  const { setUser } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string>();
  const attempt = async (change: () => Promise<User>) => {
    setBusy(true);
    setMessage(undefined);
    try {
      setUser(await change());
    } catch (error) {
      setMessage(isDeclined(error) ? 'You declined in your wallet.' : messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const provider = findProvider();
  return (
    <>
      {user.walletVerified ? (
        <>
          <p>
            Your wallet <code>{user.walletAddress}</code> is connected.
          </p>
          <button type="button" disabled={isBusy} onClick={() => attempt(unlink)}>
            Disconnect the wallet
          </button>
        </>
      ) : provider ? (
        <button type="button" disabled={isBusy} onClick={() => attempt(() => linkWallet(provider))}>
          {isBusy ? 'Confirm in your wallet…' : 'Connect a wallet'}
        </button>
      ) : (
        <p class="quiet">Install a wallet in this browser to connect it, then open this page again.</p>
      )}
      {message && <p role="alert">{message}</p>}
    </>
  );
}

async function unlink(): Promise<User> {
  return (await ok(unlinkWallet())).user;
}
