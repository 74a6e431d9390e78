import { setTimeout as sleep } from 'node:timers/promises';
import { developmentWallet } from '../../../infra/local/parts/contract.ts';
import { Endpoint } from '../../../shared/chain/connection.ts';
import { readNonce } from '../../../shared/chain/transactions.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { sendMessages } from '../../../shared/runtime/queue.ts';
import { findNextNonce } from '../../../shared/tickets/nonce/store.ts';
import { requestReissue } from '../../../shared/tickets/reissuing/request-reissue.ts';
import { eventually } from '../../support/eventually.ts';
import { FaultMix } from './fault-mix.ts';
import { deployHostileContracts } from './hostile-contracts.ts';
import { type Mutant, mutants } from './mutants.ts';
import { Random } from './random.ts';
import { Scenario } from './scenario.ts';
import { openShop, pay, placeOrder } from './shop.ts';

/**
 * One seed of the drill, in a process of its own: sells orders while faults are injected, waits until all of them
 * are fulfilled, and prints the faults and the audit.
 *
 *     node drill-seed.ts <seed> <orders> [<mutant>]
 */
const [seed = 1, count = 1_000] = process.argv.slice(2, 4).map(Number);
const mutant: Mutant | undefined = mutants[process.argv[4] as keyof typeof mutants];
/** The time limit for fulfilment after the last fault. A mutant may never finish. */
const timeoutSeconds = mutant ? 60 : 600;
const zeroAddress = `0x${'0'.repeat(40)}`;
/** The last of the eight buyers has the zero address, which no contract mints to. */
const unmintableBuyer = 7;

const began = Date.now();
const random = new Random(seed);
const scenario = await Scenario.start({ lanes: 2, nodes: ['a', 'b'], sweepMilliseconds: 8_000, mutant });
const { world } = scenario;
const contracts = Object.values(await deployHostileContracts(world.node));
const hostileShops = await Promise.all(
  contracts.map((contract) => openShop({ chainId: world.node.chainId, contract })),
);
await write(update(keys.user(`buyer${unmintableBuyer}`), { set: { walletAddress: zeroAddress } }));
for (const name of ['worker1', 'worker2', 'worker3']) world.startWorker(name, 4);
world.startSweeper();

process.env[`CHAIN_${world.node.chainId}_RPC_URLS`] = world.node.url;
const mix = new FaultMix(scenario, random);
const reissuer = reissueNowAndThen();
await sellAll();
await reissuer.finish(Math.ceil(count / 20));
mix.stop();
const soldSeconds = Math.round((Date.now() - began) / 1000);
const problem = await settle().catch((error: Error) => error.message);
const { problems, ...audit } = await scenario.audit();
if (problem) problems.push(problem);
const reported = mutant ? problems.filter((one) => mutant.symptom.test(one)) : problems;

process.stdout.write(
  `${JSON.stringify({
    seed,
    seconds: Math.round((Date.now() - began) / 1000),
    soldSeconds,
    kills: world.kills.length,
    injected: Object.fromEntries([...mix.counts, ['reissues', reissuer.reissued.size] as const].sort()),
    audit: { ...audit, failed: audit.failed.length },
    problems: reported.length,
    firstProblems: reported.slice(0, 5),
  })}\n`,
);
await world.stop();
process.exit(reported.length > 0 ? 1 : 0);

/**
 * Sells in waves; some webhooks are delivered twice, some messages twelve times, a few wallets can't be minted to, and
 * some organizers' contracts are hostile.
 */
async function sellAll(): Promise<void> {
  for (let index = 0; index < count; ) {
    const wave = Array.from({ length: random.between(1, 30) }, () => index++).filter((at) => at < count);
    await Promise.all(wave.map(sellOne));
    await sleep(random.between(0, 3_000));
  }
}

async function sellOne(index: number): Promise<void> {
  const isUnmintable = random.chance(0.01);
  const hostileShop = random.chance(0.1) ? hostileShops[index % hostileShops.length] : undefined;
  const order = await placeOrder(
    hostileShop ?? scenario.shop,
    isUnmintable ? unmintableBuyer : index % unmintableBuyer,
    random.between(1, 5),
  );
  scenario.orders.push(order);
  if (isUnmintable || hostileShop) scenario.unmintable.push(order.id);
  await Promise.all(random.chance(0.05) ? [pay(order), pay(order)] : [pay(order)]);
  if (random.chance(0.03))
    await sendMessages(
      'mint',
      Array.from({ length: 12 }, () => ({ message: { orderId: order.id } })),
    );
}

/**
 * Has minted orders reissued while the faults go on, some of them more than once.
 * The requests themselves meet no faults.
 */
function reissueNowAndThen() {
  const reissued = new Set<string>();
  let isStopping = false;
  const once = async () => {
    const order = scenario.orders[random.between(0, Math.max(0, scenario.orders.length - 1))];
    if (!order || scenario.unmintable.includes(order.id)) return;
    const wallet = developmentWallet(100 + random.between(0, 500)).address;
    // A reissue is refused while the order is being minted or reissued, and after five reissues.
    await requestReissue({ userId: 'admin', role: 'ADMIN' }, order.id, wallet).then(
      () => reissued.add(order.id),
      (error) => {
        if (!(error instanceof DomainError)) throw error;
      },
    );
  };
  const run = async () => {
    while (!isStopping) {
      await Promise.all([once(), once()]);
      await sleep(random.between(100, 800));
    }
  };
  const running = run();
  /** Goes on until so many orders were reissued, for two minutes at most. */
  const finish = async (least: number) => {
    const deadline = Date.now() + 120_000;
    while (reissued.size < least && Date.now() < deadline) await sleep(500);
    isStopping = true;
    await running;
  };
  return { reissued, finish };
}

/** Waits for all orders, then for the final checks: every nonce of every lane is on the chain after reorganisations. */
async function settle(): Promise<void> {
  await scenario.settled(scenario.orders, timeoutSeconds);
  const node = new Endpoint(world.node.url);
  const { chainId } = world.node;
  for (const signer of world.minters) {
    const next = (await findNextNonce({ chainId, signer })) ?? 0;
    const isRestored = async () => {
      if ((await readNonce(node, signer, 'latest')) >= next) return true;
      await sendMessages(
        'mint',
        Array.from({ length: next }, (_, nonce) => ({ message: { chainId, signer, nonce } })),
      );
      return false;
    };
    await eventually(`the chain has ${next} nonces of ${signer}`, isRestored, {
      seconds: timeoutSeconds,
      milliseconds: 5_000,
    });
  }
  const isClean = async () => (await scenario.audit()).problems.length === 0;
  await eventually('the audit finds no problems', isClean, { seconds: mutant ? 1 : 120 });
}
