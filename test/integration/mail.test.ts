import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { countMailToUnconfirmedAddress, DailyMailLimitReached } from '../../shared/mail/daily-limit.ts';
import { mailId } from '../../shared/mail/mail.ts';
import { findMail, insertMail } from '../../shared/mail/store.ts';
import { hashLinkToken } from '../../shared/mail/token.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, call } from '../support/http.ts';
import { awaitMail, mailsTo, type ReceivedMail } from '../support/mailbox.ts';
import { freshEmail, type Person, registerUser } from '../support/people.ts';
import { readQrPng } from '../support/qr.ts';
import { buyTickets, control, initializeOrder, openSale, readOrder, type Sale } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';
import { useTableOf } from '../support/table.ts';

let buyer: Person;
let sale: Sale;
beforeAll(async () => {
  useTableOf();
  process.env.MAIL_FROM = 'tickets@boxoffice.test';
  sale = await openSale({ title: 'Jazz & more' });
});
/** Each test has its own buyer, since mails for one account are limited to 20 a day. */
beforeEach(async () => {
  buyer = await registerUser();
});

const pictures = ({ attachments }: ReceivedMail) =>
  attachments.filter(({ contentType }) => contentType === 'image/png');

const calendarIn = ({ attachments }: ReceivedMail) => {
  const file = attachments.find(({ contentType }) => contentType.startsWith('text/calendar'));
  return Buffer.from(file?.content ?? '', 'base64').toString();
};

const errorOf = ({ status, headers }: Answer) => [status, headers.get('x-error-code')];

/** Buys as somebody else's guest: the mail goes to the address of the order. */
async function buyFor(customerEmail: string, quantity: number, of = sale, by = buyer): Promise<string> {
  const body = {
    eventId: of.event.id,
    tierId: of.event.tiers[0].id,
    quantity,
    paymentMethod: 'FIAT',
    customerEmail,
  };
  const { orderId, reference } = (await call('POST', '/api/orders/initialize', { token: by.token, body }))
    .body;
  if (reference && of.event.ticketPrice > 0) await control(`payments/${reference}/pay`);
  return orderId;
}

describe('a paid order', () => {
  it('is mailed with a valid QR code per ticket, date and venue, and a calendar file', async () => {
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

    const codes = pictures(mail).map(({ content }) => readQrPng(Buffer.from(content, 'base64')));
    const { admissions } = await readOrder(buyer, orderId);
    expect(codes).toEqual(admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode));
    for (const code of codes) {
      expect(mail.body.text).toContain(code);
      const scan = { token: sale.organizer.token, body: { code } };
      expect(await call('POST', '/api/tickets/check-in', scan)).toMatchObject({ status: 200 });
    }
  });

  it('shows how far its mail is', async () => {
    const orderId = await buyFor(freshEmail(), 1);
    await eventually(
      'the mail is sent',
      async () => (await readOrder(buyer, orderId)).mail?.status === 'sent',
    );
  });

  it('has 20 pictures at most; further tickets are behind the link', async () => {
    const { organizer } = sale;
    const free = await openSale({ title: 'Big', price: 0, quantity: 100, organizer });
    const tier = free.event.tiers[0];
    await call('PUT', `/api/events/${free.event.id}/tiers/${tier.id}`, {
      token: organizer.token,
      body: { maxPerPerson: 100 },
    });
    await call('PUT', `/api/events/${free.event.id}`, {
      token: organizer.token,
      body: { maxPerWallet: 100 },
    });
    const address = freshEmail();
    await buyFor(address, 25, free);
    const mail = await awaitMail(address, 'Big');
    expect(pictures(mail)).toHaveLength(20);
    expect(mail.body.text).toContain('Your other 5 tickets are in your order.');
    expect(mail.body.text).toContain('Nothing: free');
  });

  it('gets no mail before it is paid, nor when it ends unpaid', async () => {
    const waiting = await initializeOrder(sale, buyer, 1);
    await call('POST', `/api/orders/${waiting.orderId}/cancel`, { token: buyer.token });
    expect(await findMail(`order-paid-${waiting.orderId}`)).toBeUndefined();
  });

  it('is mailed again on request, five times a day', async () => {
    const address = freshEmail();
    const orderId = await buyFor(address, 1);
    await awaitMail(address, 'Your ticket');
    const send = ({ token }: Person) => call('POST', `/api/orders/${orderId}/send`, { token });
    expect(await send(buyer)).toMatchObject({ status: 200, body: { order: { id: orderId } } });
    await eventually('the second mail', async () => (await mailsTo(address)).length === 2);
    expect(await send(sale.organizer)).toMatchObject({ status: 200 });
    await eventually('the third mail', async () => (await mailsTo(address)).length === 3);
    for (let sent = 3; sent <= 5; sent++) expect(await send(buyer)).toMatchObject({ status: 200 });
    expect(await send(buyer)).toMatchObject({ status: 429 });
  });

  it('is mailed again only while its tickets are valid', async () => {
    const waiting = await initializeOrder(sale, buyer, 1);
    const send = (orderId: string) => call('POST', `/api/orders/${orderId}/send`, { token: buyer.token });
    expect(errorOf(await send(waiting.orderId))).toEqual([409, 'not-paid']);
    const { orderId } = await buyTickets(sale, buyer, 1);
    await call('POST', `/api/orders/${orderId}/refund`, { token: sale.organizer.token });
    expect(errorOf(await send(orderId))).toEqual([409, 'refunded']);
  });
});

