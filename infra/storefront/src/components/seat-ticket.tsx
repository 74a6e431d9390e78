import { nameAttendee, offerSeat, ok, type Seat, withdrawTransfer } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { config } from '../config.ts';
import { messageOf } from '../errors.ts';
import { Field, Form } from './form.tsx';
import { SaveTicket } from './save-ticket.tsx';
import { CopyButton, Fact, Hash, Time } from './values.tsx';

interface SeatTicketProps {
  seat: Seat;
  /** The transaction that minted the seat's token. */
  transactionHash?: string | null;
}

/** A seat with its code and the holder's actions: name the attendee, offer a transfer, withdraw the offer. */
export function SeatTicket({ seat: initialSeat, transactionHash }: SeatTicketProps) {
  const [seat, setSeat] = useState(initialSeat);
  useEffect(() => setSeat(initialSeat), [initialSeat]);
  const { number, attendee, status, code, token } = seat;
  const invalidReason = findInvalidReason(seat);
  return (
    <AdmissionTicket
      heading={attendee ? `Ticket ${number} · ${attendee.name}` : `Ticket ${number}`}
      qr={seat.qr ?? null}
      checkedInAt={seat.checkedInAt}
    >
      {status === 'moved' && <p class="quiet">You transferred this ticket to somebody else.</p>}
      {invalidReason && <p class="bad">{invalidReason}</p>}
      {(code || token) && (
        <dl class="facts">
          {code && (
            <Fact name="Code">
              <code>{code}</code> <CopyButton name="code" text={code} />
            </Fact>
          )}
          {token && <TokenFacts token={token} transactionHash={transactionHash} />}
        </dl>
      )}
      {code && status === 'offered' && <PendingOffer seat={seat} onChange={setSeat} />}
      {code && (status === 'held' || status === 'offered') && (
        <>
          <SaveTicket orderId={seat.orderId} number={number} />
          <NameAttendee seat={seat} onChange={setSeat} />
          <TransferSeat seat={seat} onChange={setSeat} />
        </>
      )}
    </AdmissionTicket>
  );
}

interface ActionProps {
  seat: Seat;
  onChange: (seat: Seat) => void;
}

function PendingOffer({ seat, onChange }: ActionProps) {
  const [error, setError] = useState<unknown>();
  const { token: transferToken = '', email } = seat.offer ?? {};
  const withdraw = async () => {
    setError(undefined);
    try {
      onChange((await ok(withdrawTransfer(transferToken))).seat);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <p role="status">
        Offered to <b>{email}</b>. The ticket stays yours until they accept it at{' '}
        <a href={`/transfers/${transferToken}`}>{`${location.origin}/transfers/${transferToken}`}</a>
      </p>
      <button type="button" onClick={withdraw}>
        Withdraw the offer
      </button>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}

type AttendeeValues = { name: string; email: string };

function NameAttendee({ seat, onChange }: ActionProps) {
  const save = async ({ name, email }: AttendeeValues) => {
    const attendee = { name, email: email || null };
    onChange((await ok(nameAttendee(seat.orderId, seat.number, attendee))).seat);
  };
  return (
    <Disclosure summary="Who is this ticket for?">
      <Form<AttendeeValues> submit="Save the name" onSubmit={save}>
        <Field
          name="name"
          label="Name"
          hint="The staff at the door see this name."
          defaultValue={seat.attendee?.name ?? ''}
          maxLength={100}
          required
        />
        <Field
          name="email"
          label="E-mail (optional)"
          type="email"
          defaultValue={seat.attendee?.email ?? ''}
        />
      </Form>
    </Disclosure>
  );
}

function TransferSeat({ seat, onChange }: ActionProps) {
  const { allowTransfers, entry } = seat.event;
  if (!allowTransfers) return null;
  if (entry === 'token' && seat.token) {
    return (
      <p class="quiet">
        To transfer this ticket, send its token. The token’s new owner then claims the ticket.
      </p>
    );
  }
  const offer = async ({ email }: { email: string }) => {
    const { transfer } = await ok(offerSeat(seat.orderId, seat.number, { email }));
    onChange({ ...seat, status: 'offered', offer: transfer });
  };
  return (
    <Disclosure summary="Transfer this ticket">
      <Form<{ email: string }> submit="Offer the ticket" onSubmit={offer}>
        <Field
          name="email"
          label="Their e-mail"
          type="email"
          hint="Only the account with this address can accept the ticket. Your code stays valid until then."
          required
        />
      </Form>
    </Disclosure>
  );
}

function Disclosure({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

/** Returns why a ticket no longer admits anybody; undefined for a valid one. */
function findInvalidReason({ event, status }: Seat): string | undefined {
  if (event.status === 'CANCELLED') return 'The event was cancelled, and this ticket is no longer valid.';
  return status === 'refunded' ? 'This ticket is no longer valid: it was refunded.' : undefined;
}

interface TokenFactsProps {
  token: NonNullable<Seat['token']>;
  transactionHash?: string | null;
}

function TokenFacts({ token: { chainId, contractAddress, tokenId }, transactionHash }: TokenFactsProps) {
  return (
    <>
      <Fact name="Token">
        <Hash name="token id" value={tokenId} chainId={chainId} path={`nft/${contractAddress}/${tokenId}`} />
      </Fact>
      <Fact name="Contract">
        <Hash name="contract" value={contractAddress} chainId={chainId} path={`address/${contractAddress}`} />
      </Fact>
      {transactionHash && (
        <Fact name="Transaction">
          <Hash name="transaction" value={transactionHash} chainId={chainId} path={`tx/${transactionHash}`} />
        </Fact>
      )}
    </>
  );
}

interface AdmissionProps {
  /** The path of the QR code's picture, below the API's address. */
  qr: string | null;
  checkedInAt: string | null;
  heading?: string;
  children: ComponentChildren;
}

/** A ticket that admits one person: its QR code, and when it was checked in. */
export function AdmissionTicket({ qr, checkedInAt, heading, children }: AdmissionProps) {
  return (
    <li class="ticket">
      {qr && <img class="qr" src={config.apiUrl + qr} alt="QR code for the door" loading="lazy" />}
      <div>
        {heading && (
          <p>
            <b>{heading}</b>
          </p>
        )}
        {checkedInAt && (
          <p class="good">
            Checked in on <Time at={checkedInAt} />
          </p>
        )}
        {children}
      </div>
    </li>
  );
}
