import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { countMail, DailyMailLimitReached } from '../../shared/jobs/mail/send-mail.ts';
import { type MailContent, mailId } from '../../shared/messaging/outbox/mail.ts';
import { findMail, insertMail } from '../../shared/messaging/outbox/store.ts';
import { hashLinkToken } from '../../shared/messaging/outbox/token.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { eventually } from '../support/eventually.ts';
import {
  acceptTransfer,
  buyTickets,
  cancelOrder,
  changeEvent,
  confirmAddress,
  controlSandbox,
  createEvent,
  findSeat,
  freshEmail,
  initializeOrder,
  openSale,
  type Person,
  placeOrder,
  readOrder,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { readQrPng } from '../support/images.ts';
import { awaitMail, mailsTo, type ReceivedMail } from '../support/mailbox.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

let buyer: Person;
let sale: Sale;
beforeAll(async () => {
  connectToTable();
  process.env.MAIL_FROM = 'tickets@boxoffice.test';
  sale = await openSale({ title: 'Jazz & more' });
});
/** Each test has its own buyer, since mails for one account are limited to 20 a day. */
beforeEach(async () => {
  buyer = await registerUser();
});

const picturesIn = ({ attachments }: ReceivedMail) =>
  attachments.filter(({ contentType }) => contentType === 'image/png');

const calendarIn = ({ attachments }: ReceivedMail) => {
  const file = attachments.find(({ contentType }) => contentType.startsWith('text/calendar'));
  return Buffer.from(file?.content ?? '', 'base64').toString();
};

/** Buys tickets with a customer e-mail other than the account's. The order's mails go to it. */
async function buyFor(customerEmail: string, quantity: number, eventSale = sale, person = buyer) {
  const { orderId, reference, totalAmount } = await placeOrder(eventSale, person, {
    quantity,
    customerEmail,
  });
  if (totalAmount > 0) await controlSandbox(`payments/${reference}/pay`);
  return orderId;
}

describe('an order', () => {
  it('is mailed when it is paid, with a valid QR code per ticket, the venue and a calendar file', async () => {
    const address = freshEmail();
    const orderId = await buyFor(address, 2);
    const mail = await awaitMail(address, 'Your tickets to Jazz & more');
    expect(mail.from).toContain('tickets@boxoffice.test');
    for (const part of [mail.body.text, mail.body.html]) {
      expect(part).toContain('Club');
      expect(part).toContain('2 × Standing');
      expect(part).toContain('(UTC)');
      expect(part).toContain(`/orders/${orderId}`);
    }
    expect(mail.body.html).toContain('Jazz &amp; more');
    expect(calendarIn(mail)).toContain(`UID:${sale.event.id}@boxoffice`);

    const codes = picturesIn(mail).map(({ content }) => readQrPng(Buffer.from(content, 'base64')));
    const { admissions } = await readOrder(buyer, orderId);
    expect(codes).toEqual(admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode));
    for (const code of codes) {
      expect(mail.body.text).toContain(code);
      const scan = { token: sale.organizer.token, body: { code } };
      expect(await call('POST', '/api/tickets/check-in', scan)).toMatchObject({ status: 200 });
    }
  });

  it('is mailed in the language of the event', async () => {
    const tiers = [{ name: 'Parkett', price: 10, quantity: 10 }];
    const event = await createEvent(sale.organizer, {
      title: 'Ball',
      currency: 'NGN',
      language: 'de',
      tiers,
    });
    const address = freshEmail();
    const orderId = await buyFor(address, 1, { ...sale, event });
    const { body } = await awaitMail(address, 'Ihr Ticket für Ball');
    expect(body.html).toContain('<html lang="de">');
    expect(body.text).toContain('Bezahlt: 10,25 NGN');
    expect(body.text).toContain('Einlasscode: ');
    expect(body.text).toContain(`/orders/${orderId}`);
  });

  it('shows the status of its mail', async () => {
    const orderId = await buyFor(freshEmail(), 1);
    await eventually(
      'the mail is sent',
      async () => (await readOrder(buyer, orderId)).mail?.status === 'sent',
    );
  });

  it('is mailed with at most 20 QR codes and the number of the other tickets', async () => {
    const { organizer } = sale;
    const freeSale = await openSale({ title: 'Big', price: 0, quantity: 100, organizer });
    const tier = freeSale.event.tiers[0];
    await organizer.put(`/api/events/${freeSale.event.id}/tiers/${tier.id}`, { maxPerPerson: 100 });
    await organizer.put(`/api/events/${freeSale.event.id}`, { maxPerWallet: 100 });
    const address = freshEmail();
    await buyFor(address, 25, freeSale);
    const mail = await awaitMail(address, 'Big');
    expect(picturesIn(mail)).toHaveLength(20);
    expect(mail.body.text).toContain('Your order shows your other 5 tickets.');
    expect(mail.body.text).toContain('Nothing: free');
  });

  it('is not mailed when it is cancelled before the payment', async () => {
    const unpaidOrder = await initializeOrder(sale, buyer, 1);
    await cancelOrder(unpaidOrder.orderId, buyer);
    expect(await findMail(`order-paid-${unpaidOrder.orderId}`)).toBeUndefined();
  });

  it('is mailed again on request, at most five times a day', async () => {
    const address = freshEmail();
    const orderId = await buyFor(address, 1);
    await awaitMail(address, 'Your ticket');
    const sendTickets = ({ token }: Person) => call('POST', `/api/orders/${orderId}/send`, { token });
    expect(await sendTickets(buyer)).toMatchObject({ status: 200, body: { order: { id: orderId } } });
    await eventually('the second mail arrives', async () => (await mailsTo(address)).length === 2);
    expect(await sendTickets(sale.organizer)).toMatchObject({ status: 200 });
    await eventually('the third mail arrives', async () => (await mailsTo(address)).length === 3);
    for (let count = 3; count <= 5; count++) expect(await sendTickets(buyer)).toMatchObject({ status: 200 });
    expect(await sendTickets(buyer)).toMatchObject({ status: 429 });
  });

  it('is mailed again only while its tickets are valid', async () => {
    const unpaidOrder = await initializeOrder(sale, buyer, 1);
    const sendTickets = (orderId: string) => buyer.post(`/api/orders/${orderId}/send`);
    expect(errorOf(await sendTickets(unpaidOrder.orderId))).toEqual([409, 'not-paid']);
    const { orderId } = await buyTickets(sale, buyer, 1);
    await requestRefund(orderId, sale.organizer);
    expect(errorOf(await sendTickets(orderId))).toEqual([409, 'refunded']);
  });
});

