import { parseArgs } from 'node:util';
import { Contract, JsonRpcProvider, Network, Wallet } from 'ethers';
import { atGateway, forFree, onChain, type Way } from './demo/pay.ts';
import { playPayout } from './demo/payout.ts';
import { call, eventually, type Json, readStack, step } from './demo/story.ts';
import type { StackDescription } from './stack.ts';

/**
 * `npm run demo`: sells tickets on the running stack over HTTP, and prints each step.
 * `-- --gateway gateway-b` chooses another provider, `-- --crypto` pays on the chain, `-- --free` sells free tickets,
 * and `-- --payout` adds the organizer's payout.
 */

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
  const way = values.crypto ? onChain : values.free ? forFree : atGateway(values.gateway);
  const { organizer, buyer } = await play(stack, way);
  if (values.payout) await playPayout(stack, organizer.token);
  await readMails(stack, buyer.user.email);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

/** @returns the organizer and the buyer */
async function play(stack: StackDescription, way: Way): Promise<{ organizer: Json; buyer: Json }> {
  const api = (method: string, route: string, token?: string, body?: object) =>
    call(method, `${stack.apiUrl}${route}`, token, body);
  const unique = Date.now().toString(36);

  const organizer = await api('POST', '/api/auth/register', undefined, {
    email: `olu.${unique}@example.com`,
    password: `demo ${unique} organizer`,
    name: 'Olu Adeyemi',
    role: 'ORGANIZER',
  });
  step('An organizer registers', { name: organizer.user.name, role: organizer.user.role });

  const wallet = Wallet.createRandom();
  const buyer = await api('POST', '/api/auth/register', undefined, {
    email: `bea.${unique}@example.com`,
    password: `demo ${unique} buyer`,
    name: 'Bea Santos',
    walletAddress: wallet.address,
  });
  step('A buyer registers, with a wallet', { name: buyer.user.name, wallet: buyer.user.walletAddress });

  const [standing, balcony] = way.prices;
  const { event: created } = await api('POST', '/api/events', organizer.token, {
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
        price: standing,
        quantity: 200,
        maxPerPerson: 4,
      },
      { name: 'Balcony', description: 'Seated', price: balcony, quantity: 40, maxPerPerson: 2 },
    ],
  });
  const inCurrency = { currency: way.currency };
  const { event } = await api('PUT', `/api/events/${created.id}`, organizer.token, inCurrency);
  step('The organizer creates an event', {
    title: event.title,
    tickets: event.tiers.map(
      (tier: Json) => `${tier.quantity} × ${tier.name} at ${tier.price} ${event.currency}`,
    ),
    contract: `${event.contractAddress} on chain ${event.chainId}`,
  });

  const order = await api('POST', '/api/orders/initialize', buyer.token, {
    eventId: event.id,
    tierId: event.tiers[0].id,
    quantity: 2,
    ...way.order,
  });
  step('The buyer orders two standing tickets', {
    'to pay': `${order.totalAmount} ${order.currency} (2 × ${standing}, and 2.5 % on top)`,
    reference: order.reference,
    ...(order.checkoutUrl && { checkout: order.checkoutUrl }),
  });

  await way.pay(stack, { token: buyer.token, wallet }, order);

  const completed = await eventually('The order did not become COMPLETED', async () => {
    const current = (await api('GET', `/api/orders/${order.orderId}`, buyer.token)).order;
    return current.paymentStatus === 'COMPLETED' && current;
  });
  step('The order is completed', { status: completed.paymentStatus, transaction: completed.paymentTxId });

  const notification = await eventually('The notification did not arrive', async () => {
    return (await api('GET', '/api/notifications', buyer.token)).notifications[0];
  });

  const tickets = await eventually('The tickets were not minted', async () => {
    const found = (await api('GET', `/api/tickets?orderId=${order.orderId}`, buyer.token)).tickets;
    return found.length === 2 && found;
  });
  const minted = (await api('GET', `/api/orders/${order.orderId}`, buyer.token)).order;
  step('The tickets are minted', {
    transaction: minted.blockchainTxHash,
    owners: await owners(
      stack,
      tickets.map((ticket: Json) => ticket.tokenId),
    ),
  });
  step('The buyer reads the notification', {
    [notification.type]: `${notification.title}. ${notification.message}`,
  });
  return { organizer, buyer };
}

/** Waits for the mail with the tickets, and shows where all mails are. */
async function readMails(stack: StackDescription, address: string): Promise<void> {
  const mail = await eventually('The mail did not arrive', async () => {
    const { emails } = (await (await fetch(`${stack.mailUrl}/store`)).json()) as Json;
    return emails.find(
      ({ destination, subject }: Json) =>
        destination.to.includes(address) && subject.startsWith('Your tickets'),
    );
  });
  step('The buyer reads the mail with the tickets', {
    subject: mail.subject,
    attachments: mail.attachments.map(({ filename }: Json) => filename).join(', '),
    mailbox: stack.mailUrl,
  });
}

/** Reads each token's owner from the chain. */
async function owners(stack: StackDescription, tokenIds: string[]): Promise<string[]> {
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
