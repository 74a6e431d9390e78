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
 * `npm run demo`: sells tickets on the running stack over HTTP, and prints each step. The first run registers an
 * organizer and a buyer, and later runs reuse them. `-- --gateway gateway-b` chooses another provider, `-- --crypto`
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
  const order = await sellTickets(stack, paymentWay, organizer.token, buyer.token);
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

/** Creates an event and sells two tickets. @returns the order */
async function sellTickets(
  stack: StackDescription,
  paymentWay: PaymentWay,
  organizerToken: string,
  buyerToken: string,
): Promise<Json> {
  const api = (method: string, route: string, token?: string, body?: object) =>
    call(method, `${stack.apiUrl}${route}`, token, body);

  const [standingPrice, balconyPrice] = paymentWay.prices;
  const { event: created } = await api('POST', '/api/events', organizerToken, {
    title: 'Night of Small Stages',
    venue: 'The Old Foundry',
    city: 'Lagos',
    country: 'Nigeria',
    category: 'concert',
    startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    contractAddress: stack.ticketContract,
    chainId: stack.chainId,
    tiers: [
      {
        name: 'Standing',
        description: 'In front of the stage',
        price: standingPrice,
        quantity: 200,
        maxPerPerson: 4,
      },
      { name: 'Balcony', description: 'Seated', price: balconyPrice, quantity: 40, maxPerPerson: 2 },
    ],
  });
  const change = { currency: paymentWay.currency };
  const { event } = await api('PUT', `/api/events/${created.id}`, organizerToken, change);
  printStep('The organizer creates an event', {
    title: event.title,
    tickets: event.tiers.map(
      (tier: Json) => `${tier.quantity} × ${tier.name} at ${tier.price} ${event.currency}`,
    ),
    contract: `${event.contractAddress} on chain ${event.chainId}`,
  });

  const order = await api('POST', '/api/orders/initialize', buyerToken, {
    eventId: event.id,
    tierId: event.tiers[0].id,
    quantity: 2,
    ...paymentWay.order,
  });
  printStep('The buyer orders two standing tickets', {
    'to pay': `${order.totalAmount} ${order.currency} (2 × ${standingPrice}, and a fee of 2.5 %)`,
    reference: order.reference,
    ...(order.checkoutUrl && { checkout: order.checkoutUrl }),
  });

  await paymentWay.pay(stack, { token: buyerToken, wallet: buyerWallet }, order);

  const completed = await eventually('The order did not become COMPLETED', async () => {
    const current = (await api('GET', `/api/orders/${order.orderId}`, buyerToken)).order;
    return current.paymentStatus === 'COMPLETED' && current;
  });
  printStep('The order is completed', {
    status: completed.paymentStatus,
    transaction: completed.paymentTxId,
  });

  const notification = await eventually('The notification did not arrive', async () => {
    const { notifications } = await api('GET', '/api/notifications', buyerToken);
    return notifications.find(({ orderId }: Json) => orderId === order.orderId);
  });

  const tickets = await eventually('The tickets were not minted', async () => {
    const found = (await api('GET', `/api/tickets?orderId=${order.orderId}`, buyerToken)).tickets;
    return found.length === 2 && found;
  });
  const minted = (await api('GET', `/api/orders/${order.orderId}`, buyerToken)).order;
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
