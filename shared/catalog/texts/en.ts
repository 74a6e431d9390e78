/** The texts of mails, and of printed tickets, invoices and passes, in English. Keys that end in `_one` and `_other` are the forms of one text by its count. */
export const en = {
  code: 'Check-in code: {{code}}',
  codeImage: 'QR code of {{title}}. Its check-in code is {{code}}',
  address: 'If the button does not work, open this address:',
  facts: {
    when: 'When',
    where: 'Where',
    ticket: 'Ticket',
    tickets: 'Tickets',
    paid: 'Paid',
    free: 'Nothing: free',
    amount: 'Amount',
    reference: 'Reference',
  },
  print: {
    title: 'Tickets to {{event}}',
    name: 'Name',
    order: 'Order',
    note: 'The code admits one person, once. Do not share it.',
  },
  invoice: {
    invoice: 'Invoice {{number}}',
    creditNote: 'Credit note {{number}}',
    date: 'Date',
    for: 'For',
    forInvoice: 'invoice {{number}} of {{date}}',
    event: 'Event',
    seller: 'Seller',
    taxNumber: 'Tax number {{number}}',
    buyer: 'Buyer',
    what: 'What',
    tax: 'Tax',
    fee: 'Service fee of the platform',
    total: 'Total',
    totalCredited: 'Total credited',
    includes: 'Includes {{percent}} % tax: {{tax}} on a net amount of {{net}}',
  },
  pass: {
    description: 'Ticket to {{event}}',
    number: '{{number}} of {{quantity}}',
    status: 'Status',
    used: 'Used',
    refunded: 'Refunded',
    cancelled: 'Cancelled',
  },
  openOrder: 'Open your order',
  openTickets: 'Open your tickets',
  moneyBack: 'You will get {{money}} back. We will mail you when it is sent.',
  paid: {
    subject_one: 'Your ticket to {{event}}',
    subject_other: 'Your tickets to {{event}}',
    summary_one: 'You have 1 ticket to {{event}}. Show the QR code at the door, on your phone or on paper.',
    summary_other:
      'You have {{count}} tickets to {{event}}. Show the QR code at the door, on your phone or on paper.',
    ticket: 'Ticket {{number}} of {{quantity}}',
    others_one: 'Your order shows your other ticket.',
    others_other: 'Your order shows your other {{count}} tickets.',
    note: 'Your order has the tickets as a PDF file, too. Each code admits one person, once. Do not share this mail.',
  },
  late: {
    subject: 'Your payment came too late: {{event}}',
    summary_one:
      'Your payment for 1 ticket to {{event}} came in after the order had ended, and could no longer be accepted.',
    summary_other:
      'Your payment for {{count}} tickets to {{event}} came in after the order had ended, and could no longer be accepted.',
    reasons: {
      'event-cancelled': 'The event was cancelled.',
      'sold-out': 'The tickets were sold out when the payment arrived.',
      'too-few-left': 'Too few tickets were left when the payment arrived.',
      'tier-limit': 'The limit of these tickets per person was reached when the payment arrived.',
      'wallet-limit': 'The limit of tickets per person was reached when the payment arrived.',
      'not-on-sale': 'The tickets were no longer on sale on the terms of the order when the payment arrived.',
      'sale-ended': 'The sale had ended when the payment arrived.',
      'code-used-up': 'The discount code had been used up when the payment arrived.',
      'discount-expired': 'The discount code was no longer valid when the payment arrived.',
      'kyc-required': 'The event requires a verified identity, which was missing when the payment arrived.',
    },
  },
  cancelled: {
    subject: 'Cancelled: {{event}}',
    summary_one: '{{event}} was cancelled. Your ticket is no longer valid.',
    summary_other: '{{event}} was cancelled. Your tickets are no longer valid.',
    holderOfPaid:
      '{{event}} was cancelled. Your ticket is no longer valid, and its buyer gets the money back.',
  },
  refund: {
    subject: 'Refund: {{event}}',
    sent_one: '{{money}} for your ticket to {{event}} are on their way back to you.',
    sent_other: '{{money}} for your {{count}} tickets to {{event}} are on their way back to you.',
    sentForOrder: '{{money}} for your order to {{event}} are on their way back to you.',
    promised_one: 'We will send you back {{money}} for your ticket to {{event}}.',
    promised_other: 'We will send you back {{money}} for your {{count}} tickets to {{event}}.',
    promisedForOrder: 'We will send you back {{money}} for your order to {{event}}.',
    invalid_one: 'The ticket is no longer valid.',
    invalid_other: 'The tickets are no longer valid.',
    valid: 'Your tickets stay valid.',
    nothingSubject: 'Tickets cancelled: {{event}}',
    nothing_one: 'We took back your ticket to {{event}}. There was nothing to pay for it.',
    nothing_other: 'We took back your {{count}} tickets to {{event}}. There was nothing to pay for them.',
  },
  moved: {
    subject: 'New date or venue: {{event}}',
    summary: 'The organizer has changed the date or the venue of {{event}}. These are the new details.',
    valid_one: 'Your ticket stays valid, with the same code.',
    valid_other: 'Your tickets stay valid, with the same codes.',
  },
  unsold: {
    subject_one: 'Your ticket was not sold: {{event}}',
    subject_other: 'Your tickets were not sold: {{event}}',
    whole_one:
      'Nobody on the waiting list has bought your ticket to {{event}}. It is no longer for sale, and stays valid: you can still use it.',
    whole_other:
      'Nobody on the waiting list has bought your tickets to {{event}}. They are no longer for sale, and stay valid: you can still use them.',
    part_one:
      'Nobody on the waiting list has bought ticket {{numbers}} of your order to {{event}}. It is no longer for sale, and stays valid: you can still use it.',
    part_other:
      'Nobody on the waiting list has bought tickets {{numbers}} of your order to {{event}}. They are no longer for sale, and stay valid: you can still use them.',
  },
  links: {
    subject: 'Your orders',
    summary: 'Somebody, probably you, asked for the links to your orders.',
    order_one: '{{event}}: 1 ticket, {{reference}}',
    order_other: '{{event}}: {{count}} tickets, {{reference}}',
    open: 'Open the order',
    note: 'Everybody who has a link can open its order. Do not share this mail.',
  },
  received: {
    subject: 'Your ticket to {{event}}',
    summary:
      'You have accepted a ticket to {{event}}. Show the QR code at the door, on your phone or on paper.',
    ticket: 'Your ticket',
    note: 'The code admits one person, once. Earlier codes of this ticket are no longer valid. Do not share this mail.',
  },
  offered: {
    subject: 'A ticket to {{event}} for you',
    summary: '{{sender}} offers you a ticket to {{event}}.',
    how: 'To accept it, sign in or register with {{email}}. The ticket is then yours, with a code of its own.',
    accept: 'Accept the ticket',
    otherwise: 'If you do not want it, there is nothing to do.',
  },
  waiting: {
    subject: 'Tickets for you: {{event}}',
    summary_one: '1 ticket ({{tier}}) to {{event}} is held for you until {{deadline}}.',
    summary_other: '{{count}} tickets ({{tier}}) to {{event}} are held for you until {{deadline}}.',
    take: 'Buy or decline',
    otherwise: 'If you do not buy them in time, or decline, they are offered to the next person on the list.',
    endedSubject: 'No longer on the waiting list: {{event}}',
    eventCancelled: '{{event}} was cancelled.',
    notBought: 'The tickets to {{event}} were held for you, but you did not buy them in time.',
    noneLeft: 'No more tickets to {{event}} are offered to the waiting list.',
    openEvent: 'Open the event',
  },
  account: {
    newPassword: 'Set a new password',
    openAccount: 'Open your account',
    link: 'The link works once, for {{duration}}. {{note}}',
    minutes_one: '{{count}} minute',
    minutes_other: '{{count}} minutes',
    hours_one: '{{count}} hour',
    hours_other: '{{count}} hours',
    days_one: '{{count}} day',
    days_other: '{{count}} days',
    links: {
      'password-reset': {
        subject: 'Reset your password',
        summary: 'Somebody, probably you, asked for a new password for your account.',
        button: 'Choose a new password',
        note: 'If it was not you, ignore this mail: your password stays as it is.',
      },
      'address-confirmation': {
        subject: 'Confirm your e-mail address',
        summary: 'Please confirm that this address is yours, so that your tickets reach you.',
        button: 'Confirm this address',
        note: 'If you have no account with us, ignore this mail: nothing else happens.',
      },
      'email-change': {
        subject: 'Confirm your new e-mail address',
        summary: 'Somebody, probably you, wants to use this address for an account with us.',
        button: 'Use this address',
        note: 'If it was not you, ignore this mail: nothing else happens.',
      },
      'email-undo': {
        subject: 'Your e-mail address was changed',
        summary: 'Your account has another e-mail address now, and we no longer write to this one.',
        button: 'It was not me: undo it',
        note: 'It also ends your password, signs out every device, unlinks your wallet, and stops payouts to new bank accounts. API keys, webhook endpoints and staff that were added or changed since end too. If it was you, ignore this mail.',
      },
      'new-bank-account': {
        subject: 'A payout to a new bank account',
        summary:
          'A payout to a bank account that you have not used before was requested from your account. It waits, so that you can stop it.',
        button: 'Stop it, and sign out everywhere',
        note: 'If it was you, ignore this mail. If it was not, stop it and set a new password.',
      },
    },
    wallet: {
      subject: 'A wallet was linked to your account',
      summary: 'New tickets go to the wallet {{wallet}}, and its owner can log in to your account.',
      note: 'If it was not you, set a new password. This also unlinks the wallet.',
    },
    device: {
      subject: 'A new device signed in to your account',
      summary: '{{device}} signed in to your account on {{time}}.',
      summaryWithPlace: '{{device}} in {{place}} signed in to your account on {{time}}.',
      note: 'If it was you, ignore this mail. If it was not, set a new password: this signs out every device.',
    },
    changes: {
      'passkey-added': {
        subject: 'A passkey was added to your account',
        summary: 'The new passkey signs in to your account.',
      },
      'passkey-removed': {
        subject: 'A passkey was removed from your account',
        summary: 'Nobody can sign in to your account with this passkey any more.',
      },
      'totp-added': {
        subject: 'An authenticator app was added to your account',
        summary: 'Your account now asks for a code of this app.',
      },
      'totp-removed': {
        subject: 'The authenticator app was removed from your account',
        summary: 'Your account does not ask for codes of the app any more.',
      },
      'key-added': {
        subject: 'An API key was added to your account',
        summary: 'Programs with the key can read or change what it is allowed to, without signing in.',
      },
      'endpoint-added': {
        subject: 'A webhook address was added to your account',
        summary: 'What happens with your orders and events is sent to this address from now on.',
      },
      'manager-added': {
        subject: 'A manager was added to your event',
        summary:
          'The manager can change and cancel the event, read its orders, and refund them. The staff of your event shows who it is.',
      },
      'tickets-reissued': {
        subject: 'Your tickets are minted to another wallet',
        summary:
          'The NFTs of an order are burned and minted again to another wallet. The order shows which, and your notifications too.',
      },
      'wallet-entered': {
        subject: 'Your tickets go to another wallet',
        summary:
          'A wallet was entered for your account, and new tickets go there. Your account page shows which. A new password by “Forgot your password?” removes it.',
      },
      'order-wallet-entered': {
        subject: 'The tickets of an order go to a wallet',
        summary:
          'A wallet was entered for one of your orders, whose tickets go there. The order shows which.',
      },
      'recent-removed': {
        subject: 'Your new passkey or authenticator app was removed',
        summary:
          'What was added to your account in the last seven days no longer signs in, since a link in one of our mails was used to recover the account. Your payouts wait for 72 hours.',
      },
      reset: {
        subject: 'Your two-step sign-in was reset',
        summary:
          'We removed the passkeys, the authenticator app and the recovery codes of your account, and signed out every device. Your payouts wait for 72 hours.',
      },
    },
    unexpectedReset: 'If it was not at your request, tell us at once.',
    unexpectedChange:
      'If it was not you, set a new password within seven days. This signs out every device, and removes the passkeys and authenticator apps that were added in the last seven days. Then remove the API keys, webhook endpoints and managers that are not yours.',
    endpoint: {
      subject: 'Nothing more is sent to {{host}}',
      summary: 'We no longer send webhooks to {{host}}. {{reason}}',
      gone: 'It answered that it is gone.',
      failing: 'It has failed for five days.',
      note: 'Once it works again, enable it. What it has missed is kept for 30 days: your developer can read it with “GET /api/occurrences”.',
      button: 'Open your integrations',
    },
    invitation: {
      subject: 'You are invited to work at {{event}}',
      door: '{{organizer}} organizes {{event}}, and invites you to check in tickets at its door.',
      manager: '{{organizer}} organizes {{event}}, and invites you to manage it.',
      how: 'Sign in or register with {{email}}, and confirm this address. Then you find the event below “Work”.',
      button: 'Sign in',
      otherwise: 'If you do not expect this, there is nothing to do.',
    },
    payouts: {
      'payout-sent': {
        subject: 'Payout sent: {{money}}',
        summary: '{{money}} were sent to your account ending in {{digits}}.',
        note: 'Banks take up to a few days to show it.',
      },
      'payout-failed': {
        subject: 'Payout failed: {{money}}',
        summary:
          '{{money}} could not be sent to your account ending in {{digits}}. The amount is available again.',
        note: 'Please check the account, then request another payout.',
      },
      button: 'Open your balance',
    },
  },
};
