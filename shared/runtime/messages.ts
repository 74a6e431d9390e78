import type { Currency } from '../core/money.ts';

/** The messages of each queue, by type. Messages contain ids only; workers read the current state from the table. */
export interface Messages {
  /** An order that was paid. */
  'fulfil-orders': { type: 'fulfil-order'; orderId: string; eventId: string; userId: string };
  'mint-tickets':
    | { type: 'mint-order'; orderId: string }
    /** `burnOrderId` is a burn's id, see nft/burning/store.ts. */
    | { type: 'burn'; burnOrderId: string }
    | { type: 'report-balances'; chainId: number }
    | { type: 'check-nonce'; chainId: number; signer: string; nonce: number }
    /** Tokens to lock, and a contract whose changed metadata is to be announced; see nft/locking/lock-tickets.ts. */
    | { type: 'lock'; chainId: number; contract: string; tokenIds: string[]; requestedAt: number }
    | { type: 'refresh-metadata'; chainId: number; contract: string; requestedAt: number };
  'send-money': /** `lease` is the due time that the sweep set, see money/payouts/send-payout.ts. */
    | { type: 'send-payout'; payoutId: string; lease?: string }
    | { type: 'send-refund'; orderId: string }
    /** A payment that was returned or disputed at the gateway, identified by our reference or the gateway's id. */
    | {
        type: 'receive-return';
        returnedAt: 'gateway-a' | 'gateway-b' | 'gateway-c';
        reference?: string;
        transactionId?: string;
        isDispute: boolean;
        disputeId?: string;
        isDisputeWon?: boolean;
        isDisputeLost?: boolean;
      }
    /** The outcome of a payout's transfer, as the gateway reports it. */
    | {
        type: 'settle-payout';
        sentBy: 'gateway-a' | 'gateway-b' | 'gateway-c';
        kind: 'transfer-succeeded' | 'transfer-failed';
        reference: string;
        transactionId: string;
      }
    /** The earnings of an event that has ended, in one currency. */
    | { type: 'unlock-earnings'; organizerId: string; eventId: string; currency: Currency };
  /** An unpaid order whose hold ended, or whose payment on a chain has to be checked. */
  'settle-orders': { type: 'settle-order'; orderId: string };
  'run-event-jobs': /** Work on all orders of an event, see catalog/event-jobs/event-job.ts. */
    | { type: 'run-job'; eventId: string; kind: 'cancel' | 'mint-again' | 'announce-reschedule' | 'delete' }
    | { type: 'check-contract'; eventId: string }
    /** Serves the waiting lists of an event. */
    | { type: 'offer-tickets'; eventId: string }
    /** Ends the listing of seats that can't be sold any more. */
    | { type: 'check-listings'; eventId: string; orderId: string }
    /** Draws the queue of an event, or adapts its rate. */
    | { type: 'tend-queue'; eventId: string }
    /** Has events copy whether their organizer has webhooks; see messaging/webhooks/store.ts. */
    | { type: 'mark-events'; organizerId: string }
    | { type: 'copy-page'; organizerId: string }
    /** Mails an organizer that a webhook endpoint was disabled. */
    | { type: 'report-endpoint'; organizerId: string; endpointId: string }
    /** The removal of a person's data, see privacy/erasure.ts. */
    | { type: 'erase-person'; userId: string };
  /** A mail in the outbox, see messaging/outbox/mail.ts. */
  'send-mail': { type: 'send-mail'; mailId: string };
  /** A mail with a link that somebody waits for. Its queue is separate, so that it never waits for mails of a sale. */
  'send-links': { type: 'send-link'; mailId: string };
  'deliver-webhooks': /** What happened, for which deliveries are still to be made. */
    | { type: 'announce-occurrence'; organizerId: string; occurrenceId: string }
    | { type: 'deliver'; organizerId: string; endpointId: string; deliveryId: string };
  'resize-pictures': /** An upload that the bucket has received. */
    | { type: 'resize-picture'; key: string }
    /** A copy of a picture for a copied event, with the id that its upload would have. */
    | { type: 'copy-picture'; imageUrl: string; eventId: string; uploadId: string; userId: string }
    /** Deletes the pictures of a deleted event or page. */
    | { type: 'delete-pictures'; ownerId: string };
  /** SES's report about a mail. `requestedAt` (epoch milliseconds) tells apart mails that were sent again. */
  'record-mail-events': {
    type: 'record-mail-event';
    mailId: string;
    requestedAt: string;
    event: 'Bounce' | 'Complaint';
  };
}

/** The message of one type. */
export type Message<Type extends Messages[keyof Messages]['type']> = Extract<
  Messages[keyof Messages],
  { type: Type }
>;
