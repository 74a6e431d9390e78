/**
 * boxoffice
 * 0.1.0
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    server1: "/"
};
export type ErrorBody = {
    /** A sentence for people */
    error: string;
};
export type User = {
    id: string;
    email: string;
    name: string;
    /** The role of the account; `GUEST` for somebody who bought without one. Roles at an event are separate */
    role: "USER" | "ORGANIZER" | "ADMIN" | "GUEST";
    /** Where tickets are minted to */
    walletAddress: string | null;
    /** Whether the user proved that `walletAddress` is theirs, by linking it */
    walletVerified: boolean;
    /** Events with `requireKYC` sell to `VERIFIED` users only */
    kycStatus: "NONE" | "PENDING" | "VERIFIED" | "REJECTED";
    /** Whether the user has confirmed the e-mail address */
    emailVerified: boolean;
    /** The language of mails about the account; absent: `en` */
    language?: "en" | "de";
};
export type Passkey = {
    /** The id of the credential, in base64url */
    id: string;
    name: string;
    createdAt: string;
    lastUsedAt: string | null;
    /** Whether the passkey is synchronized to other devices */
    backedUp: boolean;
};
export type Session = {
    id: string;
    createdAt: string;
    /** Exact to a few minutes */
    lastUsedAt: string;
    /** The browser and the system */
    device: string;
    /** Where it was last used, as far as the CDN tells */
    place: string | null;
    /** Whether it is the session of this request */
    current: boolean;
};
export type OrderItem = {
    tierId: string;
    /** The tier’s current name */
    name: string;
    kind: "ticket" | "addon";
    quantity: number;
    /** The price of one ticket when it was ordered */
    unitPrice: number;
    /** The full price of the item */
    subtotal: number;
    /** The item’s part of the discount */
    discount: number;
    /** The number of the item’s first seat */
    firstNumber: number;
};
export type Currency = "USD" | "EUR" | "GBP" | "CAD" | "AUD" | "CHF" | "NGN" | "GHS" | "KES" | "ZAR" | "EGP" | "UGX" | "TZS" | "RWF" | "XOF" | "XAF" | "JPY" | "INR" | "BRL" | "KWD" | "ETH" | "POL" | "USDC" | "USDT";
export type CryptoPayment = {
    chainId: number;
    /** The wallet that must receive the amount */
    to: string;
    /** The contract of the token; null for the chain’s own coin */
    token: string | null;
    "symbol": Currency;
    /** The number of decimals of the currency */
    decimals: number;
    /** Base units */
    amount: string;
    /** Hex to append to the calldata: it identifies the order */
    data: string;
    /** When the order, if unpaid, releases its tickets */
    expiresAt: string;
    /** The transaction that the buyer submitted, while it is checked */
    transactionHash: string | null;
};
export type ReturnPolicy = {
    /** The last moment */
    until: string;
    /** What the organizer keeps of a ticket’s worth, in percent */
    feePercent: number;
    /** `always`: a returned ticket is refunded at once. `when-resold`: it stays valid until somebody on the waiting list takes it, and is refunded then */
    mode: "always" | "when-resold";
};
export type OpenReturn = {
    id: string;
    seats: number[];
    /** `offered`: some of the seats are offered to somebody, who may still decline */
    status: "listed" | "offered";
};
export type Refund = {
    /** Unique in the order */
    id: string;
    /** The numbers of the refunded seats */
    seats: number[];
    /** What goes back to the buyer */
    amount: number;
    /** `goodwill` is money without seats, `whole` all that was left of the order */
    kind: "seats" | "goodwill" | "whole";
    status: "pending" | "done" | "failed" | "manual";
    at: string;
    /** The number of its credit note; null without an invoice */
    creditNoteNumber: number | null;
};
export type Order = {
    id: string;
    /** The subtotal less the discount, with the fee of 2.5 % */
    totalAmount: number;
    /** The full price of the tickets */
    subtotal: number;
    /** The discount of the code */
    discount: number;
    /** What the buyer pays beside the subtotal: 2.5 % of it after the discount; 0 where the organizer pays */
    fee: number;
    /** The tickets by tier; add-ons come last */
    items: OrderItem[];
    /** The discount code of the order */
    code: string | null;
    /** The sum over all items */
    quantity: number;
    currency: Currency;
    paymentMethod: "CRYPTO" | "FIAT";
    /** `COMPLETED` is paid, also after a refund; `FAILED` was cancelled, declined, or not paid in time */
    paymentStatus: "PENDING" | "COMPLETED" | "FAILED";
    customerEmail: string;
    customerName: string;
    userId: string;
    /** The wallet that the tickets are minted to; null for the wallet of the account */
    walletAddress: string | null;
    language: "en" | "de";
    /** Who sold the tickets, when they were ordered */
    seller: {
        name: string;
        address: string;
        taxId: string | null;
    } | null;
    /** The number of the invoice; null for a free order, one of an event without a seller, and one that was just paid */
    invoiceNumber: number | null;
    eventId: string;
    /** The tier of the first item */
    tierId: string;
    /** Null for crypto and free orders */
    gateway: ("gateway-a" | "gateway-b" | "gateway-c") | null;
    /** Identifies the payment at the gateway and on the chain */
    reference: string;
    /** The reference by gateway */
    gatewayReferences: {
        [key: string]: string;
    };
    /** The address of the checkout */
    checkoutUrl: string | null;
    /** How to pay a crypto order; null for others */
    payment: CryptoPayment | null;
    /** The amount that the buyer paid and that a refund returns; null until the order is paid */
    paidAmount: number | null;
    /** Further payments on the chain, which did not complete the order. An operator returns them, or a refund does. The amount is 0 for a transaction to another address: an operator looks up what it paid */
    otherPayments: {
        transactionHash: string;
        /** In major units of the currency, with as many decimals as it has */
        amount: number;
    }[];
    /** The gateway’s id of the payment; for a crypto order, the hash of the transaction that paid it */
    paymentTxId: string | null;
    /** The transaction that minted the tickets */
    blockchainTxHash: string | null;
    /** When the order, if unpaid, releases its tickets */
    expiresAt: string;
    /** Why the paymentStatus is `FAILED` */
    failureReason: ("expired" | "cancelled" | "payment-failed" | "gateway-failed" | "event-cancelled" | "listing-ended") | null;
    /** When the gateway last declined an attempt to pay. While the order is `PENDING`, the buyer can try again at `checkoutUrl` */
    declinedAt: string | null;
    /** Why an operator has to review the payment */
    paymentReview: string | null;
    /** The steps after the payment: minting the tickets, or returning the payment */
    fulfilment: {
        /** The status of the tokens. `none` before the payment, `not-needed` without a contract, `refund-due` when the payment has to be returned */
        status: "none" | "queued" | "minting" | "minted" | "reissuing" | "not-needed" | "failed" | "refund-due";
        /** Why there are no tickets on the chain, or why the payment is refunded */
        reason: ("chain-not-configured" | "contract-not-authorized" | "contract-unknown" | "contract-refused" | "too-much-gas" | "not-minted" | "wrong-mint" | "transaction-invalid" | "not-reissued" | "event-cancelled" | "refunded" | "sold-out" | "too-few-left" | "tier-limit" | "wallet-limit" | "not-on-sale" | "sale-ended" | "code-used-up" | "discount-expired" | "kyc-required" | "other") | null;
        /** The reason as a sentence */
        message: string | null;
        transactionHash: string | null;
        queuedAt: string | null;
        mintingAt: string | null;
        mintedAt: string | null;
        updatedAt: string;
    };
    /** The latest reissue: the tickets were minted again, to another wallet */
    reissue: {
        walletAddress: string;
        at: string;
    } | null;
    /** The return of the payment to the buyer; null without one */
    refund: {
        status: "pending" | "done" | "failed" | "manual";
        /** In major units of the currency, with as many decimals as it has */
        amount: number;
        at: string;
    } | null;
    /** How the buyer may return tickets, as it was at the purchase; null: not at all */
    returns: ReturnPolicy | null;
    /** The returns that wait for somebody to take their seats, which are valid until then */
    openReturns: OpenReturn[];
    /** All refunds, in the sequence in which they began */
    refunds: Refund[];
    /** The sum of all refunds, also of those that are pending */
    refundedAmount: number;
    createdAt: string;
    updatedAt: string;
};
export type Ticket = {
    id: string;
    /** Decimal */
    tokenId: string;
    contractAddress: string;
    chainId: number;
    /** The transaction that minted the token */
    txHash: string;
    eventId: string;
    orderId: string;
    /** The wallet that the token was minted to or, after a claim, the wallet that claimed the seat */
    owner: string;
    createdAt: string;
    /** When the token was burned, for a refund or a reissue */
    burnedAt: string | null;
};
export type Notification = {
    id: string;
    userId: string;
    title: string;
    message: string;
    /** How to show it */
    "type": "SUCCESS" | "WARNING" | "INFO";
    /** Whether the user has marked it as read */
    read: boolean;
    createdAt: string;
    /** The order it is about */
    orderId?: string;
    /** What it says, to word it in another language */
    topic?: string;
    /** The values in the sentences of the topic */
    values?: {
        [key: string]: string | number;
    };
};
export type OrganizerPage = {
    organizerId: string;
    slug: string;
    name: string;
    /** Markdown, without HTML */
    about: string;
    /** An e-mail address, or an https address */
    contact: string | null;
    /** `#rrggbb` */
    accent: string | null;
    /** The color of text on `accent`: black or white */
    accentText: string | null;
    /** The https address of a picture */
    logoUrl: string | null;
    font: ("sans" | "serif" | "rounded" | "mono") | null;
    updatedAt: string;
};
export type Balance = {
    currency: Currency;
    /** Earned by sales, available once their events have ended */
    upcoming: number;
    /** Can be paid out. Negative when refunds and disputes exceeded it */
    available: number;
    /** Reserved until the disputes of buyers at the gateway end */
    disputed: number;
    /** On its way to a bank account */
    pending: number;
    /** Arrived at a bank account */
    paidOut: number;
};
export type Payout = {
    id: string;
    /** In major units of the currency, with as many decimals as it has */
    amount: number;
    currency: Currency;
    /** The gateway that sends the money */
    gateway: "gateway-a" | "gateway-b";
    destination: {
        accountNumber: string;
        bankCode: string;
        accountName: string;
    };
    /** `PENDING`: not sent yet. `SENT`: the gateway’s result is not known yet. `COMPLETED`: paid. `FAILED`: the amount is available again */
    status: "PENDING" | "SENT" | "COMPLETED" | "FAILED";
    /** Why the payout waits. `balance`: refunds or disputes have made the available balance negative. `new-account`: it is the first to this bank account. `factors-reset`: the organizer’s second factors were reset less than 72 hours ago */
    waitsFor: ("balance" | "new-account" | "factors-reset") | null;
    /** The number of attempts to send it to the gateway */
    attempts: number;
    createdAt: string;
    updatedAt: string;
};
export type PersonalData = {
    exportedAt: string;
    /** False when a list has more than 1000 entries, or all together are larger than a response. This response then has its newest entries; the list’s own endpoint has all */
    isComplete: boolean;
    user: User;
    orders: Order[];
    /** The person’s seats that have an attendee, or were offered, received or admitted */
    seats: {
        orderId: string;
        "number": number;
        attendee?: {
            name: string;
            email?: string;
        };
        /** The address that the seat was last offered to */
        offeredTo?: string;
        checkedInAt?: string;
    }[];
    /** The answers to questions, for orders and tickets of the person */
    answers: {
        /** The id of a question of the event */
        questionId: string;
        /** The number of the ticket, for questions per ticket */
        "number"?: number;
        /** Text, the chosen options, or whether it is ticked. A day is `YYYY-MM-DD` */
        value: string | string[] | boolean;
        orderId: string;
    }[];
    tickets: Ticket[];
    notifications: Notification[];
    events: {
        id: string;
        title: string;
        createdAt: string;
    }[];
    /** The person’s page as an organizer */
    page: OrganizerPage | null;
    staff: {
        eventId: string;
        /** `door` checks tickets in, sees the attendance and searches paid orders; `manager` does everything but payouts, staff, the audit trail and deletion */
        role: "manager" | "door";
        addedAt: string;
    }[];
    balances: Balance[];
    payouts: Payout[];
};
export type ApiKey = {
    id: string;
    name: string;
    prefix: string;
    scopes: ("events:read" | "events:write" | "orders:read" | "orders:refund" | "check-in" | "codes:write" | "waiting-list:read" | "webhooks:write")[];
    /** The events that the key is limited to; null: all */
    eventIds: string[] | null;
    createdAt: string;
    expiresAt: string | null;
    /** Exact to the hour */
    lastUsedAt: string | null;
};
export type CheckInList = {
    id: string;
    name: string;
    /** The tiers that are admitted; empty for all */
    tierIds: string[];
    /** Whether people who go out, and are scanned then, come in again */
    allowExit: boolean;
    /** How often a ticket is admitted: once, or once a day in the event’s time zone */
    oncePer: "event" | "day";
};
export type Organizer = {
    /** The page’s address is `/o/<slug>` */
    slug: string;
    name: string;
    /** An e-mail address, or an https address */
    contact: string | null;
    /** `#rrggbb` */
    accent: string | null;
    /** The https address of a picture */
    logoUrl: string | null;
    font: ("sans" | "serif" | "rounded" | "mono") | null;
    /** The color of text on `accent`: black or white */
    accentText: string | null;
};
export type Tier = {
    id: string;
    name: string;
    description: string;
    /** The price of one ticket, without the fee of 2.5 % */
    price: number;
    /** The number of tickets of the tier, including sold ones */
    quantity: number;
    /** The maximum number of tickets that one user may hold */
    maxPerPerson: number;
    /** Whether buyers need a code to see the tier */
    hidden: boolean;
    /** When the tier’s sale begins; the event’s `saleStart` unless the tier has its own. The event’s sale must have begun too */
    saleStart: string;
    /** When the tier’s sale ends; the event’s `saleEnd` unless the tier has its own. The event’s sale must not have ended either */
    saleEnd: string;
    /** `addon`: sold only beside tickets of the same order */
    kind: "ticket" | "addon";
    /** For an add-on: how many an order may have for each of its tickets */
    perTicket: number;
    /** The minimum number in an order that contains the tier */
    minPerOrder: number;
    /** The tax that the price includes, in percent */
    taxPercent: number | null;
    /** The number of tickets that can be bought now */
    available: number;
};
export type Event = {
    id: string;
    title: string;
    description: string;
    venue: string;
    address: string;
    city: string;
    country: string;
    latitude: number | null;
    longitude: number | null;
    /** The IANA name of the time zone */
    timezone: string;
    source: "boxoffice";
    externalUrl: null;
    /** When the event begins */
    eventDate: string;
    /** When the event ends */
    endDate: string;
    /** When the sale begins */
    saleStart: string;
    /** When the sale ends */
    saleEnd: string;
    /** The maximum number of tickets over all tiers */
    totalSupply: number;
    /** The lowest price in `tiers`; 0 when `tiers` is empty */
    ticketPrice: number;
    currency: Currency;
    /** The maximum number of tickets over all tiers for one user */
    maxPerWallet: number;
    /** The contract that mints the tickets; null for none */
    contractAddress: string | null;
    chainId: number;
    /** Whether tickets can be minted. `none`: the event has no contract. `authorized`: yes. `unauthorized`: the organizer has not proved that they administer the contract. `unchecked`: the chain has not answered yet. `mismatch`: the organizer is authorized, but only one of contract and event allows transfers */
    contractStatus: "none" | "authorized" | "unauthorized" | "unchecked" | "mismatch";
    /** Empty without an image */
    imageUrl: string;
    metadataUri: string | null;
    category: "CONFERENCE" | "MUSIC" | "WORKSHOP" | "MEETUP" | "FESTIVAL" | "SPORTS" | "THEATER" | "OTHER";
    /** Separated by commas */
    tags: string;
    /** Whether the event is in the public list */
    isPublic: boolean;
    /** Whether holders may transfer their tickets */
    allowTransfers: boolean;
    /** Who is admitted: `account` admits the account that holds the seat, `token` the account whose linked wallet owns the seat’s token. Fixed once tickets are sold or held */
    entry: "account" | "token";
    /** Whether buyers need the KYC status `VERIFIED` */
    requireKYC: boolean;
    /** Whether the token of a ticket can no longer be transferred once somebody was admitted with it */
    lockAfterAdmission: boolean;
    /** `PUBLISHED`: on sale. `DRAFT`: visible only to the organizer and the staff. `CANCELLED`: final */
    status: "PUBLISHED" | "DRAFT" | "CANCELLED";
    /** Who can buy: users with an account, or anyone. With `requireKYC` always `accounts` */
    buyers: "accounts" | "anyone";
    /** Who pays the fee of 2.5 %: `buyer` pays it on top of the price, `organizer` out of it */
    feePaidBy: "buyer" | "organizer";
    language: "en" | "de";
    /** What buyers are asked */
    questions: {
        id: string;
        label: string;
        kind: "text" | "longtext" | "choice" | "multiple" | "checkbox" | "date";
        required: boolean;
        options: string[];
        tierIds: string[];
        per: "order" | "ticket";
    }[];
    /** Whether required questions are answered with the `order`, or `later`, until the event begins */
    questionsWhen: "order" | "later";
    /** What devices at the door do without network: `ask` whether to go on offline, do so in `automatic` mode, or `never` */
    offlineMode: "ask" | "automatic" | "never";
    /** The lists by which tickets are checked in; empty: each ticket once at the event */
    checkInLists: CheckInList[];
    /** Who sells the tickets, as invoices name them */
    seller: {
        name: string;
        address: string;
        taxId: string | null;
    } | null;
    /** Whether the mail with the tickets has them as a PDF file, up to ten */
    attachPdf: boolean;
    /** How buyers may return tickets; null: not at all */
    returns: ReturnPolicy | null;
    /** Whether people can wait for tickets of sold-out tiers */
    waitingList: boolean;
    /** How people queue for the tickets; null: not at all */
    queue: {
        opensAt: string;
        drawAt: string;
        until: string;
        /** Admissions a minute; null: automatic */
        perMinute: number | null;
    } | null;
    organizerId: string;
    /** Who organizes it; null without a page */
    organizer: Organizer | null;
    tiers: Tier[];
    createdAt: string;
    updatedAt: string;
    /** The caller’s role at the event; only with `staff=me` */
    staffRole?: "manager" | "door";
};
export type PaymentMethod = {
    paymentMethod: "CRYPTO" | "FIAT";
    /** Null for CRYPTO */
    gateway: ("gateway-a" | "gateway-b" | "gateway-c") | null;
    /** The name to show to buyers */
    name: string;
};
export type Attendee = {
    orderId: string;
    /** The order’s, as its mails show it */
    reference: string;
    "number": number;
    tierId: string;
    tierName: string;
    kind: "ticket" | "addon";
    /** Who uses the ticket, as its holder named them */
    attendeeName: string | null;
    attendeeEmail: string | null;
    isTransferred: boolean;
    /** The buyer */
    customerName: string;
    customerEmail: string;
    checkedInAt: string | null;
    /** The answers for the ticket; at the first ticket of an order, also those for the order */
    answers: {
        /** The id of a question of the event */
        questionId: string;
        /** The number of the ticket, for questions per ticket */
        "number"?: number;
        /** Text, the chosen options, or whether it is ticked. A day is `YYYY-MM-DD` */
        value: string | string[] | boolean;
    }[];
};
export type PictureUpload = {
    /** Where to post the file, as `multipart/form-data` */
    url: string;
    /** The fields of the form; the file follows them as `file` */
    fields: {
        [key: string]: string;
    };
    /** The address of the picture once it is processed, 1,600 pixels wide. Those of 400 and 800 pixels differ in the last segment */
    imageUrl: string;
};
export type EventSummary = {
    eventId: string;
    currency: Currency;
    /** The number of tickets that are paid and not refunded */
    sold: number;
    /** The number of tickets held for unpaid orders */
    held: number;
    /** The number of tickets that can be bought now */
    available: number;
    /** The amount that buyers paid */
    gross: number;
    /** The platform’s share of `gross` */
    fee: number;
    /** The organizer’s share of `gross` */
    net: number;
    /** The discounts by codes, not included in `gross` */
    discount: number;
    /** The number of orders, also of those that were not paid in time */
    ordersPlaced: number;
    /** The number of orders that were paid or free, also of those refunded later */
    ordersPaid: number;
    tiers: {
        tierId: string;
        name: string;
        kind: "ticket" | "addon";
        /** The number of tickets that are paid and not refunded */
        sold: number;
        /** The number of tickets held for unpaid orders */
        held: number;
        /** The number of tickets that can be bought now */
        available: number;
        /** The amount that buyers paid */
        gross: number;
        /** The platform’s share of `gross` */
        fee: number;
        /** The organizer’s share of `gross` */
        net: number;
        /** The discounts by codes, not included in `gross` */
        discount: number;
    }[];
    /** The days with sales or refunds, and their tiers, earliest first */
    days: {
        /** In the time zone of the event */
        date: string;
        tiers: {
            tierId: string;
            /** The number of tickets paid on this day */
            sold: number;
            /** The number of tickets refunded on this day */
            refunded: number;
        }[];
    }[];
    /** Sales with codes, in the event’s currency */
    codes: {
        code: string;
        /** The number of orders that are paid and not refunded */
        orders: number;
        /** The number of tickets that are paid and not refunded */
        sold: number;
        /** The amount that buyers paid */
        gross: number;
        /** The platform’s share of `gross` */
        fee: number;
        /** The organizer’s share of `gross` */
        net: number;
        /** The discounts by codes, not included in `gross` */
        discount: number;
    }[];
    /** Sales in the event’s earlier currencies. Their tickets are included in the event’s `sold`, but their amounts are not included in its `gross`, `fee`, `net` and `discount` */
    otherCurrencies: {
        currency: Currency;
        /** The number of tickets that are paid and not refunded */
        sold: number;
        /** The amount that buyers paid */
        gross: number;
        /** The platform’s share of `gross` */
        fee: number;
        /** The organizer’s share of `gross` */
        net: number;
        /** The discounts by codes, not included in `gross` */
        discount: number;
    }[];
};
export type Code = {
    code: string;
    /** `percent` and `amount` reduce the price of the order, `price` sets the price of each ticket, `access` only reveals hidden tiers */
    kind: "percent" | "amount" | "price" | "access";
    /** A percentage for `percent`, an amount for `amount` and `price` */
    value: number | null;
    /** The tiers that the code is valid for; empty for all tiers */
    tierIds: string[];
    maxUses: number | null;
    maxPerUser: number | null;
    /** In major units of the currency, with as many decimals as it has */
    budget: number | null;
    validFrom: string | null;
    validUntil: string | null;
    /** Whether buyers can use the code */
    active: boolean;
    /** The number of paid and unpaid orders that count against the limits. Null for a code with neither `maxUses` nor `budget`; the event’s summary shows the paid orders of every code */
    uses: number | null;
    /** The total discount on the orders in `uses` */
    givenAway: number | null;
    /** The number of orders in `uses` that were paid after the code was used up */
    overruns: number;
    createdAt: string;
    updatedAt: string;
};
export type StaffMember = {
    eventId: string;
    email: string;
    /** `door` checks tickets in, sees the attendance and searches paid orders; `manager` does everything but payouts, staff, the audit trail and deletion */
    role: "manager" | "door";
    addedAt: string;
    /** `invited`: the role begins when an account confirms the address */
    status: "invited" | "active";
    /** The account that confirmed the address */
    userId: string | null;
    name: string | null;
};
export type AuditEntry = {
    id: string;
    at: string;
    action: "refund-requested" | "refund-completed" | "refund-failed" | "tickets-reissued" | "contract-bound" | "contract-released" | "event-changed" | "code-created" | "code-changed" | "code-deleted" | "staff-added" | "staff-changed" | "staff-removed" | "seat-admitted" | "admission-undone" | "kyc-changed" | "passkey-refused" | "factors-reset" | "email-changed" | "email-restored" | "person-erased" | "key-created" | "key-deleted" | "role-granted" | "payout-requested" | "payout-completed" | "payout-failed" | "balance-settled";
    by: {
        /** Who made the change: an account (`user`, `admin`), a payment gateway’s webhook (`gateway`), an operator’s command (`operator`), or the service itself (`system`) */
        "type": "user" | "admin" | "gateway" | "operator" | "system";
        userId: string | null;
        /** The account’s name. Only administrators see the names of administrators */
        name: string | null;
    };
    eventId: string | null;
    /** Ids, codes, states and amounts; the keys depend on the action */
    details: {
        [key: string]: string;
    };
};
export type ContractBinding = {
    chainId: number;
    address: string;
    /** The organizer who may use the contract */
    organizerId: string;
    /** The contract’s admin wallet that the organizer proved to own; null when the organizer proved none */
    wallet: string | null;
    updatedAt: string;
};
export type Admission = {
    /** The number of the seat within the order, from 1 */
    "number": number;
    tierId: string;
    tierName: string;
    kind: "ticket" | "addon";
    /** The attendee that the holder named */
    attendee: {
        name: string;
        email: string | null;
    } | null;
    status: "held" | "offered" | "admitted";
    /** The code of a seat, as its QR code contains it */
    checkInCode: string;
    /** After this time, a day after the event’s end, the code is no longer admitted. The time changes with the event’s date; the code stays the same. */
    checkInCodeExpiresAt: string;
    /** The code as an SVG image, relative to the address of this API */
    qr: string;
    /** When the seat was admitted */
    checkedInAt: string | null;
};
export type AttendedSeat = {
    "number": number;
    /** The attendee that the holder named */
    attendeeName: string | null;
    /** Whether the buyer has transferred the seat */
    isTransferred: boolean;
    /** When the seat was admitted */
    checkedInAt: string | null;
};
export type Mail = {
    /** `waiting` is tried again for three days */
    status: "waiting" | "sent" | "failed" | "dropped";
    /** Why it was not sent, or did not arrive */
    reason: ("rejected" | "given-up" | "obsolete" | "bounced" | "complained") | null;
    updatedAt: string;
};
export type OrderWithAdmissions = {
    id: string;
    /** The subtotal less the discount, with the fee of 2.5 % */
    totalAmount: number;
    /** The full price of the tickets */
    subtotal: number;
    /** The discount of the code */
    discount: number;
    /** What the buyer pays beside the subtotal: 2.5 % of it after the discount; 0 where the organizer pays */
    fee: number;
    /** The tickets by tier; add-ons come last */
    items: OrderItem[];
    /** The discount code of the order */
    code: string | null;
    /** The sum over all items */
    quantity: number;
    currency: Currency;
    paymentMethod: "CRYPTO" | "FIAT";
    /** `COMPLETED` is paid, also after a refund; `FAILED` was cancelled, declined, or not paid in time */
    paymentStatus: "PENDING" | "COMPLETED" | "FAILED";
    customerEmail: string;
    customerName: string;
    userId: string;
    /** The wallet that the tickets are minted to; null for the wallet of the account */
    walletAddress: string | null;
    language: "en" | "de";
    /** Who sold the tickets, when they were ordered */
    seller: {
        name: string;
        address: string;
        taxId: string | null;
    } | null;
    /** The number of the invoice; null for a free order, one of an event without a seller, and one that was just paid */
    invoiceNumber: number | null;
    eventId: string;
    /** The tier of the first item */
    tierId: string;
    /** Null for crypto and free orders */
    gateway: ("gateway-a" | "gateway-b" | "gateway-c") | null;
    /** Identifies the payment at the gateway and on the chain */
    reference: string;
    /** The reference by gateway */
    gatewayReferences: {
        [key: string]: string;
    };
    /** The address of the checkout */
    checkoutUrl: string | null;
    /** How to pay a crypto order; null for others */
    payment: CryptoPayment | null;
    /** The amount that the buyer paid and that a refund returns; null until the order is paid */
    paidAmount: number | null;
    /** Further payments on the chain, which did not complete the order. An operator returns them, or a refund does. The amount is 0 for a transaction to another address: an operator looks up what it paid */
    otherPayments: {
        transactionHash: string;
        /** In major units of the currency, with as many decimals as it has */
        amount: number;
    }[];
    /** The gateway’s id of the payment; for a crypto order, the hash of the transaction that paid it */
    paymentTxId: string | null;
    /** The transaction that minted the tickets */
    blockchainTxHash: string | null;
    /** When the order, if unpaid, releases its tickets */
    expiresAt: string;
    /** Why the paymentStatus is `FAILED` */
    failureReason: ("expired" | "cancelled" | "payment-failed" | "gateway-failed" | "event-cancelled" | "listing-ended") | null;
    /** When the gateway last declined an attempt to pay. While the order is `PENDING`, the buyer can try again at `checkoutUrl` */
    declinedAt: string | null;
    /** Why an operator has to review the payment */
    paymentReview: string | null;
    /** The steps after the payment: minting the tickets, or returning the payment */
    fulfilment: {
        /** The status of the tokens. `none` before the payment, `not-needed` without a contract, `refund-due` when the payment has to be returned */
        status: "none" | "queued" | "minting" | "minted" | "reissuing" | "not-needed" | "failed" | "refund-due";
        /** Why there are no tickets on the chain, or why the payment is refunded */
        reason: ("chain-not-configured" | "contract-not-authorized" | "contract-unknown" | "contract-refused" | "too-much-gas" | "not-minted" | "wrong-mint" | "transaction-invalid" | "not-reissued" | "event-cancelled" | "refunded" | "sold-out" | "too-few-left" | "tier-limit" | "wallet-limit" | "not-on-sale" | "sale-ended" | "code-used-up" | "discount-expired" | "kyc-required" | "other") | null;
        /** The reason as a sentence */
        message: string | null;
        transactionHash: string | null;
        queuedAt: string | null;
        mintingAt: string | null;
        mintedAt: string | null;
        updatedAt: string;
    };
    /** The latest reissue: the tickets were minted again, to another wallet */
    reissue: {
        walletAddress: string;
        at: string;
    } | null;
    /** The return of the payment to the buyer; null without one */
    refund: {
        status: "pending" | "done" | "failed" | "manual";
        /** In major units of the currency, with as many decimals as it has */
        amount: number;
        at: string;
    } | null;
    /** How the buyer may return tickets, as it was at the purchase; null: not at all */
    returns: ReturnPolicy | null;
    /** The returns that wait for somebody to take their seats, which are valid until then */
    openReturns: OpenReturn[];
    /** All refunds, in the sequence in which they began */
    refunds: Refund[];
    /** The sum of all refunds, also of those that are pending */
    refundedAmount: number;
    createdAt: string;
    updatedAt: string;
    /** For the buyer only, while the order is paid and holds its seats and the event is not cancelled */
    admissions: Admission[];
    /** For the organizer and managers: the seats that were named, transferred or admitted */
    seats: AttendedSeat[];
    /** The answers to the event’s questions. The buyer does not see those for tickets that were transferred */
    answers: {
        /** The id of a question of the event */
        questionId: string;
        /** The number of the ticket, for questions per ticket */
        "number"?: number;
        /** Text, the chosen options, or whether it is ticked. A day is `YYYY-MM-DD` */
        value: string | string[] | boolean;
    }[];
    /** The mail with the tickets */
    mail: Mail | null;
};
export type Return = {
    /** That of the order’s refund, or of the listing */
    id: string;
    seats: number[];
    /** What goes back to the buyer */
    refundAmount: number;
    /** What the organizer keeps */
    fee: number;
    /** The status of the refund. `listed`: the seats stay valid, and are refunded when somebody on the waiting list takes them */
    status: "pending" | "done" | "failed" | "manual" | "listed";
};
export type ReturnQuote = {
    seats: number[];
    /** What goes back to the buyer */
    refundAmount: number;
    /** What the organizer keeps */
    fee: number;
    currency: Currency;
    /** The last moment for the return */
    until: string;
};
export type Occurrence = {
    /** The `webhook-id` of its deliveries */
    id: string;
    "type": "order.completed" | "order.refunded" | "order.failed" | "ticket.minted" | "ticket.transferred" | "ticket.checked_in" | "event.updated" | "event.cancelled" | "waiting_list.offered" | "payout.completed" | "payout.failed";
    timestamp: string;
    /** As in the body of its webhooks */
    data: {
        [key: string]: any;
    };
};
export type WebhookEndpoint = {
    id: string;
    url: string;
    types: ("order.completed" | "order.refunded" | "order.failed" | "ticket.minted" | "ticket.transferred" | "ticket.checked_in" | "event.updated" | "event.cancelled" | "waiting_list.offered" | "payout.completed" | "payout.failed")[];
    /** The events that it is limited to; null: all */
    eventIds: string[] | null;
    description: string;
    expand: boolean;
    apiVersion: string;
    status: "enabled" | "disabled";
    /** `gone`: it answered 410. `failing`: all attempts failed for five days */
    disabledReason: ("gone" | "failing" | "organizer") | null;
    failingSince: string | null;
    createdAt: string;
};
export type WebhookDelivery = {
    id: string;
    "type": string;
    status: "waiting" | "delivered" | "failed";
    attempts: number;
    /** Of the last answer */
    statusCode: number | null;
    /** The start of the last answer, or why there was none */
    answer: string | null;
    nextAttemptAt: string | null;
    createdAt: string;
    updatedAt: string;
};
export type Bank = {
    name: string;
    /** The `bankCode` of a payout by the same gateway; other gateways may use other codes */
    code: string;
};
export type PayoutGateway = {
    gateway: "gateway-a" | "gateway-b";
    /** The name to show to organizers */
    name: string;
    /** What it pays out */
    currencies: Currency[];
};
export type CheckIn = {
    orderId: string;
    "number": number;
    /** The number of seats of the order */
    quantity: number;
    eventId: string;
    tierId: string;
    tierName: string;
    /** `addon`: to be handed over; it is no ticket and lets nobody in */
    kind: "ticket" | "addon";
    /** The name of the buyer */
    customerName: string;
    /** The name given for this seat */
    attendeeName: string | null;
    checkedInAt: string;
    /** For a seat admitted by token: whether the chain confirmed the owner. False when the chain did not answer in time */
    chainChecked?: boolean;
    /** The check-in list; null without lists */
    listName: string | null;
    direction: "entry" | "exit";
};
export type RecentAdmission = {
    orderId: string;
    "number": number;
    tierName: string;
    customerName: string;
    /** The attendee that the holder named */
    attendeeName: string | null;
    checkedInAt: string;
};
export type DoorConflict = {
    orderId: string;
    /** The number of the seat within the order */
    "number": number;
    result: "already-admitted" | "refunded" | "transferred" | "wrong-list" | "unknown";
    scanId: string;
    deviceId: string;
    /** When the device admitted the ticket */
    at: string;
    /** Who was signed in when the scan went up */
    by: string | null;
    /** The admission that counts, for `already-admitted` */
    first: {
        deviceId: string | null;
        at: string;
        by: string | null;
    } | null;
};
export type ExpectedOrder = {
    orderId: string;
    customerName: string;
    /** For the organizer, managers, and keys with `orders:read` only */
    customerEmail?: string;
    tierName: string;
    quantity: number;
    /** The number of its seats that were admitted */
    admitted: number;
    /** `no-seat`: paid when no tickets were left */
    status: "valid" | "refunded" | "no-seat";
    /** Its first 50 valid seats. Empty when `q` is empty */
    seats: {
        "number": number;
        tierName: string;
        /** The attendee that the holder named */
        attendeeName: string | null;
        /** When the seat was admitted */
        checkedInAt: string | null;
    }[];
};
export type Attendance = {
    admitted: number;
    /** The tickets sold, without those refunded */
    expected: number;
    /** The latest 20, newest first */
    recent: RecentAdmission[];
    /** For the organizer and managers: the latest 1,000 tickets that were admitted offline although they were used elsewhere or are not valid, newest first */
    conflicts: DoorConflict[];
    /** What `q` found; empty without it */
    orders: ExpectedOrder[];
    /** The cursor of the next page; null on the last page */
    nextCursor: string | null;
};
export type DoorSeat = {
    /** The order and the number of the seat */
    seat: string;
    /** The first 16 bytes of the SHA-256 of the seat’s check-in code, in base64url. The code of a seat changes with its holder */
    hash: string;
    /** The hashes of the seat’s codes by keys that are being replaced, which admit too */
    otherHashes?: string[];
    tierId: string;
    tier: string;
    kind: "ticket" | "addon";
    /** The attendee, or the buyer */
    attendee: string;
    /** The reference of the order */
    reference: string;
    /** `transferred`: valid with the code of its new holder; earlier codes are not */
    status: "valid" | "admitted" | "refunded" | "transferred";
    /** The last admission by the list; null once the holder has gone out */
    admittedAt: string | null;
};
export type Door = {
    event: {
        id: string;
        title: string;
        timezone: string;
        status: "PUBLISHED" | "DRAFT" | "CANCELLED";
        /** When check-in ends; devices then remove the list */
        endsAt: string;
        offlineMode: "ask" | "automatic" | "never";
        checkInLists: CheckInList[];
    };
    seats: DoorSeat[];
    /** Whether the list begins anew: what a device has stored before is no longer complete */
    isFirst: boolean;
    /** Whether this is all. Otherwise ask again with `cursor` for the rest; afterwards, for what has changed */
    isComplete: boolean;
    cursor: string;
};
export type DoorScans = {
    /** The device */
    deviceId: string;
    /** The check-in list of the door; required where the event has lists */
    listId?: string;
    /** Up to 100 admissions, in the order in which they were made */
    scans: {
        /** Identifies the scan of a seat: its repetition has the same result */
        scanId: string;
        /** The order and the number of the seat */
        seat: string;
        /** The first 16 bytes of the SHA-256 of the seat’s check-in code, in base64url. The code of a seat changes with its holder */
        hash: string;
        direction?: "entry" | "exit";
        /** When the device admitted the ticket. The future counts as now, and what is more than a day before the event’s creation as that */
        at: string;
    }[];
};
export type ScanResult = {
    /** Identifies the scan of a seat: its repetition has the same result */
    scanId: string;
    /** `already-admitted`: used elsewhere. `refunded`: or the event is cancelled. `transferred`: the code is a former holder’s. `wrong-list`: not by this list. `unknown`: not a valid ticket of this event. All but `admitted` are listed as conflicts */
    result: "admitted" | "already-admitted" | "refunded" | "transferred" | "wrong-list" | "unknown";
    /** When the seat was admitted, here or elsewhere */
    admittedAt: string | null;
};
export type UndoneAdmission = {
    orderId: string;
    "number": number;
    tierName: string;
    checkedInAt: null;
};
export type TicketWithAdmission = {
    id: string;
    /** Decimal */
    tokenId: string;
    contractAddress: string;
    chainId: number;
    /** The transaction that minted the token */
    txHash: string;
    eventId: string;
    orderId: string;
    /** The wallet that the token was minted to or, after a claim, the wallet that claimed the seat */
    owner: string;
    createdAt: string;
    /** When the token was burned, for a refund or a reissue */
    burnedAt: string | null;
    /** The code of a seat, as its QR code contains it */
    checkInCode: string | null;
    /** After this time, a day after the event’s end, the code is no longer admitted. The time changes with the event’s date; the code stays the same. */
    checkInCodeExpiresAt: string | null;
    /** The code as an SVG image, relative to the address of this API */
    qr: string | null;
    /** When the seat was admitted */
    checkedInAt: string | null;
};
export type Seat = {
    orderId: string;
    /** The number of the seat within the order, from 1 */
    "number": number;
    event: {
        id: string;
        title: string;
        venue: string;
        city: string;
        timezone: string;
        eventDate: string;
        status: "PUBLISHED" | "DRAFT" | "CANCELLED";
        entry: "account" | "token";
        allowTransfers: boolean;
    };
    tier: {
        id: string;
        name: string;
    };
    attendee: {
        name: string;
        email: string | null;
    } | null;
    /** `moved`: the caller bought it, and another account holds it now */
    status: "held" | "offered" | "admitted" | "moved" | "refunded";
    /** The check-in code; absent when the caller may not enter with the seat */
    code?: string;
    /** The path of the code’s SVG image, relative to this API */
    qr?: string;
    token?: {
        chainId: number;
        contractAddress: string;
        /** Decimal */
        tokenId: string;
    };
    /** The caller’s offer of the seat */
    offer?: {
        /** Identifies the offer. The offer’s link contains this token */
        token: string;
        email: string;
        createdAt: string;
    };
    /** When the seat was admitted */
    checkedInAt: string | null;
};
export type CollectionMetadata = {
    name: string;
    description: string;
    /** A drawn image, as a data URI */
    image: string;
    /** The storefront */
    external_link?: string;
};
export type TokenMetadata = {
    name: string;
    description: string;
    /** The event’s own image, or a drawn ticket as a data URI */
    image: string;
    /** The page of the event */
    external_url?: string;
    attributes: {
        trait_type: string;
        display_type?: "date";
        value: string | number;
    }[];
};
export type Transfer = {
    /** Identifies the offer. The offer’s link contains this token */
    token: string;
    orderId: string;
    /** The number of the seat within the order, from 1 */
    "number": number;
    email: string;
    createdAt: string;
};
export type Offer = {
    event: {
        id: string;
        title: string;
        venue: string;
        city: string;
        country: string;
        timezone: string;
        eventDate: string;
        endDate: string;
        imageUrl: string;
        status: "PUBLISHED" | "DRAFT" | "CANCELLED";
    };
    tierName: string;
    /** The name of the person who offers the seat */
    "from": string;
    /** The address that the seat is offered to */
    email: string;
    status: "open" | "accepted";
};
export type QueuePlace = {
    /** Random. The draw is computed from it */
    id: string;
    /** `admitted`: the caller can order until `admittedUntil`. `over`: the caller could have */
    state: "waiting" | "admitted" | "over";
    /** From 1 on; null before the draw */
    "number": number | null;
    /** How long until the turn, at the present rate; null while nobody knows */
    estimatedSeconds: number | null;
    admittedUntil?: string;
};
export type Queue = {
    /** `closed`: not open yet. `open`: people join. `admitting`: people are admitted in the order of their numbers. `paused`: nobody is, for now. `over`: everybody may order */
    state: "closed" | "open" | "admitting" | "paused" | "over";
    opensAt: string;
    drawAt: string;
    until: string;
    /** SHA-256 of the secret seed, in hex; null until the queue opens */
    commitment: string | null;
    /** The seed of the draw, in hex; null before the draw */
    seed: string | null;
    /** The hash of the event’s chain’s first block at or after `drawAt`; empty if no chain answered; null before the draw */
    publicValue: string | null;
    /** The chain and the block; null before the draw */
    publicValueSource: string | null;
    /** The highest number that was admitted; 0 before the draw */
    admittedUpTo: number;
    /** How many people are admitted a minute */
    perMinute: number;
    serverTime: string;
};
export type WaitingListEntry = {
    id: string;
    eventId: string;
    tierId: string;
    quantity: number;
    /** `offered`: take the offer before it expires, by an order with its id as `offerId`. `ordered`: it was taken. `expired`: it was not, or offers are no longer made */
    status: "waiting" | "offered" | "ordered" | "expired" | "left";
    /** The place in the list, from 1 on; 1000 for all places from there on. Null unless `waiting` */
    position: number | null;
    offer: {
        id: string;
        expiresAt: string;
    } | null;
    joinedAt: string;
    updatedAt: string;
};
export type WaitingListMember = {
    id: string;
    tierId: string;
    quantity: number;
    status: "waiting" | "offered";
    name: string;
    email: string;
    offerExpiresAt: string | null;
    joinedAt: string;
};
/**
 * Check that the service answers
 */
