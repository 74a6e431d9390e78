import { parseArgs } from 'node:util';
import { Contract, JsonRpcProvider, Network } from 'ethers';
import { type PaymentWay, payAtGateway, payNothing, payOnChain, requestPayout } from './demo/pay.ts';
import {
  buyerLogin,
  call,
  directory,
  eventually,
  type Json,
  type Login,
  organizerLogin,
  printStep,
  ResponseError,
  readStack,
  saveLogins,
} from './demo/steps.ts';
import { developmentWallet } from './services/contract.ts';
import { StartError } from './services/process.ts';
import type { StackDescription } from './stack.ts';

/**
 * `npm run demo`: sells tickets on the running stack over HTTP, to a buyer with an account and to a family without one,
 * and prints each step. The first run registers an organizer and a buyer, and later runs reuse them. `-- --gateway gateway-b` chooses another provider, `-- --crypto`
 * pays on the chain, `-- --free` sells free tickets, and `-- --payout` adds the organizer's payout.
 */

/** The buyer's wallet, which has coins on the local chain. The minter and the treasury use the wallets before it. */
const buyerWallet = developmentWallet(3);

try {
  const { values } = parseArgs({
    options: {
      gateway: { type: 'string', default: 'gateway-a' },
      crypto: { type: 'boolean', default: false },
      free: { type: 'boolean', default: false },
      payout: { type: 'boolean', default: false },
    },
  });
  const stack = readStack();
  const paymentWay = values.crypto ? payOnChain : values.free ? payNothing : payAtGateway(values.gateway);
  const organizer = await registerOrLogIn(stack, organizerLogin, { name: 'Olu Adeyemi', role: 'ORGANIZER' });
  printStep('An organizer logs in', { name: organizer.user.name, role: organizer.user.role });
  const buyer = await registerOrLogIn(stack, buyerLogin, {
    name: 'Bea Santos',
    walletAddress: buyerWallet.address,
  });
  printStep('A buyer logs in, who has a wallet', { name: buyer.user.name, wallet: buyer.user.walletAddress });
  if (!buyer.user.emailVerified) await confirmAddress(stack, buyer.token);
  const event = await createEvent(stack, paymentWay, organizer.token);
  const order = await sellTickets(stack, paymentWay, event, buyer.token);
  await sellToFamily(stack, paymentWay, event);
  if (values.payout) await requestPayout(stack, organizer.token);
  await readTicketMail(stack, order);
  const logins = saveLogins(directory);
  printStep('Now you: log in, and look at all mails', {
    shop: stack.apiUrl,
    logins,
    mailbox: stack.mailUrl,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Registers an account, or logs in if an earlier run has registered it. @throws StartError when the login fails */
async function registerOrLogIn({ apiUrl }: StackDescription, login: Login, profile: object): Promise<Json> {
  const send = (route: string, body: object) => call('POST', `${apiUrl}/api/auth/${route}`, undefined, body);
  const undefinedOn = (status: number) => (error: unknown) => {
    if (error instanceof ResponseError && error.status === status) return undefined;
    throw error;
  };
  const session =
    (await send('register', { ...login, ...profile }).catch(undefinedOn(409))) ??
    (await send('login', login).catch(undefinedOn(401)));
  if (session) return session;
  throw new StartError(
    `${login.email} has another password now. Remove all data with npm start -- --fresh, and run the demo again.`,
  );
}

/** Confirms the buyer's e-mail address, since an unconfirmed one gets at most 20 mails a day. */
async function confirmAddress(stack: StackDescription, token: string): Promise<void> {
  await call('POST', `${stack.apiUrl}/api/auth/verify-email/send`, token);
  const tokenOfLink = /[?&]token=([\w.-]+)/;
  const mail = await findMail(stack, 'The mail with the link did not arrive', tokenOfLink);
  const [, secret] = tokenOfLink.exec(mail.body.text) ?? [];
  // With the buyer's token, so that the account keeps its wallet.
  await call('POST', `${stack.apiUrl}/api/auth/verify-email`, token, { token: secret });
  printStep('The buyer confirms the e-mail address with the link from a mail', { subject: mail.subject });
}

/** Creates an event on which anybody can buy tickets, also without an account. */
async function createEvent(
  { apiUrl, ticketContract, chainId }: StackDescription,
  { prices: [standingPrice, balconyPrice], currency }: PaymentWay,
  organizerToken: string,
): Promise<Json> {
  const { event: created } = await call('POST', `${apiUrl}/api/events`, organizerToken, {
    title: 'Night of Small Stages',
    venue: 'The Old Foundry',
    city: 'Lagos',
    country: 'Nigeria',
    category: 'concert',
    startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    contractAddress: ticketContract,
    chainId,
    buyers: 'anyone',
    tiers: [
      {
        name: 'Standing',
        description: 'In front of the stage',
        price: standingPrice,
        quantity: 200,
        maxPerPerson: 4,
      },
      { name: 'Balcony', description: 'Seated', price: balconyPrice, quantity: 40, maxPerPerson: 2 },
      { name: 'Child', description: 'Up to 12 years', price: standingPrice / 2, quantity: 50 },
      { name: 'Parking', price: standingPrice / 5, quantity: 30, kind: 'addon' },
    ],
  });
  const { event } = await call('PUT', `${apiUrl}/api/events/${created.id}`, organizerToken, { currency });
  printStep('The organizer creates an event', {
    title: event.title,
    tickets: event.tiers.map(
      (tier: Json) => `${tier.quantity} × ${tier.name} at ${tier.price} ${event.currency}`,
    ),
    contract: `${event.contractAddress} on chain ${event.chainId}`,
  });
  return event;
}

/** Sells two tickets to the buyer. @returns the order */
async function sellTickets(
  stack: StackDescription,
  paymentWay: PaymentWay,
  event: Json,
  buyerToken: string,
): Promise<Json> {
  const api = (method: string, route: string, body?: object) =>
    call(method, `${stack.apiUrl}${route}`, buyerToken, body);

  const order = await api('POST', '/api/orders/initialize', {
    eventId: event.id,
    tierId: event.tiers[0].id,
    quantity: 2,
    ...paymentWay.order,
  });
  printStep('The buyer orders two standing tickets', {
    'to pay': `${order.totalAmount} ${order.currency} (2 × ${event.tiers[0].price}, and a fee of 2.5 %)`,
    reference: order.reference,
    ...(order.checkoutUrl && { checkout: order.checkoutUrl }),
  });

  await paymentWay.pay(stack, { token: buyerToken, wallet: buyerWallet }, order);

  const completed = await waitForPayment(stack, order, buyerToken);
  printStep('The order is completed', {
    status: completed.paymentStatus,
    transaction: completed.paymentTxId,
  });

  const notification = await eventually('The notification did not arrive', async () => {
    const { notifications } = await api('GET', '/api/notifications');
    return notifications.find(({ orderId }: Json) => orderId === order.orderId);
  });

  const tickets = await eventually('The tickets were not minted', async () => {
    const found = (await api('GET', `/api/tickets?orderId=${order.orderId}`)).tickets;
    return found.length === 2 && found;
  });
  const minted = (await api('GET', `/api/orders/${order.orderId}`)).order;
  printStep('The tickets are minted', {
    transaction: minted.blockchainTxHash,
    owners: await readOwners(
      stack,
      tickets.map((ticket: Json) => ticket.tokenId),
    ),
  });
  printStep('The buyer reads the notification', {
    [notification.type]: `${notification.title}. ${notification.message}`,
  });
  return order;
}

/** Sells two adults' tickets, a child's and a parking space in one order, to somebody without an account. */
async function sellToFamily(stack: StackDescription, paymentWay: PaymentWay, event: Json): Promise<void> {
  const [adult, , child, parking] = event.tiers;
  const order = await call('POST', `${stack.apiUrl}/api/orders/initialize`, undefined, {
    eventId: event.id,
    items: [
      { tierId: adult.id, quantity: 2 },
      { tierId: child.id, quantity: 1 },
      { tierId: parking.id, quantity: 1 },
    ],
    ...paymentWay.order,
    customer: { email: 'fay@example.com', name: 'Fay Okoro' },
  });
  printStep('A family orders for two adults, a child and a car, without an account', {
    'to pay': `${order.totalAmount} ${order.currency}`,
    reference: order.reference,
    ...(order.checkoutUrl && { checkout: order.checkoutUrl }),
  });
  const token = `Order ${order.accessToken}`;
  await paymentWay.pay(stack, { token, wallet: buyerWallet }, order);
  const { admissions } = await waitForPayment(stack, order, token);
  printStep('The family opens the order with its link', {
    link: `${stack.apiUrl}/orders/${order.orderId}#${order.accessToken}`,
    'at the door': admissions.map(({ number, tierName }: Json) => `${number}: ${tierName}`),
  });
}

/** Waits until an order is completed, with check-in codes. */
function waitForPayment({ apiUrl }: StackDescription, { orderId }: Json, token: string): Promise<Json> {
  return eventually('The order did not become COMPLETED', async () => {
    const { order } = await call('GET', `${apiUrl}/api/orders/${orderId}`, token);
    return order.paymentStatus === 'COMPLETED' && order;
  });
}

/** Waits for the mail with the tickets of an order. */
async function readTicketMail(stack: StackDescription, { reference }: Json): Promise<void> {
  const mail = await findMail(stack, 'The mail with the tickets did not arrive', new RegExp(reference));
  printStep('The buyer reads the mail with the tickets', {
    subject: mail.subject,
    attachments: mail.attachments.map(({ filename }: Json) => filename).join(', '),
  });
}

/** Waits for the newest mail to the buyer whose text matches. */
function findMail(stack: StackDescription, failure: string, text: RegExp): Promise<Json> {
  return eventually(failure, async () => {
    const { emails } = await call('GET', `${stack.mailUrl}/store`);
    return emails.findLast(
      ({ destination, body }: Json) => destination.to.includes(buyerLogin.email) && text.test(body.text),
    );
  });
}

/** Reads each token's owner from the chain. */
async function readOwners(stack: StackDescription, tokenIds: string[]): Promise<string[]> {
  const network = new Network('local', stack.chainId);
  const provider = new JsonRpcProvider(stack.chainRpcUrl, network, { staticNetwork: network });
  const abi = ['function ownerOf(uint256) view returns (address)'];
  const contract = new Contract(stack.ticketContract, abi, provider);
  try {
    return await Promise.all(
      tokenIds.map(
        async (tokenId) => `token ${tokenId} belongs to ${await contract.getFunction('ownerOf')(tokenId)}`,
      ),
    );
  } finally {
    provider.destroy();
  }
}
