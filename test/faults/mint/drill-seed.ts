import { Endpoint } from '../../../shared/chain/connection.ts';
import { readNonce } from '../../../shared/chain/transactions.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { sendAll } from '../../../shared/runtime/queue.ts';
import { findNextNonce } from '../../../shared/tickets/nonce/store.ts';
import { Drama, happens } from './drama.ts';
import { FaultMix } from './fault-mix.ts';
import type { Plant } from './plant.ts';
import { plants } from './plant.ts';
import { Random } from './random.ts';
import { pay, placeOrder } from './shop.ts';

/**
 * One seed of the drill, in a process of its own: sells so many orders while everything goes wrong, lets the dust
 * settle, and prints what was injected and what is there in the end.
 *
 *     node drill-seed.ts <seed> <orders> [<planted mistake>]
 */
const [seed = 1, count = 1_000] = process.argv.slice(2, 4).map(Number);
const plant: Plant | undefined = plants[process.argv[4] as keyof typeof plants];
/** How long the dust may take to settle; with a mistake it may never. */
const patienceSeconds = plant ? 60 : 600;
const nobody = `0x${'0'.repeat(40)}`;
/** A buyer whose wallet no contract mints to; of the eight, the last. */
const hopelessBuyer = 7;

const began = Date.now();
const random = new Random(seed);
const drama = await Drama.start({ lanes: 2, nodes: ['a', 'b'], sweepMilliseconds: 8_000, plant });
const { world } = drama;
await write(update(keys.user(`buyer${hopelessBuyer}`), { set: { walletAddress: nobody } }));
for (const name of ['worker1', 'worker2', 'worker3']) world.startWorker(name, 4);
world.startSweeper();

const mix = new FaultMix(drama, random);
await sellAll();
mix.stop();
const soldSeconds = Math.round((Date.now() - began) / 1000);
const problem = await settle().catch((error: Error) => error.message);
const { problems, ...audit } = await drama.audit();
if (problem) problems.push(problem);
const told = plant ? problems.filter((one) => plant.sign.test(one)) : problems;

process.stdout.write(
  `${JSON.stringify({
    seed,
    seconds: Math.round((Date.now() - began) / 1000),
    soldSeconds,
    kills: world.kills.length,
    injected: Object.fromEntries([...mix.counts].sort()),
    audit: { ...audit, failed: audit.failed.length },
    problems: told.length,
    firstProblems: told.slice(0, 5),
  })}\n`,
);
await world.stop();
process.exit(told.length > 0 ? 1 : 0);

/** Sells in waves; some webhooks come twice, some messages twelve times, and a few wallets are hopeless. */
async function sellAll(): Promise<void> {
  for (let index = 0; index < count; ) {
    const wave = Array.from({ length: random.between(1, 30) }, () => index++).filter((at) => at < count);
    await Promise.all(wave.map(sellOne));
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 3_000)));
  }
}

async function sellOne(index: number): Promise<void> {
  const isHopeless = random.chance(0.01);
  const order = await placeOrder(
    drama.shop,
    isHopeless ? hopelessBuyer : index % hopelessBuyer,
    random.between(1, 5),
  );
  drama.orders.push(order);
  if (isHopeless) drama.hopeless.push(order.id);
  await Promise.all(random.chance(0.05) ? [pay(order), pay(order)] : [pay(order)]);
  if (random.chance(0.03))
    await sendAll(
      'mint',
      Array.from({ length: 12 }, () => ({ orderId: order.id })),
    );
}

/** Waits for all orders, then for the last looks: every nonce of every lane is on the chain again, for good. */
async function settle(): Promise<void> {
  await drama.settled(drama.orders, patienceSeconds);
  const node = new Endpoint(world.node.url);
  const { chainId } = world.node;
  for (const signer of world.minters) {
    const next = (await findNextNonce({ chainId, signer })) ?? 0;
    await happens(async () => {
      await sendAll(
        'mint',
        Array.from({ length: next }, (_, nonce) => ({ chainId, signer, nonce })),
      );
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return (await readNonce(node, signer, 'latest')) >= next;
    }, patienceSeconds);
  }
  await happens(async () => (await drama.audit()).problems.length === 0, plant ? 1 : 120);
}
