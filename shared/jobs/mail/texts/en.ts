/** The texts of mails about events, in English. Keys that end in `_one` and `_other` are the forms of one text by its count. */
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
};