describe('a refunded order', () => {
  it('is mailed as refunded once the refund is done', async () => {
    const address = freshEmail();
    const orderId = await buyFor(address, 2);
    await awaitMail(address, 'Your tickets');
    await requestRefund(orderId, sale.organizer);
    await eventually(
      'the refund is done',
      async () => (await readOrder(buyer, orderId)).refund?.status === 'done',
    );
    await sharedStack().sweep();
    const mail = await awaitMail(address, 'Refund: Jazz & more');
    expect(mail.body.text).toContain(
      '102.50 NGN for your 2 tickets to Jazz & more are on their way back to you.',
    );
  });

  it('is mailed that the tickets stay valid when money is returned as goodwill', async () => {
    const address = freshEmail();
    const orderId = await buyFor(address, 2);
    await awaitMail(address, 'Your tickets');
    expect((await sale.organizer.post(`/api/orders/${orderId}/refund`, { amount: 5 })).status).toBe(200);
    await eventually(
      'the refund is done',
      async () => (await readOrder(buyer, orderId)).refunds[0]?.status === 'done',
    );
    await sharedStack().sweep();
    const mail = await awaitMail(address, 'Refund: Jazz & more');
    expect(mail.body.text).toContain('5.00 NGN for your order to Jazz & more');
    expect(mail.body.text).toContain('Your tickets stay valid.');
  });

  it('is mailed as paid too late when its payment arrived after the event had sold out', async () => {
    const smallSale = await openSale({ title: 'Small', quantity: 1 });
    const address = freshEmail();
    const lateOrder = await placeOrder(smallSale, buyer, { customerEmail: address });
    await cancelOrder(lateOrder.orderId, buyer);
    await buyFor(freshEmail(), 1, smallSale);
    await controlSandbox(`payments/${lateOrder.reference}/pay`);
    const mail = await awaitMail(address, 'Your payment came too late: Small');
    expect(mail.body.text).toContain('51.25 NGN back');
  });
});

