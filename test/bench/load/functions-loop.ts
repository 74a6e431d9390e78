import { createHmac } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Message } from '@aws-sdk/client-sqs';
import { httpEvent } from '../usage/sale-usage.ts';
import { createBuyers } from './buyers.ts';
import { LoopQueue } from './loop-queue.ts';
import { runLoad } from './run-load.ts';
import type { Sale } from './shop.ts';

/**
 * The service's own code in the floor's loop: the built functions in one process, called without HTTP servers and threads
 * between them. Its difference to the floor is what validation, signatures, states, ledger, texts and logs cost.
 * Parameters: the sale, and the files of the functions.
 */
const [saleText = '', ...files] = process.argv.slice(2);
const sale: Sale = JSON.parse(saleText);
const gatewaySecret = process.env.GATEWAY_A_SECRET ?? '';
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

const fulfilQueue = await LoopQueue.create('functions-fulfil');
const mailQueue = await LoopQueue.create('functions-mail');
Object.assign(process.env, { FULFIL_QUEUE_URL: fulfilQueue.url, MAIL_QUEUE_URL: mailQueue.url });

type Call = (event: object) => Promise<{ statusCode: number; body: string }>;
const loadFunction = async (file: string): Promise<Call> => {
  const { handler } = await import(pathToFileURL(file).href);
  return (event) => handler(event, { getRemainingTimeInMillis: () => 10_000 });
};
const [initialize, webhook, fulfil, sendMail] = (await Promise.all(files.map(loadFunction))) as [
  Call,
  Call,
  Call,
  Call,
];
const buyers = await createBuyers(4_000);

let nextBuyer = 0;
let unfulfilled = 0;

async function processOrder(): Promise<boolean> {
  const order = { ...sale, quantity: 2, paymentMethod: 'FIAT', gateway: 'gateway-a' };
  const token = buyers[nextBuyer++ % buyers.length];
  const initialized = await initialize(httpEvent('POST', '/api/orders/initialize', order, token));
  if (initialized.statusCode !== 201) return false;
  if ((await webhook(delivery(JSON.parse(initialized.body)))).statusCode !== 200) return false;
  if (++unfulfilled % 10 === 0) await runWorkers();
  return true;
}

function delivery({ reference, totalAmount }: { reference: string; totalAmount: number }) {
  const data = { id: 4_099_260_516, reference, amount: Math.round(totalAmount * 100), currency: 'USD' };
  const event = httpEvent('POST', '/api/webhooks/gateway-a', { event: 'charge.success', data });
  const signature = createHmac('sha512', gatewaySecret).update(event.body).digest('hex');
  return { ...event, headers: { ...event.headers, 'x-gateway-a-signature': signature } };
}

/** What the workers do for ten orders. */
async function runWorkers(): Promise<void> {
  await fulfilQueue.handleBatch(async (messages) => {
    await fulfil({ Records: messages.map(toRecord) });
  });
  await mailQueue.handleBatch(async (messages) => {
    for (const message of messages) await sendMail({ Records: [toRecord(message)] });
  });
}

const toRecord = ({ MessageId: messageId, Body: body }: Message) => ({
  messageId,
  body,
  attributes: { ApproximateReceiveCount: '1' },
});

process.on('message', async (load: { concurrency: number; seconds: number }) =>
  process.send?.(await runLoad(load, processOrder)),
);
// The parent process has ended.
process.once('disconnect', () => process.exit());
