import { type Event, nameAttendee, offerSeat, ok, type Seat, withdrawTransfer } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { Field, Form } from './form.tsx';
import { SaveTicket } from './save-ticket.tsx';
import { Ticket, type TicketState } from './ticket.tsx';
import { CopyButton, Fact, Hash } from './values.tsx';

interface SeatTicketProps {
  seat: Seat;
  /** The seat's event with its picture and organizer, if known. */
  event?: Event | undefined;
  /** The holder's name, for a seat without a named attendee. */
  holder: string;
  /** The transaction that minted the seat's token. */
  transactionHash?: string | null;
}

/** A seat with its code and the holder's actions: name the attendee, offer a transfer, withdraw the offer. */
export function SeatTicket({ seat: initialSeat, event, holder, transactionHash }: SeatTicketProps) {
  const [seat, setSeat] = useState(initialSeat);
  useEffect(() => setSeat(initialSeat), [initialSeat]);
  const { number, attendee, status, code, token, checkedInAt } = seat;
  const state = seat.event.status === 'CANCELLED' ? cancelled : states[status];
  return (
    <Ticket
      event={event ?? seat.event}
      state={state}
      tier={seat.tier.name}
      number={number}
      attendee={status === 'moved' ? undefined : (attendee?.name ?? holder)}
      qr={seat.qr}
      checkedInAt={checkedInAt}
      details={
        (code || token) && (
          <>
            {code && <CodeFact code={code} />}
            {token && <TokenFacts token={token} transactionHash={transactionHash} />}
          </>
        )
      }
    >
      {state.explanation && <p>{state.explanation}</p>}
      {code && status === 'offered' && <PendingOffer seat={seat} onChange={setSeat} />}
      {code && (status === 'held' || status === 'offered') && (
        <>
          <SaveTicket orderId={seat.orderId} number={number} />
          <NameAttendee seat={seat} onChange={setSeat} />
          <TransferSeat seat={seat} onChange={setSeat} />
        </>
      )}
    </Ticket>
  );
}

interface SeatState extends TicketState {
  explanation?: string;
}

const states: Record<Seat['status'], SeatState> = {
  held: { label: 'Valid', tone: 'good' },
  offered: { label: 'Valid, offered to somebody', tone: 'good' },
  admitted: { label: 'Used', tone: 'waiting' },
  moved: {
    label: 'Transferred',
    tone: 'bad',
    explanation: 'You transferred this ticket to somebody else.',
  },
  refunded: {
    label: 'Refunded',
    tone: 'bad',
    explanation: 'This ticket is no longer valid: it was refunded.',
  },
};

const cancelled: SeatState = {
  label: 'Event cancelled',
  tone: 'bad',
  explanation: 'The event was cancelled, and this ticket is no longer valid.',
};

/** Returns the state of a ticket whose order is paid. */
export const stateOfSeat = (status: Seat['status']): TicketState => states[status];

/** The code of a ticket, which the staff at the door can type in. */
export function CodeFact({ code }: { code: string }) {
  return (
    <Fact name="Code">
      <code>{code}</code> <CopyButton name="code" text={code} />
    </Fact>
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
        Offered to <b>{email}</b>. The ticket stays yours until they accept it on{' '}
        <a href={`/transfers/${transferToken}`}>the page of the offer</a>.
      </p>
      <p class="actions">
        <CopyButton name="link" text={`${location.origin}/transfers/${transferToken}`} isLong />
        <button type="button" onClick={withdraw}>
          Withdraw the offer
        </button>
      </p>
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

interface TokenFactsProps {
  token: NonNullable<Seat['token']>;
  transactionHash?: string | null;
}

function TokenFacts({ token: { chainId, contractAddress, tokenId }, transactionHash }: TokenFactsProps) {
  return (
    <>
      <Fact name="Token">
        <Hash name="token" value={tokenId} chainId={chainId} path={`nft/${contractAddress}/${tokenId}`} />
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
