import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { sendMail } from '../../shared/jobs/mail/send-mail.ts';
import { listNotifications } from '../../shared/messaging/notifications/store.ts';
import { type Mail, type MailContent, mailId } from '../../shared/messaging/outbox/mail.ts';
import { findMail, insertMail } from '../../shared/messaging/outbox/store.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { insertPaidOrders } from '../support/shop.ts';

/** Sends mails while the mail service throttles, refuses, or accepts a mail without answering. */

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

const accept: Responder = (_, response) => response.writeHead(200).end('{"MessageId":"1"}');
const failWith =
  (status: number, type: string, message = ''): Responder =>
  (_, response) =>
    response.writeHead(status, { 'x-amzn-errortype': type }).end(JSON.stringify({ message }));
const dropConnection: Responder = (request) => request.socket.destroy();

let backend: Backend;
let service: Server;
/** The responders for the next requests. Later requests are accepted. */
let responders: Responder[];
let requestCount: number;
let content: MailContent;
let userId: string;
let eventId: string;

beforeAll(async () => {
  backend = await startBackend();
  service = createServer((request, response) => {
    requestCount++;
    request.resume();
    request.once('end', () => (responders.shift() ?? accept)(request, response));
  });
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    MAIL_FROM: 'tickets@boxoffice.test',
    PUBLIC_URL: 'https://tickets.boxoffice.test',
    SHOP_NAME: 'Boxoffice',
    CHECK_IN_SECRET: 'only-for-tests-check-in-0123456789abcdef',
  });
}, 60_000);
beforeEach(async () => {
  process.env.RETRY_SECONDS = '300';
  process.env.MAIL_FROM = 'tickets@boxoffice.test';
  responders = [];
  requestCount = 0;
  const paid = await insertPaidOrders(1);
  const orderId = paid.orders[0]?.id ?? '';
  userId = paid.userId;
  eventId = paid.events[0]?.id ?? '';
  content = { kind: 'order-paid', orderId };
  for (const insert of insertMail(content, userId, { eventId })) await write(insert);
});
afterAll(async () => {
  service?.closeAllConnections();
  service?.close();
  await backend?.stop();
});

const readMail = async () => (await findMail(mailId(content))) as Mail;
const send = () => sendMail(mailId(content));
const makeDue = () => write(update(keys.mail(mailId(content)), { set: { notBefore: undefined } }));
const minutesUntil = (time = '') => Math.round((Date.parse(time) - Date.now()) / 60_000);

describe('a mail waits when the mail service', () => {
  it.each([
    ['throttles', failWith(429, 'TooManyRequestsException')],
    ['has no quota left', failWith(400, 'LimitExceededException')],
    ['fails', failWith(500, 'InternalFailure')],
    ['has suspended the account', failWith(400, 'AccountSuspendedException')],
    ['has not verified the sender', failWith(400, 'MessageRejected', 'Email address is not verified.')],
  ])('%s, and is sent after it recovers', async (_, failure) => {
    responders = [failure];
    await send();
    expect(await readMail()).toMatchObject({ status: 'waiting', failures: 1 });
    await send();
    expect(requestCount).toBe(1);
    await makeDue();
    await send();
    expect(requestCount).toBe(2);
    expect(await readMail()).toMatchObject({ status: 'sent' });
  });

  it('fails repeatedly, with pauses that double up to four hours', async () => {
    const pauses: number[] = [];
    for (let failure = 1; failure <= 9; failure++) {
      responders = [failWith(503, 'ServiceUnavailable')];
      await makeDue();
      await send();
      pauses.push(minutesUntil((await readMail()).notBefore));
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 240, 240, 240]);
  });
});