describe('a change of an event', () => {
  it('is mailed to everybody who has a ticket then, if it changes the date or the venue', async () => {
    const movingSale = await openSale({ title: 'Moving', price: 0 });
    const [address, lateAddress] = [freshEmail(), freshEmail()];
    await buyFor(address, 1, movingSale);
    await awaitMail(address, 'Your ticket to Moving');
    await changeEvent(movingSale, {
      venue: 'Opera',
      timezone: 'Europe/Berlin',
      eventDate: '2035-06-01T18:00:00.000Z',
    });
    await buyFor(lateAddress, 1, movingSale);
    await changeEvent(movingSale, { description: 'Nothing that moves it' });
    const mail = await eventually('the mail arrives', async () => {
      await sharedStack().sweep();
      return (await mailsTo(address)).find(({ subject }) => subject === 'New date or venue: Moving');
    });
    expect(mail.body.text).toContain('1 June 2035, 20:00 (Europe/Berlin)');
    expect(mail.body.text).toContain('Where: Opera');
    expect(calendarIn(mail)).toContain('DTSTART:20350601T180000Z');
    await awaitMail(lateAddress, 'Your ticket to Moving');
    expect((await mailsTo(lateAddress)).map(({ subject }) => subject)).toEqual(['Your ticket to Moving']);
  });

  it('that cancels it is mailed to the buyers of paid orders, and then the refund is mailed', async () => {
    const cancelledSale = await openSale({ title: 'Off' });
    const [address, unpaidAddress] = [freshEmail(), freshEmail()];
    await buyFor(address, 1, cancelledSale);
    await awaitMail(address, 'Your ticket to Off');
    await placeOrder(cancelledSale, buyer, { customerEmail: unpaidAddress });
    await changeEvent(cancelledSale, { status: 'CANCELLED' });
    await eventually('both mails arrive', async () => {
      await sharedStack().sweep();
      const subjects = (await mailsTo(address)).map(({ subject }) => subject);
      return ['Cancelled: Off', 'Refund: Off'].every((subject) => subjects.includes(subject));
    });
    const [cancellationMail] = (await mailsTo(address)).filter(({ subject }) => subject === 'Cancelled: Off');
    expect(cancellationMail?.body.text).toContain('You will get 51.25 NGN back.');
    expect(calendarIn(cancellationMail as ReceivedMail)).toContain('STATUS:CANCELLED');
    expect(await mailsTo(unpaidAddress)).toEqual([]);
  });
});