describe('an order that ends', () => {
  it('is mailed as refunded once the money is sent', async () => {
    const address = freshEmail();
    const orderId = await buyFor(address, 2);
    await awaitMail(address, 'Your tickets');
    await call('POST', `/api/orders/${orderId}/refund`, { token: sale.organizer.token });
    await eventually('refunded', async () => (await readOrder(buyer, orderId)).refund?.status === 'done');
    await sharedStack().sweep();
    const mail = await awaitMail(address, 'Refund: Jazz & more');
    expect(mail.body.text).toContain(
      '102.50 NGN for your 2 tickets to Jazz & more are on their way back to you.',
    );
  });

  it('is mailed when its payment came too late for a ticket', async () => {
    const small = await openSale({ title: 'Small', quantity: 1 });
    const late = freshEmail();
    const body = {
      eventId: small.event.id,
      tierId: small.event.tiers[0].id,
      quantity: 1,
      paymentMethod: 'FIAT',
      customerEmail: late,
    };
    const first = (await call('POST', '/api/orders/initialize', { token: buyer.token, body })).body;
    await call('POST', `/api/orders/${first.orderId}/cancel`, { token: buyer.token });
    await buyFor(freshEmail(), 1, small);
    await control(`payments/${first.reference}/pay`);
    const mail = await awaitMail(late, 'Your payment came too late: Small');
    expect(mail.body.text).toContain('51.25 NGN back');
  });
});

describe('a change of an event', () => {
  it('is mailed to everybody with a ticket, once for each new date or venue', async () => {
    const moving = await openSale({ title: 'Moving', price: 0 });
    const [address, late] = [freshEmail(), freshEmail()];
    await buyFor(address, 1, moving);
    await awaitMail(address, 'Your ticket to Moving');
    const change = (body: object) =>
      call('PUT', `/api/events/${moving.event.id}`, { token: moving.organizer.token, body });
    await change({ venue: 'Opera', timezone: 'Europe/Berlin', eventDate: '2035-06-01T18:00:00.000Z' });
    await buyFor(late, 1, moving);
    await change({ description: 'Nothing that moves it' });
    const mail = await eventually('the mail', async () => {
      await sharedStack().sweep();
      return (await mailsTo(address)).find(({ subject }) => subject === 'New date or venue: Moving');
    });
    expect(mail.body.text).toContain('1 June 2035, 20:00 (Europe/Berlin)');
    expect(mail.body.text).toContain('Where: Opera');
    expect(calendarIn(mail)).toContain('DTSTART:20350601T180000Z');
    await awaitMail(late, 'Your ticket to Moving');
    expect((await mailsTo(late)).map(({ subject }) => subject)).toEqual(['Your ticket to Moving']);
  });

  it('is mailed to everybody who paid when it is cancelled, and then the refund', async () => {
    const off = await openSale({ title: 'Off' });
    const [address, waiting] = [freshEmail(), freshEmail()];
    await buyFor(address, 1, off);
    await awaitMail(address, 'Your ticket to Off');
    await call('POST', '/api/orders/initialize', {
      token: buyer.token,
      body: {
        eventId: off.event.id,
        tierId: off.event.tiers[0].id,
        quantity: 1,
        paymentMethod: 'FIAT',
        customerEmail: waiting,
      },
    });
    await call('PUT', `/api/events/${off.event.id}`, {
      token: off.organizer.token,
      body: { status: 'CANCELLED' },
    });
    await eventually('both mails', async () => {
      await sharedStack().sweep();
      const subjects = (await mailsTo(address)).map(({ subject }) => subject);
      return ['Cancelled: Off', 'Refund: Off'].every((subject) => subjects.includes(subject));
    });
    const [cancelled] = (await mailsTo(address)).filter(({ subject }) => subject === 'Cancelled: Off');
    expect(cancelled?.body.text).toContain('You will get 51.25 NGN back.');
    expect(calendarIn(cancelled as ReceivedMail)).toContain('STATUS:CANCELLED');
    expect(await mailsTo(waiting)).toEqual([]);
  });
});