describe('the daily limit of mails', () => {
  // The tickets of paid orders are not counted.
  beforeEach(async () => {
    const orderId = 'orderId' in content ? content.orderId : '';
    content = { kind: 'event-cancelled', orderId };
    for (const insert of insertMail(content, userId, { eventId })) await write(insert);
  });

  /** Leaves a number of mails that the buyer's account may still cause today. */
  const leaveMails = (count: number) => {
    const set = { count: 20 - count, ttl: Math.floor(Date.now() / 1000) + 3_600 };
    return write(update(keys.attempts('MAIL_FOR', userId), { set }));
  };
  const setOrderStatus = (paymentStatus: string) =>
    write(update(keys.order('orderId' in content ? content.orderId : ''), { set: { paymentStatus } }));

  it('counts a mail once, however often the mail service fails', async () => {
    await leaveMails(1);
    responders = [failWith(503, 'ServiceUnavailable'), failWith(503, 'ServiceUnavailable')];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await makeDue();
      await send();
      expect(requestCount).toBe(attempt);
    }
    expect(await readMail()).toMatchObject({ status: 'sent' });
  });

  it('lets a mail wait without keeping the worker from the next one', async () => {
    process.env.MAIL_PACE_MILLISECONDS = '3600000';
    try {
      await leaveMails(0);
      await send();
    } finally {
      delete process.env.MAIL_PACE_MILLISECONDS;
    }
    expect(requestCount).toBe(0);
    expect(await readMail()).toMatchObject({ status: 'waiting', failures: 0 });
  });

  it('counts a mail whose first attempt failed before the mail was composed', async () => {
    await leaveMails(0);
    await setOrderStatus('no status');
    await send();
    expect(await readMail()).toMatchObject({ status: 'waiting', failures: 1 });
    await setOrderStatus('COMPLETED');
    await makeDue();
    await send();
    expect(requestCount).toBe(0);
    expect(await readMail()).toMatchObject({ status: 'waiting', failures: 1 });
  });
});

describe('a mail is sent', () => {
  it('once by five workers', async () => {
    await Promise.all(Array.from({ length: 5 }, send));
    expect(requestCount).toBe(1);
  });

  it('again when the mail service accepted it and the answer was lost', async () => {
    responders = [dropConnection];
    await send();
    await makeDue();
    await send();
    expect(requestCount).toBe(2);
    expect(await readMail()).toMatchObject({ status: 'sent' });
  });

  it('again when it is requested again while it is being sent', async () => {
    responders = [
      async (_, response) => {
        for (const insert of insertMail(content, userId, { eventId })) await write(insert);
        response.writeHead(200).end('{"MessageId":"1"}');
      },
    ];
    await send();
    expect(await readMail()).toMatchObject({ status: 'waiting' });
    await send();
    expect(requestCount).toBe(2);
    expect(await readMail()).toMatchObject({ status: 'sent' });
  });
});

describe('a mail fails, and its user is notified, when the mail service', () => {
  it.each([
    ['rejects its content', failWith(400, 'MessageRejected', 'Content rejected')],
    ['rejects its address', failWith(400, 'BadRequestException', 'Illegal address')],
  ])('%s', async (_, refusal) => {
    responders = [refusal];
    await send();
    expect(await readMail()).toMatchObject({ status: 'failed', reason: 'rejected' });
    await expectNotificationAndNoRetry();
  });

  it('fails for three days', async () => {
    responders = [failWith(503, 'ServiceUnavailable')];
    const requestedAt = new Date(Date.now() - 71.99 * 60 * 60 * 1000).toISOString();
    await write(update(keys.mail(mailId(content)), { set: { requestedAt } }));
    await send();
    expect(await readMail()).toMatchObject({ status: 'failed', reason: 'given-up' });
    await expectNotificationAndNoRetry();
  });

  async function expectNotificationAndNoRetry() {
    const { notifications } = await listNotifications([userId], { limit: 10, unreadOnly: true });
    expect(notifications).toEqual([
      expect.objectContaining({ type: 'WARNING', title: 'Mail not delivered' }),
    ]);
    await makeDue();
    await send();
    expect(requestCount).toBe(1);
  }
});

describe('without MAIL_FROM', () => {
  it('orders are fulfilled, and no mail is written', async () => {
    process.env.MAIL_FROM = '';
    const { orders } = await insertPaidOrders(2);
    const messages = orders.map(({ id: orderId, ...order }) => ({ ...order, orderId }));
    expect(await fulfilOrders(messages)).toEqual([]);
    for (const { id: orderId } of orders) {
      expect(await findMail(mailId({ kind: 'order-paid', orderId }))).toBeUndefined();
    }
  });

  it('a waiting mail stays stored, and is sent once MAIL_FROM is set again', async () => {
    process.env.MAIL_FROM = '';
    await send();
    expect(requestCount).toBe(0);
    process.env.MAIL_FROM = 'tickets@boxoffice.test';
    await send();
    expect(requestCount).toBe(1);
  });
});
