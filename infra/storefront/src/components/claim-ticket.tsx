import { claimTicket, ok, type Seat, type User } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field, Form } from './form.tsx';
import { LinkWallet } from './link-wallet.tsx';
import { SeatTicket } from './seat-ticket.tsx';

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
            <SeatTicket seat={seat} />
          </ul>
        </div>
      )}
    </section>
  );
}
