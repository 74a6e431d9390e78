import { claimTicket, ok, type Seat, type User, unlinkWallet } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { useSession } from '../session/user.tsx';
import { findProvider, isDeclined, linkWallet } from '../session/wallet.ts';
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

type ClaimValues = { chainId: string; contractAddress: string; tokenId: string };

/** Claims a ticket for the owner of its token, after connecting the wallet that holds the token. */
export function ClaimTicket({ user }: { user: User }) {
  const [seat, setSeat] = useState<Seat>();
  const claim = async ({ chainId, contractAddress, tokenId }: ClaimValues) => {
    setSeat((await ok(claimTicket({ chainId: Number(chainId), contractAddress, tokenId }))).seat);
  };
  return (
    <section class="part">
      <h2>Claim a ticket by its token</h2>
      <p class="quiet">
        Do you own the token of a ticket that somebody else bought? Connect the wallet that holds the token,
        then claim the ticket.
      </p>
      <LinkWallet user={user} />
      {user.walletVerified && (
        <Form<ClaimValues> submit="Claim the ticket" onSubmit={claim} onInput={() => setSeat(undefined)}>
          <Field name="chainId" label="Chain id" type="number" min={1} placeholder="137" required />
          <Field
            name="contractAddress"
            label="Contract"
            placeholder="0x…"
            autocomplete="off"
            spellcheck={false}
            required
          />
          <Field name="tokenId" label="Token id" autocomplete="off" spellcheck={false} required />
        </Form>
      )}
      {seat && (
        <div role="status">
          <p class="good">The ticket to {seat.event.title} is yours.</p>
          <ul class="tickets">
            <SeatTicket seat={seat} holder={user.name} />
          </ul>
        </div>
      )}
    </section>
  );
}
