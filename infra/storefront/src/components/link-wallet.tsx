import { claimTicket, ok, type Seat, type User, unlinkWallet } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { useSession } from '../session/user.tsx';
import { findProvider, isDeclined, linkWallet } from '../session/wallet.ts';
import { t as accountText } from '../texts/account.ts';
import { t } from '../texts/orders.ts';
import { Field, Form } from './form.tsx';
import { SeatTicket } from './seat-ticket.tsx';

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
      setMessage(isDeclined(error) ? accountText('wallet.declined') : messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const provider = findProvider();
  return (
    <>
      {user.walletVerified ? (
        <>
          <p>{accountText('wallet.connected', { address: <code>{user.walletAddress}</code> })}</p>
          <button type="button" disabled={isBusy} onClick={() => attempt(unlink)}>
            {accountText('wallet.disconnect')}
          </button>
        </>
      ) : provider ? (
        <button type="button" disabled={isBusy} onClick={() => attempt(() => linkWallet(provider))}>
          {accountText(isBusy ? 'wallet.confirm' : 'wallet.connect')}
        </button>
      ) : (
        <p class="quiet">{accountText('wallet.none')}</p>
      )}
      {message && <p role="alert">{message}</p>}
    </>
  );
}

async function unlink(): Promise<User> {
  return (await ok(unlinkWallet())).user;
}

type ClaimValues = { chainId: string; contractAddress: string; tokenId: string };

/**
 * Claims a ticket for the owner of its token, after connecting the wallet that holds the token. Nothing is shown to visitors
 * who have no wallet here.
 */
export function ClaimTicket({ user }: { user: User }) {
  const [seat, setSeat] = useState<Seat>();
  if (!user.walletVerified && !findProvider()) return null;
  const claim = async ({ chainId, contractAddress, tokenId }: ClaimValues) => {
    setSeat((await ok(claimTicket({ chainId: Number(chainId), contractAddress, tokenId }))).seat);
  };
  return (
    <section class="part">
      <h2>{t('claim.title')}</h2>
      <p class="quiet">{t('claim.explanation')}</p>
      <LinkWallet user={user} />
      {user.walletVerified && (
        <Form<ClaimValues> submit={t('claim.submit')} onSubmit={claim} onInput={() => setSeat(undefined)}>
          <Field name="chainId" label={t('claim.chain')} type="number" min={1} placeholder="137" required />
          <Field
            name="contractAddress"
            label={t('claim.contract')}
            placeholder="0x…"
            autocomplete="off"
            spellcheck={false}
            required
          />
          <Field name="tokenId" label={t('claim.token')} autocomplete="off" spellcheck={false} required />
        </Form>
      )}
      {seat && (
        <div role="status">
          <p class="good">{t('transfer.isYours', { event: seat.event.title })}</p>
          <ul class="tickets">
            <SeatTicket seat={seat} holder={user.name} />
          </ul>
        </div>
      )}
    </section>
  );
}
