/** The texts of orders and tickets, for buyers, and the states of orders for organizers, too. */
export const orders = {
  failures: {
    expired: {
      label: 'Not paid in time',
      heading: 'The time to pay is over',
      explanation:
        'Your tickets are on sale again, and you can order again. If you paid anyway, you get the tickets if enough are left and the event is not over, or your money back.',
      organizer: 'The buyer did not pay in time. The tickets are on sale again.',
    },
    cancelled: {
      label: 'Cancelled by the buyer',
      heading: 'You cancelled this order',
      explanation:
        'The tickets are on sale again. Please do not pay for this order any more: a payment that still arrives gets you the tickets only if they are sold at this price then, and is sent back otherwise.',
      organizer: 'The buyer cancelled the order before paying. The tickets are on sale again.',
    },
    'payment-failed': {
      label: 'Payment declined',
      heading: 'Your payment was declined',
      explanation:
        'Nothing was charged, and the tickets are on sale again. You can order again, and pay in another way.',
      organizer: 'The payment was declined. The tickets are on sale again.',
    },
    'gateway-failed': {
      label: 'Payment not started',
      heading: 'The payment could not be started',
      explanation:
        'The payment provider did not respond. Nothing was charged, and the tickets are on sale again. Please order again, or pay in another way.',
      organizer: 'The payment provider did not respond. The tickets are on sale again.',
    },
    'event-cancelled': {
      label: 'Event cancelled, not paid',
      heading: 'The event was cancelled',
      explanation:
        'This order was not paid, so there is nothing to refund. A payment that arrives later is sent back.',
      organizer: 'You cancelled the event before the buyer paid.',
    },
    'listing-ended': {
      label: 'Tickets kept by their holder',
      heading: 'These tickets are no longer for sale',
      explanation:
        'Their holder wanted to return them, and has kept them. If you have paid, you get other tickets if enough are left, or your money back.',
      organizer: 'The holder of the returned tickets has kept them before the buyer paid.',
    },
    unknown: {
      label: 'Not paid',
      heading: 'This order was not paid',
      explanation: 'The tickets are on sale again, and you can order again.',
      organizer: 'The order was not paid. The tickets are on sale again.',
    },
  },
  pending: {
    waiting: {
      label: 'Waiting for payment',
      heading: 'Waiting for your payment',
      explanation: 'This page changes by itself as soon as the payment provider has confirmed the payment.',
      organizer: 'The buyer has not paid yet. The tickets are held for them meanwhile.',
    },
    confirming: {
      label: 'Payment being confirmed',
      heading: 'Waiting for your payment',
      explanation:
        'Your order is complete as soon as your transaction is final on the chain. Please do not pay again.',
      organizer: 'The buyer has sent a payment, which is not final on the chain yet.',
    },
    declined: {
      label: 'Payment declined, can be tried again',
      heading: 'Your payment was declined',
      explanation:
        'Nothing was charged. Your tickets stay reserved until the time below: go to the payment and try again, for example with another card.',
      organizer: 'The payment was declined. The tickets are held for the buyer, who can try again.',
    },
    cancelled: {
      label: 'Event cancelled, not paid',
      heading: 'The event was cancelled',
      explanation: 'Please do not pay for this order any more. A payment that still arrives is sent back.',
      organizer: 'You cancelled the event before the buyer paid.',
    },
    payFromWallet:
      'Pay from your wallet as shown below. This page changes by itself once the payment is final.',
    ended: {
      heading: 'The time to pay is over',
      explanation:
        'We are checking whether your payment arrived. This takes a minute or two. Please do not pay for this order any more.',
    },
  },
  review: {
    organizer: 'The payment is being checked by the platform: {{review}}.',
    heading: 'We are checking your payment',
    mismatched: {
      label: 'Payment being checked',
      explanation:
        'A payment arrived that does not match this order, for example because the amount is too low. We complete the order or send the money back. Please do not pay again.',
      released: 'The tickets of this order are on sale again.',
    },
    paid: {
      label: 'Paid, payment being checked',
      explanation:
        'The payment was disputed, or a part of it went back. Your tickets stay valid while we check it.',
    },
  },
  causes: {
    'event-cancelled': {
      explanation: 'Your tickets are no longer valid.',
      organizer: 'You cancelled the event.',
    },
    'sold-out': {
      explanation: 'When it arrived, the tickets were sold out.',
      organizer: 'The payment arrived late, when the tickets were sold out.',
    },
    'too-few-left': {
      explanation: 'When it arrived, fewer tickets were left than you ordered.',
      organizer: 'The payment arrived late, when too few tickets were left.',
    },
    'tier-limit': {
      explanation: 'When it arrived, you had as many of these tickets as one person can have.',
      organizer:
        'The payment arrived late, when the buyer had as many of these tickets as one person can have.',
    },
    'wallet-limit': {
      explanation: 'When it arrived, you had as many tickets to this event as one person can have.',
      organizer:
        'The payment arrived late, when the buyer had as many tickets to this event as one person can have.',
    },
    'not-on-sale': {
      explanation: 'When it arrived, these tickets were no longer sold on the terms of your order.',
      organizer: 'The payment arrived late, when they were no longer sold on the terms of the order.',
    },
    'sale-ended': {
      explanation: 'When it arrived, the sale had ended.',
      organizer: 'The payment arrived late, when the sale had ended.',
    },
    'code-used-up': {
      explanation: 'When it arrived, your discount code had been used up.',
      organizer: 'The payment arrived late, when the discount code had been used up.',
    },
    'discount-expired': {
      explanation: 'When it arrived, your discount code was no longer valid.',
      organizer: 'The payment arrived late, when the discount code was no longer valid.',
    },
    'kyc-required': {
      explanation: 'When it arrived, your identity was not verified.',
      organizer: 'The payment arrived late, when the buyer’s identity was not verified.',
    },
    other: {
      explanation: 'When it arrived, these tickets could not be bought any more.',
      organizer: 'The payment arrived late, when these tickets could not be bought any more.',
    },
    refunded: {
      explanation: 'Its tickets are no longer valid.',
      organizer: 'The order was refunded, and its tickets are no longer valid.',
    },
  },
  refundHeadings: {
    cancelled: 'The event was cancelled',
    late: 'Your payment came too late',
    sent: 'Your order was refunded',
    promised: 'Your money goes back to you',
  },
  refunds: {
    due: {
      label: 'To be refunded',
      explanation: 'You get {{amount}} back. You have nothing to do.',
      organizer: 'The buyer gets {{amount}} back.',
    },
    pending: {
      label: 'Being refunded',
      explanation: '{{amount}} are on their way back to you. You have nothing to do.',
      organizer: '{{amount}} are on their way back to the buyer.',
    },
    done: {
      label: 'Refunded',
      explanation: '{{amount}} were sent back the way you paid. Your bank may take some days to show them.',
      organizer: '{{amount}} were sent back to the buyer.',
    },
    failed: {
      label: 'Refund delayed',
      explanation:
        'Sending {{amount}} back has not worked yet. We are working on it, which may take some days.',
      organizer:
        'The payment provider did not accept the refund of {{amount}}. Refund the order again, or ask the platform to.',
    },
    manual: {
      label: 'To be refunded by hand',
      explanation: '{{amount}} will be sent back by hand, which may take some days. You have nothing to do.',
      organizer: 'The platform sends {{amount}} back by hand, since the order was paid on a chain.',
    },
  },
  free: {
    label: 'Cancelled',
    explanation: 'The tickets were free, so there is nothing to refund.',
  },
  paid: {
    heading: 'Thank you, your order is paid',
    freeHeading: 'Thank you, the tickets are yours',
    none: {
      label: 'Paid',
      explanation: 'Your tickets appear here in a moment.',
      organizer: 'The order is paid.',
    },
    queued: {
      label: 'Paid, minting soon',
      explanation:
        'Show the codes below at the door. The tickets are also minted to your wallet, which takes a moment.',
      organizer: 'The order is paid. Its tickets are about to be minted.',
    },
    minting: {
      label: 'Paid, being minted',
      explanation:
        'Show the codes below at the door. The tickets are also being minted to your wallet, which takes a moment.',
      organizer: 'The order is paid. Its tickets are being minted.',
    },
    minted: {
      label: 'Paid and minted',
      explanation: 'Your tickets are in your wallet. Show the codes below at the door.',
      organizer: 'The order is paid, and its tickets are in the buyer’s wallet.',
    },
    reissuing: {
      label: 'Paid, moving to another wallet',
      explanation: 'Your tickets are being minted again to another wallet. The codes below stay valid.',
      organizer: 'The tickets are being minted again to another wallet.',
    },
    'not-needed': {
      label: 'Paid',
      explanation: 'Show the codes below at the door. You need no wallet.',
      organizer: 'The order is paid.',
    },
    failed: {
      label: 'Paid, not minted yet',
      explanation: 'Show the codes below at the door.',
      organizer: 'The order is paid, but its tickets could not be minted.',
    },
    withoutWallet: {
      label: 'Paid, no wallet to mint to',
      explanation:
        'Show the codes below at the door. You need no wallet. To have the tickets in one, enter its address in your account, and ask the organizer to mint them.',
      organizer:
        'The order is paid. Its tickets were not minted, since the buyer had no wallet. When the buyer has added one, mint again.',
    },
  },
  notMinted: {
    buyer: {
      'contract-not-authorized':
        'The organizer has to prove that the event’s ticket contract is theirs. Then your tickets are minted to your wallet. You have nothing to do.',
      'wrong-mint': 'The tickets were not minted correctly. The organizer has to correct this.',
      'not-reissued': 'The tickets could not be moved to another wallet, and stay in the current one.',
      other: 'The tickets could not be minted yet. The organizer can see why.',
    },
    organizer: {
      'chain-not-configured':
        'The event’s chain is not set up for minting. Ask the platform to set it up, then mint again.',
      'contract-not-authorized':
        'You have not proved that you administer the event’s contract. Prove it, or ask the platform to link the contract to you. Then the tickets are minted without further steps.',
      'contract-unknown': 'The event’s contract is not the platform’s ticket contract.',
      'contract-refused':
        'The event’s contract refused to mint. Allow the platform to mint with it, then mint again.',
      'too-much-gas':
        'Minting would have cost more gas than is allowed. Check your contract, or mint again later.',
      'wrong-mint':
        'The contract minted other tickets than were ordered. Check who else can mint with it, then mint again.',
      'not-reissued': 'The tickets could not be moved to the other wallet, and stay in the current one.',
      other: 'Minting did not work. Mint again.',
      otherMessage: '{{message}}. Mint again.',
    },
  },
  order: {
    title: 'Order',
    toPayment: 'Go to payment',
    cancel: 'Cancel the order',
    cannotCancel: 'This order can’t be cancelled while a payment for it may be on its way.',
    myTickets: 'My tickets',
    print: 'Print the tickets',
    again: 'Order again',
    sentTo: 'Your tickets were sent to {{email}}. This page is your receipt.',
    keep: 'Keep them in an account',
    event: 'Event',
    noEvent: 'No longer available',
    tickets: 'Tickets',
    price: 'Price',
    code: 'Code',
    discount: '{{code}}, takes off {{amount}}',
    fee: 'Fee',
    total: 'Total',
    paidWith: 'Paid with',
    payWith: 'Pay with',
    state: 'State',
    refunded: 'Refunded',
    refund: '{{amount}}, {{time}}',
    refundForSeat: '{{amount}} for ticket {{numbers}}, {{time}}',
    refundForSeats: '{{amount}} for tickets {{numbers}}, {{time}}',
    buyer: 'Buyer',
    ordered: 'Ordered',
    details: 'Details',
    reference: 'Order',
    payment: 'Payment',
    mintedBy: 'Minted by',
    invoice: 'Save invoice {{number}}',
    creditNote: 'Save credit note {{number}}',
    atTheDoor: 'At the door',
    eachCode: 'Each code admits one person, once.',
    checkedIn_one: '{{used}} of 1 ticket checked in.',
    checkedIn_other: '{{used}} of {{count}} tickets checked in.',
    nfts: 'Your tickets as NFTs',
    mint: 'Mint to this wallet',
    wallet: 'Wallet address',
    walletHint: 'You can enter it once. You are admitted without a wallet, too.',
  },
  answers: {
    title: 'Your answers',
    missing: 'Please answer before the event begins.',
    show: 'Show and change',
    save: 'Save the answers',
    saved: 'Your answers are saved.',
  },
  mail: {
    title: 'Tickets by e-mail',
    again: 'Send the tickets again',
    sent: 'Your tickets were mailed to {{email}}.',
    waiting: 'Your tickets are on their way to {{email}}.',
    bounced: '{{email}} does not accept mail, so your tickets did not arrive there. They are valid.',
    failed: 'Your tickets could not be mailed to {{email}}, but they are valid.',
    none: 'Your tickets can be mailed to {{email}}.',
  },
  tickets: {
    title: 'My tickets',
    waitingLists: 'Waiting lists',
    none: 'You have ordered no tickets yet.',
    noneValid: 'These tickets are no longer valid.',
    received: 'From others',
    openOrder: 'Open the order',
  },
  ticket: {
    number: 'Ticket {{number}}',
    noEvent: 'An event that is no longer available',
    tier: 'Ticket',
    attendee: 'Attendee',
    checkedIn: 'Checked in',
    qr: 'QR code for the door',
    details: 'Details',
    code: 'Code',
    token: 'Token',
    contract: 'Contract',
    transaction: 'Transaction',
    apple: 'Add to Apple Wallet',
    google: 'Add to Google Wallet',
    pdf: 'Save as PDF',
    held: 'Valid',
    offered: 'Valid, offered to somebody',
    admitted: 'Used',
    moved: 'Transferred',
    movedExplanation: 'You transferred this ticket to somebody else.',
    refunded: 'Refunded',
    refundedExplanation: 'This ticket is no longer valid: it was refunded.',
    cancelled: 'Event cancelled',
    cancelledExplanation: 'The event was cancelled, and this ticket is no longer valid.',
    listed: 'Valid, being returned',
  },
  attendee: {
    summary: 'Who is this ticket for?',
    save: 'Save the name',
    name: 'Name',
    nameHint: 'The staff at the door see this name.',
    email: 'E-mail (optional)',
  },
  transfer: {
    summary: 'Transfer this ticket',
    byToken: 'To transfer this ticket, send its token. The token’s new owner then claims the ticket.',
    submit: 'Offer the ticket',
    email: 'Their e-mail',
    emailHint: 'Only the account with this address can accept the ticket. Your code stays valid until then.',
    offeredTo: 'Offered to {{email}}. The ticket stays yours until they accept it on {{page}}.',
    offerPage: 'the page of the offer',
    withdraw: 'Withdraw the offer',
    title: 'A ticket for you',
    isYours: 'The ticket to {{event}} is yours.',
    seeTickets: 'See your tickets',
    offer: '{{sender}} offers you a ticket: {{tier}}. You can accept it with the account of {{email}}.',
    accept: 'Accept the ticket',
    otherAccount: 'You are signed in as {{email}}. Please sign out, and open the link again.',
    signIn: 'Sign in to accept',
    register: 'Register',
  },
  claim: {
    title: 'Claim a ticket by its token',
    explanation:
      'Do you own the token of a ticket that somebody else bought? Connect the wallet that holds the token, then claim the ticket.',
    submit: 'Claim the ticket',
    chain: 'Chain id',
    contract: 'Contract',
    token: 'Token id',
  },
  return: {
    button: 'Return this ticket',
    title: 'Return ticket {{number}}?',
    offer: 'Offer it to the waiting list',
    submit: 'Return the ticket',
    untilPaid:
      'It stays valid until somebody on the waiting list has paid for it. You can keep it until then.',
    final: 'Its code is no longer valid then. This can’t be undone.',
    offered: 'Offered to somebody on the waiting list.',
    listed: 'Listed for the waiting list.',
    validUntilTaken: 'Your ticket is valid until it is taken.',
    keep: 'Keep this ticket',
    keepTitle: 'Keep ticket {{number}}?',
    keepSubmit: 'Keep it',
    keepTogether: 'You keep tickets {{numbers}}, which you listed together.',
    keepOne: 'It is no longer offered to the waiting list.',
    whole: 'You get {{amount}} back.',
    part: 'You get {{amount}} back; {{fee}} are kept.',
    wholeWhenTaken: 'You get {{amount}} back when somebody takes it.',
    partWhenTaken: 'You get {{amount}} back when somebody takes it; {{fee}} are kept.',
    until: 'You can return it until {{time}}.',
  },
  waiting: {
    title: 'Waiting lists',
    none: 'You wait for nothing.',
    noEvent: 'An event that is no longer shown',
    held: 'Held for you until {{time}}.',
    take: 'Take the tickets',
    payWith: 'Pay with',
    decline: 'Decline',
    leave: 'Leave the list',
    place: 'You are at place {{position}}.',
    far: 'More than 1000 people are before you.',
    ordered: 'You took the offer.',
    left: 'You left the list.',
    ended: 'Your place has ended.',
  },
  crypto: {
    title: 'Your payment',
    lateTitle: 'Did you pay anyway?',
    otherChecked: 'Your other transaction is still being checked. Please do not pay again.',
    notPaidYet: 'Not paid yet?',
    payOnlyIf: 'Pay only if your wallet shows that this transaction failed, was replaced or was never sent.',
    paidByOther: 'Paid by another transaction?',
    paidAlready: 'Paid already?',
    look: 'Look for the payment',
    hash: 'Hash of the transaction',
    hashHint: 'Your wallet shows it: 0x and 64 digits or letters from a to f.',
    exactly:
      'Pay {{exactly}} this, in one transaction. Include the data, which identifies your order: a payment without it can’t be found.',
    exactlyWord: 'exactly',
    chain: 'Chain',
    amount: 'Amount',
    address: 'Address',
    contract: '{{symbol}} contract',
    data: 'Data',
    tokenNote:
      'The data is a call of the {{symbol}} contract that transfers the amount to the address. Send the transaction to the contract, with a value of 0 in the chain’s own coin.',
    noWallet:
      'There is no wallet in this browser. Send the payment from another wallet, or install one here and open this page again.',
    unlinked:
      'Your wallet pays from {{account}}, but {{linked}} is the wallet of your account. Select your account’s wallet and try again, or pay from the other one.',
    confirmInWallet: 'Confirm in your wallet…',
    pay: 'Pay from my wallet',
    payFromOther: 'Pay from the other wallet',
    looking: 'Looking for the transaction…',
    transaction: 'Transaction {{hash}}',
    keepsChecking: 'This page checks again by itself, and you may leave it. Please do not pay again.',
    unfit:
      'This transaction can’t pay the order. If you have paid with it, do not pay again. Otherwise enter another hash.',
    used: 'Enter the hash of this order’s own payment.',
    tooLittle: 'We are reviewing the payment. Please do not pay again.',
  },
  walletProblems: {
    declined: 'You declined in your wallet. Nothing was paid.',
    notAllowed:
      'Your wallet does not allow this page to use that account. Allow it in your wallet, then try again.',
    unsupported: 'Your wallet can’t do this. Send the payment from another wallet, as shown above.',
    disconnected: 'Your wallet is not connected. Connect it, then try again.',
    otherChain: 'Your wallet is not connected to {{chain}}. Connect it, then try again.',
    unknownChain: 'Your wallet does not have {{chain}}. Add it there, then try again.',
    busy: 'Your wallet waits for your answer to an earlier request. Open it, then try again.',
    other:
      'Your wallet reported a problem; often the balance is too low for the amount and the fee of the chain. Check in your wallet whether the payment was sent. If it was, enter its hash below, and do not pay again.',
  },
} as const;
