import { type Event, nameAttendee, offerSeat, ok, type Seat, withdrawTransfer } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { t } from '../texts/orders.ts';
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
  const condition = seat.event.status === 'CANCELLED' ? 'cancelled' : status;
  return (
    <Ticket
      event={event ?? seat.event}
      state={stateOfSeat(condition)}
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
      {(condition === 'cancelled' || condition === 'moved' || condition === 'refunded') && (
        <p>{t(`ticket.${condition}Explanation`)}</p>
      )}
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

/** `cancelled` when the event is. */
type Condition = Seat['status'] | 'cancelled';

const tones: Record<Condition, TicketState['tone']> = {
  held: 'good',
  offered: 'good',
  admitted: 'waiting',
  moved: 'bad',
  refunded: 'bad',
  cancelled: 'bad',
};

/** Returns the state of a ticket whose order is paid. */
export const stateOfSeat = (condition: Condition): TicketState => ({
  label: t(`ticket.${condition}`),
  tone: tones[condition],
});

/** The code of a ticket, which the staff at the door can type in. */
export function CodeFact({ code }: { code: string }) {
  return (
    <Fact name={t('ticket.code')}>
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
        {t('transfer.offeredTo', {
          email: <b>{email}</b>,
          page: <a href={`/transfers/${transferToken}`}>{t('transfer.offerPage')}</a>,
        })}
      </p>
      <p class="actions">
        <CopyButton name="link" text={`${location.origin}/transfers/${transferToken}`} isLong />
        <button type="button" onClick={withdraw}>
          {t('transfer.withdraw')}
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
    <Disclosure summary={t('attendee.summary')}>
      <Form<AttendeeValues> submit={t('attendee.save')} onSubmit={save}>
        <Field
          name="name"
          label={t('attendee.name')}
          hint={t('attendee.nameHint')}
          defaultValue={seat.attendee?.name ?? ''}
          maxLength={100}
          required
        />
        <Field
          name="email"
          label={t('attendee.email')}
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
    return <p class="quiet">{t('transfer.byToken')}</p>;
  }
  const offer = async ({ email }: { email: string }) => {
    const { transfer } = await ok(offerSeat(seat.orderId, seat.number, { email }));
    onChange({ ...seat, status: 'offered', offer: transfer });
  };
  return (
    <Disclosure summary={t('transfer.summary')}>
      <Form<{ email: string }> submit={t('transfer.submit')} onSubmit={offer}>
        <Field
          name="email"
          label={t('transfer.email')}
          type="email"
          hint={t('transfer.emailHint')}
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
      <Fact name={t('ticket.token')}>
        <Hash name="token" value={tokenId} chainId={chainId} path={`nft/${contractAddress}/${tokenId}`} />
      </Fact>
      <Fact name={t('ticket.contract')}>
        <Hash name="contract" value={contractAddress} chainId={chainId} path={`address/${contractAddress}`} />
      </Fact>
      {transactionHash && (
        <Fact name={t('ticket.transaction')}>
          <Hash name="transaction" value={transactionHash} chainId={chainId} path={`tx/${transactionHash}`} />
        </Fact>
      )}
    </>
  );
}