export function health(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            ok: true;
        };
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/health", {
        ...opts
    });
}
/**
 * Get this OpenAPI document
 */
export function openapi(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: object;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/openapi.json", {
        ...opts
    });
}
/**
 * Request another e-mail address for the caller’s account
 */
export function requestEmailChange(body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/change-email", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Change the e-mail address with the token of the link that was mailed to it
 */
export function confirmEmailChange(body: {
    /** The token of the link in the mail */
    token: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/change-email/confirm", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Undo a change of the e-mail address with the token of the link that was mailed to the earlier one
 */
export function undoEmailChange(body: {
    /** The token of the link in the mail */
    token: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/change-email/undo", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Confirm the caller’s session
 */
export function confirmSession(body: {
    /** For accounts without a second factor */
    password?: string;
    /** The code of the authenticator app */
    code?: string;
    /** One of the recovery codes; it works once */
    recoveryCode?: string;
    /** What `navigator.credentials.get` returns, as JSON of WebAuthn level 3 */
    response?: {
        /** The id of the credential, in base64url */
        id: string;
        /** The id of the credential, in base64url */
        rawId: string;
        /** The type of the credential */
        "type": "public-key";
        /** Where the authenticator is */
        authenticatorAttachment?: "platform" | "cross-platform";
        /** The results of extensions; the service uses none */
        clientExtensionResults?: {
            [key: string]: any;
        };
        /** The response of the authenticator */
        response: {
            /** Bytes in base64url, as the browser returns them */
            clientDataJSON: string;
            /** Bytes in base64url, as the browser returns them */
            authenticatorData: string;
            /** Bytes in base64url, as the browser returns them */
            signature: string;
            /** Bytes in base64url, as the browser returns them */
            userHandle?: string | null;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/confirm", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Request a link to reset a password
 */
export function forgotPassword(body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/forgot-password", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Log in
 */
export function login(body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
    /** The password of the account */
    password: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token: string;
            user: User;
        } | {
            /** Valid for five minutes */
            challenge: string;
            methods: ("passkey" | "totp" | "recovery-code" | "password")[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/login", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Complete a login with a second factor
 */
export function verifyLogin(body: {
    /** The challenge of `POST /api/auth/login` */
    challenge: string;
    /** The code of the authenticator app */
    code?: string;
    /** One of the recovery codes; it works once */
    recoveryCode?: string;
    /** What `navigator.credentials.get` returns, as JSON of WebAuthn level 3 */
    response?: {
        /** The id of the credential, in base64url */
        id: string;
        /** The id of the credential, in base64url */
        rawId: string;
        /** The type of the credential */
        "type": "public-key";
        /** Where the authenticator is */
        authenticatorAttachment?: "platform" | "cross-platform";
        /** The results of extensions; the service uses none */
        clientExtensionResults?: {
            [key: string]: any;
        };
        /** The response of the authenticator */
        response: {
            /** Bytes in base64url, as the browser returns them */
            clientDataJSON: string;
            /** Bytes in base64url, as the browser returns them */
            authenticatorData: string;
            /** Bytes in base64url, as the browser returns them */
            signature: string;
            /** Bytes in base64url, as the browser returns them */
            userHandle?: string | null;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token: string;
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/login/verify", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Log out of this session or of all sessions
 */
export function logout({ everywhere }: {
    everywhere?: "true" | "false";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/auth/logout${QS.query(QS.explode({
        everywhere
    }))}`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Get the caller’s profile
 */
export function me(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            user: User;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/me", {
        ...opts
    });
}
/**
 * Update the caller’s name or wallet
 */
export function updateMe(body: {
    /** The person’s name, as tickets and mails show it */
    name?: string;
    /** The wallet that tickets are minted to; null removes it */
    walletAddress?: string | null;
    /** The language of mails about the account: `en` or `de`. Default, and for others: unchanged */
    language?: string | null;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/me", oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Add the orders that were bought with the caller’s address to the account
 */
export function attachOrders(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token: string;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/orders", {
        ...opts,
        method: "POST"
    });
}
/**
 * Add a passkey to the caller’s account
 */
export function addPasskey(body: {
    /** A name that tells passkeys apart */
    name?: string;
    /** What `navigator.credentials.create` returns, as JSON of WebAuthn level 3 */
    response: {
        /** The id of the credential, in base64url */
        id: string;
        /** The id of the credential, in base64url */
        rawId: string;
        /** The type of the credential */
        "type": "public-key";
        /** Where the authenticator is */
        authenticatorAttachment?: "platform" | "cross-platform";
        /** The results of extensions; the service uses none */
        clientExtensionResults?: {
            [key: string]: any;
        };
        /** The response of the authenticator */
        response: {
            /** Bytes in base64url, as the browser returns them */
            clientDataJSON: string;
            /** Bytes in base64url, as the browser returns them */
            attestationObject: string;
            /** How a browser reaches the authenticator */
            transports?: string[];
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            passkey: Passkey;
            /** Ten codes, each for one login without the other factors. They are shown once */
            recoveryCodes?: string[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/passkeys", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List the second factors of the caller’s account
 */
export function listPasskeys(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            passkeys: Passkey[];
            /** Whether an authenticator app is active */
            totp: boolean;
            /** How many recovery codes are left */
            recoveryCodes: number;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/passkeys", {
        ...opts
    });
}
/**
 * Log in with a passkey
 */
export function passkeyLogin(body: {
    /** What `navigator.credentials.get` returns, as JSON of WebAuthn level 3 */
    response: {
        /** The id of the credential, in base64url */
        id: string;
        /** The id of the credential, in base64url */
        rawId: string;
        /** The type of the credential */
        "type": "public-key";
        /** Where the authenticator is */
        authenticatorAttachment?: "platform" | "cross-platform";
        /** The results of extensions; the service uses none */
        clientExtensionResults?: {
            [key: string]: any;
        };
        /** The response of the authenticator */
        response: {
            /** Bytes in base64url, as the browser returns them */
            clientDataJSON: string;
            /** Bytes in base64url, as the browser returns them */
            authenticatorData: string;
            /** Bytes in base64url, as the browser returns them */
            signature: string;
            /** Bytes in base64url, as the browser returns them */
            userHandle?: string | null;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token: string;
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/passkeys/login", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Get the options of a login with a passkey, or of a confirmation
 */
export function passkeyLoginOptions({ challenge }: {
    challenge?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** For `navigator.credentials`, as JSON of WebAuthn level 3 */
            options: {
                challenge: string;
                [key: string]: any;
            };
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/auth/passkeys/login/options${QS.query(QS.explode({
        challenge
    }))}`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Get the options of a new passkey
 */
export function passkeyOptions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** For `navigator.credentials`, as JSON of WebAuthn level 3 */
            options: {
                challenge: string;
                [key: string]: any;
            };
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/passkeys/options", {
        ...opts,
        method: "POST"
    });
}
/**
 * Rename a passkey
 */
export function renamePasskey(id: string, body: {
    /** A name that tells passkeys apart */
    name: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            passkey: Passkey;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/auth/passkeys/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Delete a passkey
 */
export function deletePasskey(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/auth/passkeys/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Change the caller’s password
 */
export function changePassword(body: {
    /** The password that the account has now */
    currentPassword: string;
    /** 8 to 72 bytes; one character may take up to 4 */
    password: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/password", oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Get a new access token
 */
export function refreshToken(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token: string;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/refresh-token", {
        ...opts,
        method: "POST"
    });
}
/**
 * Register as a buyer or an organizer
 */
export function register(body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
    /** 8 to 72 bytes; one character may take up to 4 */
    password: string;
    /** The person’s name, as tickets and mails show it */
    name: string;
    /** `USER` buys tickets; `ORGANIZER` also sells them */
    role?: "USER" | "ORGANIZER";
    /** The wallet that tickets are minted to. Without a wallet, they are minted once one is set */
    walletAddress?: string | null;
    /** The language of mails about the account: `en` or `de`. Default, and for others: `en` */
    language?: string | null;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            message: string;
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token: string;
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/register", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Set a new password with the token of a mailed link
 */
export function resetPassword(body: {
    /** The token of the link in the mail */
    token: string;
    /** 8 to 72 bytes; one character may take up to 4 */
    password: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/reset-password", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List the caller’s sessions
 */
export function listSessions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            sessions: Session[];
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/sessions", {
        ...opts
    });
}
/**
 * End all of the caller’s sessions but this one
 */
export function endOtherSessions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/sessions", {
        ...opts,
        method: "DELETE"
    });
}
/**
 * End one of the caller’s sessions
 */
export function endSession(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/auth/sessions/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Begin to set up an authenticator app
 */
export function beginTotp(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The secret in base 32, to type into the app */
            secret: string;
            /** The `otpauth:` address, for a QR code */
            uri: string;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/totp", {
        ...opts,
        method: "POST"
    });
}
/**
 * Remove the authenticator app
 */
export function endTotp(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/totp", {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Activate the authenticator app with one of its codes
 */
export function activateTotp(body: {
    /** The code of the authenticator app */
    code: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Ten codes, each for one login without the other factors. They are shown once */
            recoveryCodes: string[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/totp/activate", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Confirm an e-mail address with the token of a mailed link
 */
export function verifyEmail(body: {
    /** The token of the link in the mail */
    token: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/verify-email", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Mail the caller a link to confirm the e-mail address
 */
export function sendVerification(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            user: User;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/verify-email/send", {
        ...opts,
        method: "POST"
    });
}
/**
 * Unlink the caller’s wallet
 */
export function unlinkWallet(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            user: User;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/wallet", {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Create a message for a wallet to sign
 */
export function createWalletChallenge(body: {
    /** The wallet that will sign the message */
    address: string;
    /** The chain the wallet is connected to */
    chainId: number;
    /** What the signature is for. Default: `link` with an access token, `login` without one */
    purpose?: "login" | "link" | "contract";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** An EIP-4361 message for the wallet to sign, valid for 10 minutes */
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/wallet/challenge", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Link a wallet to the caller’s account, or log in with a linked wallet
 */
export function verifyWallet(body: {
    /** The message of the challenge, unchanged */
    message: string;
    /** The wallet’s signature of the message, in hex */
    signature: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message?: string;
            /** The access token: valid for 15 minutes, sent as `Authorization: Bearer …` */
            token?: string;
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/auth/wallet/verify", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Close an account and erase the person’s data
 */
export function requestErasure(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/users/${encodeURIComponent(id)}/erasure`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Export a user’s personal data
 */
export function exportPerson(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PersonalData;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/users/${encodeURIComponent(id)}/export`, {
        ...opts
    });
}
/**
 * Reset the second factors of a user who has lost them
 */
export function resetFactors(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/users/${encodeURIComponent(id)}/factors`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Set the KYC status of a user
 */
export function setKyc(id: string, body: {
    /** `VERIFIED` allows purchases at events that require it */
    status: "NONE" | "PENDING" | "VERIFIED" | "REJECTED";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            user: User;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/users/${encodeURIComponent(id)}/kyc`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * End all sessions of a user
 */
export function revokeSessions(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/users/${encodeURIComponent(id)}/sessions`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Create an API key
 */
export function createKey(body: {
    /** What the key is for */
    name: string;
    /** What the key may do */
    scopes: ("events:read" | "events:write" | "orders:read" | "orders:refund" | "check-in" | "codes:write" | "waiting-list:read" | "webhooks:write")[];
    /** Limits the key to these events. Others are a 404 */
    eventIds?: string[];
    /** When the key ends. Absent: when it is deleted */
    expiresAt?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            key: ApiKey;
            secret: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/keys", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List the caller’s API keys, newest first
 */
export function listKeys(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            keys: ApiKey[];
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/keys", {
        ...opts
    });
}
/**
 * Delete an API key
 */
export function deleteKey(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/keys/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Create an event
 */
export function createEvent(body: {
    /** Shown to buyers */
    title: string;
    /** Markdown, without HTML. Default: empty */
    description?: string | null;
    /** The name of the place */
    venue: string;
    /** The street address. Default: empty */
    address?: string | null;
    /** The city, a filter of the event list. Default: empty */
    city?: string | null;
    /** The name of the country. Default: empty */
    country?: string | null;
    /** In degrees. Default: null */
    latitude?: number | null;
    /** In degrees. Default: null */
    longitude?: number | null;
    /** The IANA name of the time zone in which the event’s times are shown. Default: UTC */
    timezone?: string | null;
    /** When the event begins (`eventDate` in responses). ISO 8601; UTC without an offset */
    startDate: string;
    /** When the event ends, not before it begins. Default: two hours later */
    endDate?: string | null;
    /** The kind of event. Responses use upper case, `MUSIC` for `concert` and `MEETUP` for `networking`. Default: `other` */
    category?: ("conference" | "concert" | "workshop" | "networking" | "festival" | "sports" | "theater" | "other") | null;
    /** An http, https or ipfs address. Default: none */
    image?: (string) | null;
    /** Alias of `image` */
    imageUrl?: (string) | null;
    /** The ERC-721 contract that mints the tickets. Default: none, and no tokens are minted */
    contractAddress?: string | null;
    /** The EIP-155 id of the contract’s chain. Default: 137 (Polygon) */
    chainId?: number | null;
    /** An http, https or ipfs address of metadata for the tokens. Default: null */
    metadataUri?: string | null;
    /** At most 30 tiers of tickets. Default: one tier `General Admission` from `ticketPrice` and `maxCapacity` */
    tiers?: {
        /** Shown to buyers */
        name: string;
        /** Plain text. Default: empty */
        description?: string | null;
        /** The price of one ticket in the event’s currency, without the fee of 2.5 %; 0 for a free ticket */
        price: number;
        /** The number of tickets. With 0, none are on sale */
        quantity: number;
        /** The maximum number of tickets that one user may hold. Default: 10 */
        maxPerPerson?: number | null;
        /** Whether buyers need a code to see the tier and buy its tickets */
        hidden?: boolean | null;
        /** When the tier’s sale begins. The event’s sale must have begun too. Null: with the event’s sale */
        saleStart?: string | null;
        /** When the tier’s sale ends, unless the event’s sale ends earlier. Null: with the event’s sale */
        saleEnd?: string | null;
        /** `addon`: sold only beside tickets of the same order, such as parking. It has a code at the door, but no token. Fixed. Default: `ticket` */
        kind?: ("ticket" | "addon") | null;
        /** For an add-on: how many an order may have for each of its tickets. Default: 1 */
        perTicket?: number | null;
        /** The minimum number in an order that contains the tier. Default: 1 */
        minPerOrder?: number | null;
        /** The tax that the price includes, in percent. Null: none */
        taxPercent?: number | null;
    }[] | null;
    /** The price in an event without `tiers`. Default: 0 */
    ticketPrice?: number | null;
    /** The number of tickets in an event without `tiers`. Default: 0, none on sale */
    maxCapacity?: number | null;
    /** The currency of all prices. Payment by crypto requires a coin or token of the event’s chain. Default: USD */
    currency?: Currency | null;
    /** When the sale begins. Default: now */
    saleStart?: string | null;
    /** When the sale ends. Default: the end of the event */
    saleEnd?: string | null;
    /** The maximum number of tickets over all tiers. Default: the sum of their quantities */
    totalSupply?: number | null;
    /** The maximum number of tickets over all tiers for one user. Default: the largest `maxPerPerson`; 10 without `tiers` */
    maxPerWallet?: number | null;
    /** Keywords, separated by commas. Default: empty */
    tags?: string | null;
    /** Whether the event is in the public list. Otherwise it is found only by its id. Default: true */
    isPublic?: boolean | null;
    /** Whether holders may transfer their tickets, including the tokens. Default: true */
    allowTransfers?: boolean | null;
    /** Who is admitted: `account` admits the account that holds the seat, `token` the account whose linked wallet owns the seat’s token. `token` requires a contract and `allowTransfers`. Default: `token` where possible. Fixed once tickets are sold or held */
    entry?: ("account" | "token") | null;
    /** Whether buyers need the KYC status `VERIFIED`. Default: false */
    requireKYC?: boolean | null;
    /** Whether the token of a ticket can no longer be transferred once somebody was admitted with it. Applies to admissions from then on. Default: false */
    lockAfterAdmission?: boolean | null;
    /** Default: `PUBLISHED`. Only the organizer and the staff see a `DRAFT` */
    status?: ("PUBLISHED" | "DRAFT" | "CANCELLED") | null;
    /** Who can buy: `accounts`, or `anyone`, who then name themselves with the order. `requireKYC` implies `accounts`. Default: `accounts` */
    buyers?: ("accounts" | "anyone") | null;
    /** Who pays the fee of 2.5 %: `buyer` adds it to the price, `organizer` takes it out of the price. Applies to new orders. Default: `buyer` */
    feePaidBy?: ("buyer" | "organizer") | null;
    /** The language of the event’s mails. Default: `en` */
    language?: ("en" | "de") | null;
    /** Who sells the tickets, as invoices name them. Null: none */
    seller?: {
        /** The name of the person or company */
        name: string;
        /** The postal address */
        address: string;
        /** The tax number. Default: null */
        taxId?: string | null;
    } | null;
    /** Whether the mail with up to ten tickets has them as a PDF file, too. Default: false */
    attachPdf?: boolean | null;
    /** How buyers may return tickets. Null: not at all. An order keeps the policy of its purchase */
    returns?: {
        /** The last moment at which a ticket can be returned, at the latest the end of the event */
        until: string;
        /** What you keep of a ticket’s worth, in percent */
        feePercent: number;
        /** `always`: a returned ticket is refunded at once. `when-resold`: it stays valid until somebody on the waiting list takes it, and is refunded then. It needs `waitingList`, entry by `account`, and a currency that is paid at a gateway */
        mode?: "always" | "when-resold";
    } | null;
    /** Whether people can wait for tickets of sold-out tiers. Default: false. After true, false ends all entries */
    waitingList?: boolean | null;
    /** How people queue for the tickets; null: not at all. Once the queue has opened, only `until` can be changed */
    queue?: {
        /** When people can join */
        opensAt: string;
        /** Who joined before is drawn, who joins later follows. Not before `saleStart`, which is the default */
        drawAt?: string | null;
        /** When everybody may order again. Default: the end of the sale */
        until?: string | null;
        /** How many people are admitted a minute. Default: automatic */
        perMinute?: number | null;
    } | null;
    /** What buyers are asked, at most 20 questions. A list replaces the earlier one; the answers to a removed question stay */
    questions?: {
        /** Absent for a new question */
        id?: string;
        /** The question */
        label: string;
        /** `text` is a line of up to 200 characters, `longtext` has up to 2,000, `date` is a day. Fixed */
        kind: "text" | "longtext" | "choice" | "multiple" | "checkbox" | "date";
        /** Whether it must be answered; a `checkbox` must then be ticked. Default: false */
        required?: boolean | null;
        /** For `choice` and `multiple`: what can be chosen, at least two */
        options?: string[] | null;
        /** The tiers whose buyers are asked. Default: all tickets, but no add-ons */
        tierIds?: string[] | null;
        /** Whether it is asked once for the order, or for each ticket. Fixed. Default: `order` */
        per?: ("order" | "ticket") | null;
    }[] | null;
    /** When required questions have to be answered: with the `order`, or `later`, until the event begins. Default: `order` */
    questionsWhen?: ("order" | "later") | null;
    /** What devices at the door do without network: `ask` whether to go on offline, when a ticket could be used at two gates; do so in `automatic` mode; or `never`. Default: `ask` */
    offlineMode?: ("ask" | "automatic" | "never") | null;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            event: Event;
            /** What keeps buyers from paying for it; mostly empty */
            warnings: string[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/events", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List public events, soonest first
 */
export function listEvents({ limit, cursor, city, category, $from, to, organizerId, staff, q }: {
    limit?: number;
    cursor?: string;
    city?: string;
    category?: string;
    $from?: string;
    to?: string;
    organizerId?: string;
    staff?: "me";
    q?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            events: Event[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events${QS.query(QS.explode({
        limit,
        cursor,
        city,
        category,
        "from": $from,
        to,
        organizerId,
        staff,
        q
    }))}`, {
        ...opts
    });
}
/**
 * Get an event with its tiers and available tickets
 */
export function getEvent(id: string, { code }: {
    code?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            event: Event;
            /** The ways to pay in the event’s currency; empty when all tickets are free */
            paymentMethods: PaymentMethod[];
            /** How many people wait for each tier whose free tickets are for its waiting list */
            waiting: {
                tierId: string;
                /** Up to 1000 */
                people: number;
            }[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}${QS.query(QS.explode({
        code
    }))}`, {
        ...opts
    });
}
/**
 * Update, publish or cancel an event
 */
export function updateEvent(id: string, body: {
    /** Shown to buyers */
    title?: string;
    /** Markdown, without HTML */
    description?: string;
    /** The name of the place */
    venue?: string;
    /** The street address */
    address?: string;
    /** The city, a filter of the event list */
    city?: string;
    /** The name of the country */
    country?: string;
    /** In degrees */
    latitude?: number | null;
    /** In degrees */
    longitude?: number | null;
    /** The IANA name of the time zone in which the event’s times are shown */
    timezone?: string;
    /** When the event begins. ISO 8601; UTC without an offset */
    eventDate?: string;
    /** When the event ends. Without it, the end moves with `eventDate` */
    endDate?: string;
    /** When the sale begins */
    saleStart?: string;
    /** When the sale ends */
    saleEnd?: string;
    /** The maximum number of tickets over all tiers, not less than the tickets sold and held */
    totalSupply?: number;
    /** The price of the only tier. An event with several tiers returns 409 */
    ticketPrice?: number;
    /** The currency of all prices. Fixed once tickets are sold or held */
    currency?: Currency;
    /** The maximum number of tickets over all tiers for one user */
    maxPerWallet?: number;
    /** The ERC-721 contract that mints the tickets; null for none. Fixed once tickets are sold or held */
    contractAddress?: string | null;
    /** The EIP-155 id of the contract’s chain. Fixed once tickets are sold or held */
    chainId?: number;
    /** An http, https or ipfs address; empty for none */
    imageUrl?: string;
    /** An http, https or ipfs address of metadata for the tokens; null for none */
    metadataUri?: string | null;
    /** The kind of event */
    category?: "CONFERENCE" | "MUSIC" | "WORKSHOP" | "MEETUP" | "FESTIVAL" | "SPORTS" | "THEATER" | "OTHER";
    /** Keywords, separated by commas */
    tags?: string;
    /** Whether the event is in the public list. Otherwise it is found only by its id */
    isPublic?: boolean;
    /** Whether holders may transfer their tickets, including the tokens */
    allowTransfers?: boolean;
    /** Who is admitted: `account` admits the account that holds the seat, `token` the account whose linked wallet owns the seat’s token. `token` requires a contract and `allowTransfers`. Default: `token` where possible. Fixed once tickets are sold or held */
    entry?: "account" | "token";
    /** Whether buyers need the KYC status `VERIFIED` */
    requireKYC?: boolean;
    /** Whether the token of a ticket can no longer be transferred once somebody was admitted with it. Applies to admissions from then on */
    lockAfterAdmission?: boolean;
    /** `CANCELLED` is final: it ends sales, fails pending orders and refunds paid ones */
    status?: "PUBLISHED" | "DRAFT" | "CANCELLED";
    /** Who can buy: `accounts`, or `anyone`, who then name themselves with the order. `requireKYC` implies `accounts`. Default: `accounts` */
    buyers?: "accounts" | "anyone";
    /** Who pays the fee of 2.5 %: `buyer` adds it to the price, `organizer` takes it out of the price. Applies to new orders. Default: `buyer` */
    feePaidBy?: "buyer" | "organizer";
    /** The language of the event’s mails. Default: `en` */
    language?: "en" | "de";
    /** Who sells the tickets, as invoices name them. Null: none */
    seller?: {
        /** The name of the person or company */
        name: string;
        /** The postal address */
        address: string;
        /** The tax number. Default: null */
        taxId?: string | null;
    } | null;
    /** Whether the mail with up to ten tickets has them as a PDF file, too. Default: false */
    attachPdf?: boolean;
    /** How buyers may return tickets. Null: not at all. An order keeps the policy of its purchase */
    returns?: {
        /** The last moment at which a ticket can be returned, at the latest the end of the event */
        until: string;
        /** What you keep of a ticket’s worth, in percent */
        feePercent: number;
        /** `always`: a returned ticket is refunded at once. `when-resold`: it stays valid until somebody on the waiting list takes it, and is refunded then. It needs `waitingList`, entry by `account`, and a currency that is paid at a gateway */
        mode?: "always" | "when-resold";
    } | null;
    /** Whether people can wait for tickets of sold-out tiers. Default: false. After true, false ends all entries */
    waitingList?: boolean;
    /** How people queue for the tickets; null: not at all. Once the queue has opened, only `until` can be changed */
    queue?: {
        /** When people can join */
        opensAt: string;
        /** Who joined before is drawn, who joins later follows. Not before `saleStart`, which is the default */
        drawAt?: string | null;
        /** When everybody may order again. Default: the end of the sale */
        until?: string | null;
        /** How many people are admitted a minute. Default: automatic */
        perMinute?: number | null;
    } | null;
    /** What buyers are asked, at most 20 questions. A list replaces the earlier one; the answers to a removed question stay */
    questions?: {
        /** Absent for a new question */
        id?: string;
        /** The question */
        label: string;
        /** `text` is a line of up to 200 characters, `longtext` has up to 2,000, `date` is a day. Fixed */
        kind: "text" | "longtext" | "choice" | "multiple" | "checkbox" | "date";
        /** Whether it must be answered; a `checkbox` must then be ticked. Default: false */
        required?: boolean | null;
        /** For `choice` and `multiple`: what can be chosen, at least two */
        options?: string[] | null;
        /** The tiers whose buyers are asked. Default: all tickets, but no add-ons */
        tierIds?: string[] | null;
        /** Whether it is asked once for the order, or for each ticket. Fixed. Default: `order` */
        per?: ("order" | "ticket") | null;
    }[];
    /** When required questions have to be answered: with the `order`, or `later`, until the event begins. Default: `order` */
    questionsWhen?: "order" | "later";
    /** What devices at the door do without network: `ask` whether to go on offline, when a ticket could be used at two gates; do so in `automatic` mode; or `never`. Default: `ask` */
    offlineMode?: "ask" | "automatic" | "never";
    /** The lists by which tickets are checked in, such as gates, days and areas, at most 20. A list replaces the earlier ones. Default: none, and a ticket is admitted once */
    checkInLists?: {
        /** Absent for a new list */
        id?: string;
        /** Unique in the event */
        name: string;
        /** The tiers that are admitted. Default: all */
        tierIds?: string[] | null;
        /** Whether people who go out, and are scanned then, come in again. Default: false */
        allowExit?: boolean | null;
        /** How often a ticket is admitted: once, or once a day in the event’s time zone. Default: `event` */
        oncePer?: ("event" | "day") | null;
    }[];
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            event: Event;
            /** What keeps buyers from paying for it; mostly empty */
            warnings: string[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Delete an event without orders
 */
export function deleteEvent(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * List the valid tickets of an event with their attendees and answers, or export them as CSV
 */
export function listAttendees(id: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            attendees: Attendee[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/attendees${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Get an event as a calendar file
 */
export function getCalendar(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/calendar`, {
        ...opts
    });
}
/**
 * Copy an event
 */
export function duplicateEvent(id: string, body: {
    /** When the copy begins */
    startDate: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            event: Event;
            /** What keeps buyers from paying for it; mostly empty */
            warnings: string[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/duplicate`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Upload the picture of an event
 */
export function requestPicture(id: string, body: {
    /** The type of the file */
    "type": "image/jpeg" | "image/png" | "image/webp";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: PictureUpload;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/image`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List an event’s orders, newest first, or export them as CSV
 */
export function listEventOrders(id: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            orders: Order[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/orders${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Summarize an event’s sales and earnings per tier
 */
export function summarizeEvent(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            summary: EventSummary;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/summary`, {
        ...opts
    });
}
/**
 * Add a tier to an event
 */
export function addTier(id: string, body: {
    /** Shown to buyers */
    name: string;
    /** Plain text. Default: empty */
    description?: string | null;
    /** The price of one ticket in the event’s currency, without the fee of 2.5 %; 0 for a free ticket */
    price: number;
    /** The number of tickets. With 0, none are on sale */
    quantity: number;
    /** The maximum number of tickets that one user may hold. Default: 10 */
    maxPerPerson?: number | null;
    /** Whether buyers need a code to see the tier and buy its tickets */
    hidden?: boolean | null;
    /** When the tier’s sale begins. The event’s sale must have begun too. Null: with the event’s sale */
    saleStart?: string | null;
    /** When the tier’s sale ends, unless the event’s sale ends earlier. Null: with the event’s sale */
    saleEnd?: string | null;
    /** `addon`: sold only beside tickets of the same order, such as parking. It has a code at the door, but no token. Fixed. Default: `ticket` */
    kind?: ("ticket" | "addon") | null;
    /** For an add-on: how many an order may have for each of its tickets. Default: 1 */
    perTicket?: number | null;
    /** The minimum number in an order that contains the tier. Default: 1 */
    minPerOrder?: number | null;
    /** The tax that the price includes, in percent. Null: none */
    taxPercent?: number | null;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            tier: Tier;
            event: Event;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/tiers`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Update a tier
 */
export function updateTier(id: string, tierId: string, body: {
    /** Shown to buyers */
    name?: string;
    /** Plain text */
    description?: string;
    /** The price of one ticket in the event’s currency, without the fee of 2.5 %. Applies to new orders */
    price?: number;
    /** The number of tickets, not less than the tickets sold and held */
    quantity?: number;
    /** The maximum number of tickets that one user may hold */
    maxPerPerson?: number;
    /** Whether buyers need a code to see the tier and buy its tickets */
    hidden?: boolean;
    /** When the tier’s sale begins. The event’s sale must have begun too. Null: with the event’s sale */
    saleStart?: string | null;
    /** When the tier’s sale ends, unless the event’s sale ends earlier. Null: with the event’s sale */
    saleEnd?: string | null;
    /** Fixed: another kind than the tier has returns 409 */
    kind?: "ticket" | "addon";
    /** For an add-on: how many an order may have for each of its tickets. Default: 1 */
    perTicket?: number;
    /** The minimum number in an order that contains the tier. Default: 1 */
    minPerOrder?: number;
    /** The tax that the price includes, in percent. Null: none */
    taxPercent?: number | null;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            tier: Tier;
            event: Event;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/tiers/${encodeURIComponent(tierId)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Get the uploaded picture of an event, or the logo of an organizer
 */
export function getPicture(id: string, upload: string, width: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/pictures/${encodeURIComponent(id)}/${encodeURIComponent(upload)}/${encodeURIComponent(width)}`, {
        ...opts
    });
}
/**
 * Create a discount or access code for an event
 */
export function createCode(id: string, body: {
    /** Case does not matter */
    code: string;
    /** `percent` and `amount` reduce the price of the order, `price` sets the price of each ticket, `access` only reveals hidden tiers */
    kind: "percent" | "amount" | "price" | "access";
    /** For `percent`: the percentage, with up to two decimals. For `amount`: the discount on the order. For `price`: the price of a ticket. Not used for `access` */
    value?: number | null;
    /** The tiers that the code is valid for. The code reveals those of them that are hidden. Empty or absent: valid for all tiers, but only an `access` code reveals hidden ones */
    tierIds?: string[] | null;
    /** The maximum number of orders that use the code. Absent: no maximum. Orders are counted only while `maxUses` or `budget` is set, so a limit that is set later does not include earlier orders */
    maxUses?: number | null;
    /** The maximum number of orders of one user that use the code. Absent: no maximum */
    maxPerUser?: number | null;
    /** The maximum discount over all orders, in the event’s currency. Absent: no maximum */
    budget?: number | null;
    /** When the code becomes valid. Default: at once */
    validFrom?: string | null;
    /** When the code stops being valid. Absent: never */
    validUntil?: string | null;
    /** Whether buyers can use the code. Default: true */
    active?: boolean | null;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            code: Code;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/codes`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List an event’s codes and their uses, in alphabetical order
 */
export function listCodes(id: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            codes: Code[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/codes${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Update a code
 */
export function updateCode(id: string, code: string, body: {
    /** For `percent`: the percentage, with up to two decimals. For `amount`: the discount on the order. For `price`: the price of a ticket. Not used for `access` */
    value?: number | null;
    /** The tiers that the code is valid for. The code reveals those of them that are hidden. Empty or absent: valid for all tiers, but only an `access` code reveals hidden ones */
    tierIds?: string[] | null;
    /** The maximum number of orders that use the code. Absent: no maximum. Orders are counted only while `maxUses` or `budget` is set, so a limit that is set later does not include earlier orders */
    maxUses?: number | null;
    /** The maximum number of orders of one user that use the code. Absent: no maximum */
    maxPerUser?: number | null;
    /** The maximum discount over all orders, in the event’s currency. Absent: no maximum */
    budget?: number | null;
    /** When the code becomes valid. Default: at once */
    validFrom?: string | null;
    /** When the code stops being valid. Absent: never */
    validUntil?: string | null;
    /** Whether buyers can use the code. Default: true */
    active?: boolean | null;
    /** `percent` and `amount` reduce the price of the order, `price` sets the price of each ticket, `access` only reveals hidden tiers */
    kind?: "percent" | "amount" | "price" | "access";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            code: Code;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/codes/${encodeURIComponent(code)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Delete an unused code, or deactivate a used one
 */
export function deleteCode(id: string, code: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            code: Code;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/codes/${encodeURIComponent(code)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Add a person to the staff of an event, or change their role
 */
export function addStaff(id: string, body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
    /** `door` checks tickets in, sees the attendance and searches paid orders; `manager` does everything but payouts, staff, the audit trail and deletion */
    role: "manager" | "door";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            member: StaffMember;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/staff`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List the staff of an event
 */
export function listStaff(id: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            staff: StaffMember[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/staff${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Remove a user from the staff of an event
 */
export function removeStaff(id: string, body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/staff`, oazapfts.json({
        ...opts,
        method: "DELETE",
        body
    }));
}
/**
 * List the platform’s audit trail, newest first
 */
export function listAudit({ limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            entries: AuditEntry[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/audit${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * List an event’s audit trail, newest first
 */
export function listEventAudit(id: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            entries: AuditEntry[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/audit${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Prove that the caller administers a ticket contract
 */
export function verifyContract(body: {
    /** The message of the challenge, unchanged */
    message: string;
    /** The wallet’s signature of the message, in hex */
    signature: string;
    /** The EIP-155 id of the contract’s chain */
    chainId: number;
    /** The address of the contract */
    address: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            contract: ContractBinding;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/contracts/verify", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Permit an organizer to mint on a contract
 */
export function linkContract(chainId: number, address: string, body: {
    /** The organizer who may use the contract */
    organizerId: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            contract: ContractBinding;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/contracts/${encodeURIComponent(chainId)}/${encodeURIComponent(address)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Revoke an organizer’s permission to mint on a contract
 */
export function unlinkContract(chainId: number, address: string, organizerId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/contracts/${encodeURIComponent(chainId)}/${encodeURIComponent(address)}${QS.query(QS.explode({
        organizerId
    }))}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Quote the current price of tickets, with the discount of a code
 */
export function quoteOrder(id: string, body: {
    /** The id of one of the event’s tiers */
    tierId?: string;
    /** The number of tickets, within the limits of the tier and the event */
    quantity?: number;
    /** Tickets of several tiers, at most 10, in place of `tierId` and `quantity`. All are reserved, or none */
    items?: {
        /** The id of one of the event’s tiers */
        tierId: string;
        /** The number of tickets, within the limits of the tier and the event */
        quantity: number;
    }[];
    /** A discount or access code. It is redeemed when the order is placed */
    code?: string | null;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The full price of the tickets */
            subtotal: number;
            /** The discount of the code */
            discount: number;
            /** 2.5 % of the subtotal after the discount */
            fee: number;
            /** What the buyer would pay */
            total: number;
            /** The tickets by tier; add-ons come last */
            items: OrderItem[];
            currency: Currency;
            /** The ways to pay this total; empty when there is nothing to pay */
            paymentMethods: PaymentMethod[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/quote`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List the caller’s orders, newest first
 */
export function listOrders({ limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            orders: Order[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Request links to the orders of an address
 */
export function requestAccess(body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/orders/access", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Create an order: hold tickets and start the payment
 */
export function initializeOrder(body: {
    /** The id of the event */
    eventId: string;
    /** The id of one of the event’s tiers */
    tierId?: string;
    /** The number of tickets, within the limits of the tier and the event */
    quantity?: number;
    /** Tickets of several tiers, at most 10, in place of `tierId` and `quantity`. All are reserved, or none */
    items?: {
        /** The id of one of the event’s tiers */
        tierId: string;
        /** The number of tickets, within the limits of the tier and the event */
        quantity: number;
    }[];
    /** `FIAT`: at a gateway. `CRYPTO`: by a transaction on the event’s chain. A free order completes at once with either */
    paymentMethod: "CRYPTO" | "FIAT";
    /** For `FIAT`. Default: the service’s own default. Ignored for `CRYPTO` */
    gateway?: ("gateway-a" | "gateway-b" | "gateway-c") | null;
    /** Where the mail with the tickets goes. Default: the account’s address */
    customerEmail?: string | null;
    /** The buyer’s name on the order. Default: the account’s name */
    customerName?: string | null;
    /** A discount or access code. It is redeemed when the order is placed */
    code?: string | null;
    /** The offer of the waiting list that the order takes. It may order fewer tickets than offered, and add-ons */
    offerId?: string | null;
    /** The answers to the event’s questions */
    answers?: {
        /** The id of a question of the event */
        questionId: string;
        /** The number of the ticket, for questions per ticket */
        "number"?: number;
        /** Text, the chosen options, or whether it is ticked. A day is `YYYY-MM-DD` */
        value: string | string[] | boolean;
    }[] | null;
    /** The language of the order’s mails: `en` or `de`. Default, and for others: the event’s */
    language?: string | null;
    /** The buyer, for a request without an access token. The event has to sell to `anyone` */
    customer?: {
        /** Where the tickets and the link to the order go */
        email: string;
        /** The buyer’s name on the order */
        name: string;
        /** The wallet that the tickets are minted to. It can be set later */
        walletAddress?: string | null;
    } | null;
}, { idempotencyKey, xQueueTicket }: {
    idempotencyKey?: string;
    xQueueTicket?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            ok: true;
            orderId: string;
            reference: string;
            /** The address of the checkout */
            checkoutUrl?: string;
            payment?: CryptoPayment;
            /** In major units of the currency, with as many decimals as it has */
            totalAmount: number;
            /** The discount of the code */
            discount?: number;
            currency: Currency;
            paymentStatus: "PENDING" | "COMPLETED" | "FAILED";
            expiresAt: string;
            /** For a guest: opens the order, as `Authorization: Order …`. It belongs into the fragment of a link */
            accessToken?: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 410;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 502;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/orders/initialize", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey,
            "x-queue-ticket": xQueueTicket
        })
    }));
}
/**
 * Get an order, with check-in codes for its buyer
 */
export function getOrder(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: OrderWithAdmissions;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Change answers to the event’s questions
 */
export function changeAnswers(id: string, body: {
    /** The changed answers */
    answers: {
        /** The id of a question of the event */
        questionId: string;
        /** The number of the ticket, for questions per ticket */
        "number"?: number;
        /** Text, the chosen options, or whether it is ticked. A day is `YYYY-MM-DD` */
        value: string | string[] | boolean;
    }[];
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/answers`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Cancel an order before it is paid
 */
export function cancelOrder(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/cancel`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Confirm the payment of a crypto order by its transaction
 */
export function confirmOrder(id: string, body: {
    /** The hash of the transaction that pays the order */
    txHash: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/confirm`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Retry minting an order’s tickets, e.g. once the buyer has a wallet
 */
export function fulfilOrder(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/fulfil`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Print the invoice of an order
 */
export function printInvoice(id: string, { paper, refund }: {
    paper?: "a4" | "letter";
    refund?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchBlob<{
        status: 200;
        data: Blob;
    } | {
        status: 400;
        data: Blob;
    } | {
        status: 401;
        data: Blob;
    } | {
        status: 403;
        data: Blob;
    } | {
        status: 404;
        data: Blob;
    } | {
        status: 409;
        data: Blob;
    } | {
        status: 500;
        data: Blob;
    } | {
        status: 503;
        data: Blob;
    }>(`/api/orders/${encodeURIComponent(id)}/invoice.pdf${QS.query(QS.explode({
        paper,
        refund
    }))}`, {
        ...opts
    });
}
/**
 * Refund an order, some of its seats, or an amount
 */
export function refundOrder(id: string, body?: {
    /** The numbers of the seats to refund */
    seats?: number[];
    /** Money without seats, in the currency of the order: all seats stay valid */
    amount?: number | string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/refund`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Mint the tickets of an order again to another wallet
 */
export function reissueOrder(id: string, body: {
    /** The wallet that the tickets are minted to again */
    walletAddress: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/reissue`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Return tickets for a refund
 */
export function returnSeats(id: string, body: {
    /** The numbers of the seats to return */
    seats: number[];
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            "return": Return;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/returns`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Tell what a return of tickets gives back
 */
export function quoteReturn(id: string, seats: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            quote: ReturnQuote;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/returns/quote${QS.query(QS.explode({
        seats
    }))}`, {
        ...opts
    });
}
/**
 * Keep tickets that are listed for the waiting list
 */
export function endReturn(id: string, returnId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            openReturns: OpenReturn[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/returns/${encodeURIComponent(returnId)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Mail the tickets of an order again
 */
export function sendTickets(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/send`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Print the tickets of an order
 */
export function printTickets(id: string, { paper, page }: {
    paper?: "a4" | "letter";
    page?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchBlob<{
        status: 200;
        data: Blob;
    } | {
        status: 400;
        data: Blob;
    } | {
        status: 401;
        data: Blob;
    } | {
        status: 403;
        data: Blob;
    } | {
        status: 404;
        data: Blob;
    } | {
        status: 409;
        data: Blob;
    } | {
        status: 500;
        data: Blob;
    } | {
        status: 503;
        data: Blob;
    }>(`/api/orders/${encodeURIComponent(id)}/tickets.pdf${QS.query(QS.explode({
        paper,
        page
    }))}`, {
        ...opts
    });
}
/**
 * Set the wallet that an order’s tickets are minted to
 */
export function setWallet(id: string, body: {
    /** The wallet that gets the tickets */
    walletAddress: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            order: Order;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/wallet`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Receive gateway-a payment events
 */
export function gatewayA(body: {
    /** The kind of event */
    event: string;
    /** The payment or the transfer */
    data: {
        /** The gateway’s id */
        id: number | string;
        /** Our reference */
        reference: string;
        /** In subunits */
        amount?: number;
        /** ISO 4217 */
        currency?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            ok: true;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/api/webhooks/gateway-a", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Receive gateway-b payment events
 */
export function gatewayB(body: {
    /** The kind of event */
    event: string;
    /** The payment or the transfer */
    data: {
        /** The gateway’s id */
        id: number | string;
        /** The outcome */
        status: string;
        /** Our reference of a payment */
        tx_ref?: string;
        /** The gateway’s id of a refunded payment */
        TransactionId?: number | string;
        /** Our reference of a transfer */
        reference?: string;
        /** In major units */
        amount?: number;
        /** ISO 4217 */
        currency?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            ok: true;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/api/webhooks/gateway-b", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Receive gateway-c payment events
 */
export function gatewayC(body: {
    /** The kind of event */
    "type": string;
    /** What the event is about */
    data: {
        /** The Checkout Session, charge or dispute */
        "object": {
            /** Our reference */
            client_reference_id: string;
            /** The gateway’s id of the payment */
            payment_intent?: string | null;
            /** `paid` and `no_payment_required` complete the order */
            payment_status?: string;
            /** In subunits */
            amount_total?: number;
            /** ISO 4217, in lower case */
            currency?: string;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            ok: true;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/api/webhooks/gateway-c", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List what webhooks reported, oldest first
 */
export function listOccurrences({ limit, after }: {
    limit?: number;
    after?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            occurrences: Occurrence[];
            /** Whether there are no others yet */
            isComplete: boolean;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/occurrences${QS.query(QS.explode({
        limit,
        after
    }))}`, {
        ...opts
    });
}
/**
 * Create a webhook endpoint
 */
export function createEndpoint(body: {
    /** An `https` address, without a user name and a password */
    url: string;
    /** What is sent */
    types: ("order.completed" | "order.refunded" | "order.failed" | "ticket.minted" | "ticket.transferred" | "ticket.checked_in" | "event.updated" | "event.cancelled" | "waiting_list.offered" | "payout.completed" | "payout.failed")[];
    /** Limits it to these events */
    eventIds?: string[];
    /** A note for its owner */
    description?: string;
    /** Adds the order or the payout to messages about them, as the API shows it */
    expand?: boolean;
    /** `false` sends nothing */
    enabled?: boolean;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            endpoint: WebhookEndpoint;
            secret: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/webhook-endpoints", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List the caller’s webhook endpoints
 */
export function listEndpoints(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            endpoints: WebhookEndpoint[];
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/webhook-endpoints", {
        ...opts
    });
}
/**
 * Replace the fields of a webhook endpoint
 */
export function updateEndpoint(id: string, body: {
    /** An `https` address, without a user name and a password */
    url: string;
    /** What is sent */
    types: ("order.completed" | "order.refunded" | "order.failed" | "ticket.minted" | "ticket.transferred" | "ticket.checked_in" | "event.updated" | "event.cancelled" | "waiting_list.offered" | "payout.completed" | "payout.failed")[];
    /** Limits it to these events */
    eventIds?: string[];
    /** A note for its owner */
    description?: string;
    /** Adds the order or the payout to messages about them, as the API shows it */
    expand?: boolean;
    /** `false` sends nothing */
    enabled?: boolean;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            endpoint: WebhookEndpoint;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/webhook-endpoints/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Delete a webhook endpoint
 */
export function deleteEndpoint(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/webhook-endpoints/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * List the deliveries to a webhook endpoint, newest first
 */
export function listDeliveries(id: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            deliveries: WebhookDelivery[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/webhook-endpoints/${encodeURIComponent(id)}/deliveries${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Send a message to a webhook endpoint again
 */
export function retryDelivery(id: string, deliveryId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: {
            delivery: WebhookDelivery;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/webhook-endpoints/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Replace the secret of a webhook endpoint
 */
export function rotateSecret(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            endpoint: WebhookEndpoint;
            secret: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/webhook-endpoints/${encodeURIComponent(id)}/rotate`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Send a test to a webhook endpoint
 */
export function sendTest(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: {
            delivery: WebhookDelivery;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/webhook-endpoints/${encodeURIComponent(id)}/test`, {
        ...opts,
        method: "POST"
    });
}
/**
 * List the banks that a gateway pays out to
 */
export function listBanks(gateway: "gateway-a" | "gateway-b" | "gateway-c", currency: Currency, { country }: {
    country?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            banks: Bank[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 502;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/banks${QS.query(QS.explode({
        gateway,
        currency,
        country
    }))}`, {
        ...opts
    });
}
/**
 * Get the caller’s balance per currency, and the gateways that pay it out
 */
export function getBalance(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            balances: Balance[];
            payoutGateways: PayoutGateway[];
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/organizer/balance", {
        ...opts
    });
}
/**
 * Request a payout to a bank account
 */
export function requestPayout(body: {
    /** In major units of the currency, at most the available balance in it */
    amount: number;
    /** A currency that the gateway pays out, and in which the caller has a balance */
    currency: Currency;
    /** The gateway that sends the money */
    gateway: "gateway-a" | "gateway-b";
    /** The bank account; responses show the last four characters of its number */
    destination?: {
        /** As the bank writes it, without spaces */
        accountNumber: string;
        /** The bank’s code at this gateway: see `GET /api/banks` */
        bankCode: string;
        /** The name of the account’s owner */
        accountName: string;
    };
    /** Instead of `destination`: the id of an earlier payout at this gateway, to the same account */
    sameAccountAs?: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            payout: Payout;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/payouts", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List the caller’s payouts, newest first
 */
export function listPayouts({ limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            payouts: Payout[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/payouts${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Stop the payouts to a new bank account with the token of a mailed link
 */
export function stopPayouts(body: {
    /** The token of the link in the mail */
    token: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/payouts/stop", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Check in a ticket without its code
 */
export function admitSeat(id: string, body: {
    /** The id of the order */
    orderId: string;
    /** The number of the seat within the order, from 1 */
    "number": number;
    /** Identifies this scan. When the response was lost, repeat the scan with the same id to get the same response */
    scanId?: string;
    /** The device that scans, so that conflicts of offline scans can name it */
    deviceId?: string;
    /** The check-in list of the door; required where the event has lists */
    listId?: string;
    /** `exit`: out, to come in again later. Only with a list that allows it */
    direction?: "entry" | "exit";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            checkIn: CheckIn;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/admissions`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Count an event’s admissions, and find its paid orders
 */
export function listAdmissions(id: string, { limit, cursor, q }: {
    limit?: number;
    cursor?: string;
    q?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Attendance;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/admissions${QS.query(QS.explode({
        limit,
        cursor,
        q
    }))}`, {
        ...opts
    });
}
/**
 * List the seats of an event for a device at the door, which can then admit them without network
 */
export function listDoor(id: string, { listId, cursor }: {
    listId?: string;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Door;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/door${QS.query(QS.explode({
        listId,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Upload the admissions that a device made without network
 */
export function uploadScans(id: string, doorScans: DoorScans, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            results: ScanResult[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/door/scans`, oazapfts.json({
        ...opts,
        method: "POST",
        body: doorScans
    }));
}
/**
 * Undo the admission of a seat
 */
export function undoAdmission(id: string, $number: number, { checkedInAt }: {
    checkedInAt?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            seat: UndoneAdmission;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/seats/${encodeURIComponent($number)}/admission${QS.query(QS.explode({
        checkedInAt
    }))}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * List the caller’s tickets, newest first
 */
export function listTickets({ limit, cursor, orderId, eventId }: {
    limit?: number;
    cursor?: string;
    orderId?: string;
    eventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            tickets: TicketWithAdmission[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/tickets${QS.query(QS.explode({
        limit,
        cursor,
        orderId,
        eventId
    }))}`, {
        ...opts
    });
}
/**
 * Check in a ticket
 */
export function checkIn(body: {
    /** The code of a seat, as its QR code contains it */
    code: string;
    /** The event at whose door the code is scanned; the codes of other events are refused */
    eventId?: string;
    /** Identifies this scan. When the response was lost, repeat the scan with the same id to get the same response */
    scanId?: string;
    /** The device that scans, so that conflicts of offline scans can name it */
    deviceId?: string;
    /** The check-in list of the door; required where the event has lists */
    listId?: string;
    /** `exit`: out, to come in again later. Only with a list that allows it */
    direction?: "entry" | "exit";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            checkIn: CheckIn;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/tickets/check-in", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Claim the seat of a token
 */
export function claimTicket(body: {
    /** The EIP-155 id of the contract’s chain */
    chainId: number;
    /** The contract that minted the ticket */
    contractAddress: string;
    /** The id of the token, in decimal */
    tokenId: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            seat: Seat;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/tickets/claim", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Draw a check-in code as a QR code
 */
export function drawQrCode(code: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/tickets/qr/${encodeURIComponent(code)}`, {
        ...opts
    });
}
/**
 * Get the metadata of a ticket contract
 */
export function getCollectionMetadata(chainId: number, contract: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CollectionMetadata;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/tokens/${encodeURIComponent(chainId)}/${encodeURIComponent(contract)}`, {
        ...opts
    });
}
/**
 * Get the metadata of a token
 */
export function getTokenMetadata(chainId: number, contract: string, tokenId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TokenMetadata;
    } | {
        status: 307;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/tokens/${encodeURIComponent(chainId)}/${encodeURIComponent(contract)}/${encodeURIComponent(tokenId)}`, {
        ...opts
    });
}
/**
 * Name the attendee of a seat
 */
export function nameAttendee(id: string, $number: number, body: {
    /** Who will use the ticket */
    name: string;
    /** The attendee’s e-mail address. Absent or null: none */
    email?: string | null;
    /** Answers to the questions for this ticket, until the event begins */
    answers?: {
        /** The id of a question of the event */
        questionId: string;
        /** Text, the chosen options, or whether it is ticked. A day is `YYYY-MM-DD` */
        value: string | string[] | boolean;
    }[];
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            seat: Seat;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/seats/${encodeURIComponent($number)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Make the link that saves a seat to Google Wallet
 */
export function makeGoogleLink(id: string, $number: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The address that saves the ticket to Google Wallet */
            saveUrl: string;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/seats/${encodeURIComponent($number)}/google-wallet`, {
        ...opts
    });
}
/**
 * Make the Apple Wallet pass of a seat
 */
export function makeApplePass(id: string, $number: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchBlob<{
        status: 200;
        data: Blob;
    } | {
        status: 400;
        data: Blob;
    } | {
        status: 401;
        data: Blob;
    } | {
        status: 403;
        data: Blob;
    } | {
        status: 404;
        data: Blob;
    } | {
        status: 409;
        data: Blob;
    } | {
        status: 500;
        data: Blob;
    } | {
        status: 503;
        data: Blob;
    }>(`/api/orders/${encodeURIComponent(id)}/seats/${encodeURIComponent($number)}/pass.pkpass`, {
        ...opts
    });
}
/**
 * Print the ticket of a seat
 */
export function printTicket(id: string, $number: number, { paper }: {
    paper?: "a4" | "letter";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchBlob<{
        status: 200;
        data: Blob;
    } | {
        status: 400;
        data: Blob;
    } | {
        status: 401;
        data: Blob;
    } | {
        status: 403;
        data: Blob;
    } | {
        status: 404;
        data: Blob;
    } | {
        status: 409;
        data: Blob;
    } | {
        status: 500;
        data: Blob;
    } | {
        status: 503;
        data: Blob;
    }>(`/api/orders/${encodeURIComponent(id)}/seats/${encodeURIComponent($number)}/ticket.pdf${QS.query(QS.explode({
        paper
    }))}`, {
        ...opts
    });
}
/**
 * Offer a seat to another account
 */
export function offerSeat(id: string, $number: number, body: {
    /** An e-mail address. Stored without surrounding space and in lower case */
    email: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            transfer: Transfer;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/orders/${encodeURIComponent(id)}/seats/${encodeURIComponent($number)}/transfer`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List the caller’s seats, newest order first
 */
export function listSeats({ limit, cursor, orderId, eventId, received }: {
    limit?: number;
    cursor?: string;
    orderId?: string;
    eventId?: string;
    received?: "true" | "false";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            seats: Seat[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/seats${QS.query(QS.explode({
        limit,
        cursor,
        orderId,
        eventId,
        received
    }))}`, {
        ...opts
    });
}
/**
 * Show the offer of a seat
 */
export function showOffer(token: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            offer: Offer;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/transfers/${encodeURIComponent(token)}`, {
        ...opts
    });
}
/**
 * Withdraw the offer of a seat
 */
export function withdrawTransfer(token: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            seat: Seat;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/transfers/${encodeURIComponent(token)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Accept the transfer of a seat
 */
export function acceptTransfer(token: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            seat: Seat;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/transfers/${encodeURIComponent(token)}/accept`, {
        ...opts,
        method: "POST"
    });
}
/**
 * List the caller’s notifications, newest first
 */
export function listNotifications({ limit, cursor, unread }: {
    limit?: number;
    cursor?: string;
    unread?: "true" | "false";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            notifications: Notification[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/notifications${QS.query(QS.explode({
        limit,
        cursor,
        unread
    }))}`, {
        ...opts
    });
}
/**
 * Mark all notifications as read
 */
export function readAllNotifications(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The number of notifications that were unread */
            updated: number;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/notifications/read-all", {
        ...opts,
        method: "POST"
    });
}
/**
 * Mark a notification as read
 */
export function readNotification(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            notification: Notification;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/notifications/${encodeURIComponent(id)}/read`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Join the queue of an event, or show the caller’s place in it
 */
export function joinQueue(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            place: QueuePlace;
            /** For the header `x-queue-ticket` of an order */
            ticket: string;
            /** When to read the state of the queue again */
            pollSeconds: number;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/queue`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Get the state of an event’s queue
 */
export function getQueue(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Queue;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/queue`, {
        ...opts
    });
}
/**
 * Pause the admission from an event’s queue, or change its rate
 */
export function controlQueue(id: string, body: {
    /** How many people are admitted a minute; null: automatic */
    perMinute?: number | null;
    /** Whether nobody is admitted */
    paused?: boolean;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Queue;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/queue`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Get the draw of an event’s queue, to check it
 */
export function getDraw(id: string, { page }: {
    page?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** SHA-256 of the seed, in hex, as of its bytes */
            commitment: string;
            /** 32 bytes in hex */
            seed: string;
            /** The hash of the event’s chain’s first block at or after `drawAt`, in hex without 0x. Empty if no chain answered */
            publicValue: string;
            /** The chain and the block */
            publicValueSource: string;
            /** The number of places that were drawn */
            count: number;
            /** The number of pages */
            pages: number;
            /** The places of this page, in the order of their numbers */
            places: {
                id: string;
                "number": number;
            }[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/queue/draw${QS.query(QS.explode({
        page
    }))}`, {
        ...opts
    });
}
/**
 * Join the waiting list of a tier
 */
export function joinWaitingList(id: string, body: {
    /** The id of one of the event’s tiers */
    tierId: string;
    /** How many tickets to wait for, all at once */
    quantity: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            entry: WaitingListEntry;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/waiting-list`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * List who waits for tickets of an event, or export them as CSV
 */
export function listWaitingList(id: string, { limit, cursor }: {
    limit?: number;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            tiers: {
                tierId: string;
                /** The number of people who wait, up to 1000 */
                waiting: number;
                /** The number of open offers */
                offers: number;
                /** The number of tickets that they hold */
                offeredTickets: number;
            }[];
            entries: WaitingListMember[];
            /** The cursor of the next page; null on the last page */
            nextCursor: string | null;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/events/${encodeURIComponent(id)}/waiting-list${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Get the caller’s page
 */
export function getOwnPage(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            organizer: OrganizerPage;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/organizer/page", {
        ...opts
    });
}
/**
 * Create or replace the caller’s page
 */
export function replacePage(body: {
    /** The end of the page’s address, `/o/<slug>` */
    slug: string;
    /** Shown to buyers */
    name: string;
    /** Markdown, without HTML. Default: empty */
    about?: string;
    /** An e-mail address, or an https address */
    contact?: string | null;
    /** The color of buttons, tickets and passes, `#rrggbb`. Every color is allowed: text on it is black or white, whichever has more contrast */
    accent?: string | null;
    /** The https address of a picture, shown with the name */
    logoUrl?: string | null;
    /** The family of letters of the page and of its events. Default: the shop’s */
    font?: ("sans" | "serif" | "rounded" | "mono") | null;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            organizer: OrganizerPage;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/organizer/page", oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Delete the caller’s page
 */
export function deletePage(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            message: string;
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/organizer/page", {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Upload the logo of the caller’s page
 */
export function requestLogo(body: {
    /** The type of the file */
    "type": "image/jpeg" | "image/png" | "image/webp";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: PictureUpload;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/organizer/page/logo", oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Get an organizer’s page
 */
export function getPage(slug: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            organizer: OrganizerPage;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/organizers/${encodeURIComponent(slug)}`, {
        ...opts
    });
}
/**
 * List the caller’s places in waiting lists, newest first
 */
export function listOwnEntries(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            entries: WaitingListEntry[];
        };
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/api/waiting-list", {
        ...opts
    });
}
/**
 * Leave a waiting list, or decline its offer
 */
export function leaveWaitingList(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            entry: WaitingListEntry;
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/api/waiting-list/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