describe('the holder of a transferred ticket', () => {
  /** Buys a ticket and transfers it to a friend, who is mailed the offer and accepts it twice. @returns the order's id */
  async function buyAndTransfer(eventSale: Sale, friend: Person): Promise<string> {
    const sender = await registerUser();
    const orderId = await buyFor(freshEmail(), 1, eventSale, sender);
    const offer = await eventually('the ticket can be offered', async () => {
      const options = { token: sender.token, body: { email: friend.user.email } };
      const answer = await call('POST', `/api/orders/${orderId}/seats/1/transfer`, options);
      return answer.status === 201 && answer.body.transfer;
    });
    // The mail about an offer is not sent once the offer is accepted.
    await awaitMail(friend.user.email, `A ticket to ${eventSale.event.title} for you`);
    for (let count = 1; count <= 2; count++)
      expect((await acceptTransfer(friend, offer.token)).status).toBe(200);
    return orderId;
  }

  it('is mailed the ticket with a valid QR code and a calendar file, once', async () => {
    const [freeSale, friend] = await Promise.all([openSale({ title: 'Given', price: 0 }), registerUser()]);
    const orderId = await buyAndTransfer(freeSale, friend);
    const mail = await awaitMail(friend.user.email, 'Your ticket to Given');
    for (const part of [mail.body.text, mail.body.html]) {
      expect(part).toContain('Club');
      expect(part).toContain('Standing, Given');
      expect(part).toContain('/tickets');
      expect(part).not.toContain(`/orders/${orderId}`);
    }
    expect(calendarIn(mail)).toContain(`UID:${freeSale.event.id}@boxoffice`);
    const codes = picturesIn(mail).map(({ content }) => readQrPng(Buffer.from(content, 'base64')));
    expect(codes).toEqual([(await findSeat(friend, orderId, 1)).code]);
    const scan = { token: freeSale.organizer.token, body: { code: codes[0] } };
    expect(await call('POST', '/api/tickets/check-in', scan)).toMatchObject({ status: 200 });
    await sharedStack().sweep();
    expect((await mailsTo(friend.user.email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Confirm'),
      'A ticket to Given for you',
      'Your ticket to Given',
    ]);
  });

  it('is mailed the offer, a new venue and the cancellation', async () => {
    const [freeSale, friend] = await Promise.all([openSale({ title: 'Handed', price: 0 }), registerUser()]);
    const { email } = friend.user;
    await buyAndTransfer(freeSale, friend);
    const changeAndAwaitMail = async (body: object, subject: string) => {
      await changeEvent(freeSale, body);
      await eventually(`the mail “${subject}” arrives`, async () => {
        await sharedStack().sweep();
        return (await mailsTo(email)).some((mail) => mail.subject === subject);
      });
    };
    await changeAndAwaitMail({ venue: 'Opera' }, 'New date or venue: Handed');
    await changeAndAwaitMail({ status: 'CANCELLED' }, 'Cancelled: Handed');
  });

  it('is not mailed the ticket once another user holds the seat', async () => {
    const orderId = await buyAndTransfer(sale, await registerUser());
    await deliverObsoleteMail({ kind: 'ticket-received', orderId, number: 1, transfers: 0 });
  });

  it('is mailed neither the ticket nor a new venue after the money was returned', async () => {
    const friend = await registerUser();
    const orderId = await buyAndTransfer(sale, friend);
    await awaitMail(friend.user.email, 'Your ticket to');
    const { reference } = await getOrder(orderId);
    await controlSandbox(`payments/${reference}/refund`);
    await eventually('the return is recorded', async () => (await getOrder(orderId)).refund);
    await deliverObsoleteMail({ kind: 'ticket-received', orderId, number: 1, transfers: 1 });
    const [holderUserId, changedAt] = [friend.user.id, new Date().toISOString()];
    await deliverObsoleteMail({ kind: 'received-ticket-changed', orderId, holderUserId, changedAt });
  });
});

describe('mails to others', () => {
  /** The content of a mail to any address; only its kind matters. */
  const content = { kind: 'ticket-offered', orderId: newId(), number: 1, offeredAt: '' } as const;
  const countTwenty = async (count: () => Promise<void>) => {
    for (let times = 1; times <= 20; times++) await count();
  };

  it('are limited to 20 a day per address and per account, also for confirmed addresses', async () => {
    const [receiver, sender] = await Promise.all([registerUser(), registerUser()]);
    await Promise.all([receiver, sender].map(confirmAddress));
    const { email } = receiver.user;
    await countTwenty(() => countMail(content, email, newId()));
    await expect(countMail(content, ` ${email.toUpperCase()} `, newId())).rejects.toThrow(
      DailyMailLimitReached,
    );
    // The mail that confirms the address was the first.
    for (let times = 2; times <= 20; times++) await countMail(content, freshEmail(), sender.user.id);
    await expect(countMail(content, freshEmail(), sender.user.id)).rejects.toThrow(DailyMailLimitReached);
    // An own confirmed address has another limit.
    await countMail(content, email, receiver.user.id);
    await countMail(content, sender.user.email, sender.user.id);
    await write(update(keys.attempts('MAIL_OWN', sender.user.id), { set: { count: 200 } }));
    await expect(countMail(content, sender.user.email, sender.user.id)).rejects.toThrow(
      DailyMailLimitReached,
    );
    const warning = { kind: 'new-device' } as MailContent;
    await countMail(warning, sender.user.email, sender.user.id);
  });

  it('are not limited for paid orders and for new passwords', async () => {
    const [address, person] = [freshEmail(), await registerUser()];
    await countTwenty(() => countMail(content, address, newId()));
    const passwordReset = { kind: 'password-reset', requestId: newId() } as MailContent;
    await countMail(passwordReset, address, person.user.id);
    const orderId = await buyFor(address, 1, sale, person);
    await awaitMail(address, 'Your ticket to');
    await expect(countMail({ kind: 'order-refunded', orderId }, address, person.user.id)).rejects.toThrow(
      DailyMailLimitReached,
    );
    expect((await requestRefund(orderId, sale.organizer)).status).toBe(200);
    await awaitMail(address, 'Refund: Jazz & more');
  });

  it('do not count towards the account’s limit while the address is over its own limit', async () => {
    const [address, account] = [freshEmail(), newId()];
    await countTwenty(() => countMail(content, address, newId()));
    for (let count = 1; count <= 3; count++) {
      await expect(countMail(content, address, account)).rejects.toThrow(DailyMailLimitReached);
    }
    await countTwenty(() => countMail(content, freshEmail(), account));
  });

  it('are delayed to the next day beyond the limit', async () => {
    const [address, person] = [freshEmail(), await registerUser()];
    await countTwenty(() => countMail(content, address, newId()));
    const freeSale = await openSale({ price: 0 });
    const orderId = await buyFor(address, 1, freeSale, person);
    const mail = await eventually('the mail waits', async () => {
      const found = await findMail(`order-paid-${orderId}`);
      return found?.notBefore && found.notBefore > new Date(Date.now() + 80_000_000).toISOString() && found;
    });
    expect(mail).toMatchObject({ status: 'waiting', failures: 0 });
    expect(await mailsTo(address)).toEqual([]);
  });
});

describe('a mail', () => {
  it('that bounces, or is reported as unwanted, shows so to the buyer and to the organizer', async () => {
    const orderId = await buyFor(freshEmail(), 1);
    const id = mailId({ kind: 'order-paid', orderId });
    const sent = await eventually('the mail is sent', async () => {
      const found = await findMail(id);
      return found?.status === 'sent' && found;
    });
    const requestedAt = Date.parse(sent.requestedAt);
    const report = (event: 'Bounce' | 'Complaint', time = requestedAt) => {
      const body = JSON.stringify({ type: 'record-mail-event', mailId: id, requestedAt: `${time}`, event });
      const record = { messageId: event, body, attributes: { ApproximateReceiveCount: '1' } };
      return sharedStack().invoke('workers-record-mail-events', { Records: [record] });
    };
    const views = async () => [
      (await readOrder(buyer, orderId)).mail,
      (await readOrder(sale.organizer, orderId)).mail,
    ];
    // A report about an earlier mail of the order does not concern the one that was sent again since.
    await report('Bounce', requestedAt - 1);
    expect(await views()).toMatchObject([{ status: 'sent', reason: null }, { status: 'sent' }]);
    await report('Complaint');
    const complaint = { status: 'sent', reason: 'complained' };
    expect(await views()).toMatchObject([complaint, complaint]);
    // SES reports at least once.
    for (let repeats = 0; repeats < 2; repeats++) {
      expect(await report('Bounce')).toEqual({ batchItemFailures: [] });
    }
    const bounce = { status: 'failed', reason: 'bounced' };
    expect(await views()).toMatchObject([bounce, bounce]);
    const { notifications } = (await buyer.get('/api/notifications')).body;
    expect(
      notifications.filter(({ title }: { title: string }) => title === 'Mail not delivered'),
    ).toHaveLength(1);
    await buyer.post(`/api/orders/${orderId}/send`);
    const again = await eventually('the tickets are sent again', async () => {
      const found = await findMail(id);
      return found?.status === 'sent' && found;
    });
    expect(again.requestedAt).not.toBe(sent.requestedAt);
    expect(again.reason).toBeUndefined();
  });

  it('with an expired link or an unknown token is dropped', async () => {
    const linkContent = (expiresAt: number) => ({
      kind: 'password-reset' as const,
      userId: buyer.user.id,
      requestId: newId(),
      tokenHash: hashLinkToken('a token of somebody else'),
      expiresAt: new Date(expiresAt).toISOString(),
    });
    for (const content of [linkContent(Date.now() - 1), linkContent(Date.now() + 3_600_000)])
      await deliverObsoleteMail(content);
  });
});

/**
 * Writes and delivers a mail, and waits until it is dropped as obsolete: a sweep may have queued it, so that another
 * worker has leased it.
 */
async function deliverObsoleteMail(content: MailContent): Promise<void> {
  const id = mailId(content);
  for (const mailWrite of insertMail(content, buyer.user.id)) await write(mailWrite);
  await deliverMails(id);
  const mail = await eventually('the mail no longer waits', async () => {
    const found = await findMail(id);
    return found?.status !== 'waiting' && found;
  });
  expect(mail).toMatchObject({ status: 'dropped', reason: 'obsolete' });
}

function deliverMails(...ids: string[]) {
  const attributes = { ApproximateReceiveCount: '1' };
  return sharedStack().invoke('workers-send-mail', {
    Records: ids.map((id) => ({ messageId: id, body: JSON.stringify({ mailId: id }), attributes })),
  });
}