describe('the holder of a transferred ticket', () => {
  it('is mailed the offer, a new venue and the cancellation', async () => {
    const [of, friend, sender] = await Promise.all([
      openSale({ title: 'Handed', price: 0 }),
      registerUser(),
      registerUser(),
    ]);
    const { email } = friend.user;
    const orderId = await buyFor(freshEmail(), 1, of, sender);
    const offered = await eventually('the ticket can be offered', async () => {
      const options = { token: sender.token, body: { email } };
      const answer = await call('POST', `/api/orders/${orderId}/seats/1/transfer`, options);
      return answer.status === 201 && answer.body.transfer;
    });
    await awaitMail(email, 'A ticket to Handed for you');
    await call('POST', `/api/transfers/${offered.token}/accept`, { token: friend.token });
    const change = async (body: object, subject: string) => {
      await call('PUT', `/api/events/${of.event.id}`, { token: of.organizer.token, body });
      await eventually(`a mail "${subject}"`, async () => {
        await sharedStack().sweep();
        return (await mailsTo(email)).some((mail) => mail.subject === subject);
      });
    };
    await change({ venue: 'Opera' }, 'New date or venue: Handed');
    await change({ status: 'CANCELLED' }, 'Cancelled: Handed');
  });
});

describe('mails to unconfirmed addresses', () => {
  it('are 20 a day to one address, and 20 a day for one account', async () => {
    const [address, account] = [freshEmail(), newId()];
    for (let sent = 1; sent <= 20; sent++) await countMailToUnconfirmedAddress(address, newId());
    await expect(countMailToUnconfirmedAddress(` ${address.toUpperCase()} `, newId())).rejects.toThrow(
      DailyMailLimitReached,
    );
    for (let sent = 1; sent <= 20; sent++) await countMailToUnconfirmedAddress(freshEmail(), account);
    await expect(countMailToUnconfirmedAddress(freshEmail(), account)).rejects.toThrow(DailyMailLimitReached);
  });

  it('wait for the next day', async () => {
    const [address, person] = [freshEmail(), await registerUser()];
    for (let sent = 1; sent <= 20; sent++) await countMailToUnconfirmedAddress(address, newId());
    const limited = await buyFor(address, 1, sale, person);
    const mail = await eventually('the mail waits', async () => {
      const found = await findMail(`order-paid-${limited}`);
      return found?.notBefore && found.notBefore > new Date(Date.now() + 80_000_000).toISOString() && found;
    });
    expect(mail).toMatchObject({ status: 'waiting', failures: 0 });
    expect(await mailsTo(address)).toEqual([]);
  });
});

describe('a mail', () => {
  it('with a link that has expired or was not made by us is dropped', async () => {
    const link = (expiresAt: number) => ({
      kind: 'password-reset' as const,
      userId: buyer.user.id,
      requestId: newId(),
      tokenHash: hashLinkToken('a token of somebody else'),
      expiresAt: new Date(expiresAt).toISOString(),
    });
    for (const content of [link(Date.now() - 1), link(Date.now() + 3_600_000)]) {
      for (const item of insertMail(content, buyer.user.id)) await write(item);
      await deliver(mailId(content));
      expect(await findMail(mailId(content))).toMatchObject({ status: 'dropped', reason: 'obsolete' });
    }
  });
});

function deliver(...ids: string[]) {
  const attributes = { ApproximateReceiveCount: '1' };
  return sharedStack().invoke('workers-send-mail', {
    Records: ids.map((id) => ({ messageId: id, body: JSON.stringify({ mailId: id }), attributes })),
  });
}
