import { setTimeout as sleep } from 'node:timers/promises';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { RpcNode } from '../../../shared/chain/connection.ts';
import { readNonce } from '../../../shared/chain/transactions.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { findNextNonce } from '../../../shared/nft/nonce/store.ts';
import { requestReissue } from '../../../shared/nft/reissuing/request-reissue.ts';
import { sendMessages } from '../../../shared/runtime/queue.ts';
import { eventually } from '../../support/eventually.ts';
import { Random } from '../../support/random.ts';
import { FaultMix } from './fault-mix.ts';
import { deployHostileContracts } from './hostile-contracts.ts';
import { type Mutant, mutants } from './mutants.ts';
import { Scenario } from './scenario.ts';
import { openShop, pay, placeOrder } from './shop.ts';

/**
 * Runs one seed of the drill in a separate process: sells orders while faults are injected, waits until all of them are
 * fulfilled, and prints the faults and the audit.
 *
 *     node drill-seed.ts <seed> <orders> [<mutant>]
 */
const [seed = 1, count = 1_000] = process.argv.slice(2, 4).map(Number);
const mutant: Mutant | undefined = mutants[process.argv[4] as keyof typeof mutants];
/** The time limit for fulfilment after the last fault. With a mutant, fulfilment may never end. */
const timeoutSeconds = mutant ? 60 : 600;
const zeroAddress = `0x${'0'.repeat(40)}`;
/** The last of the eight buyers has the zero address, which no contract mints to. */
const unmintableBuyer = 7;

const startedAt = Date.now();
const random = new Random(seed);
const scenario = await Scenario.start({
  minterCount: 2,
  nodes: ['a', 'b'],
  sweepMilliseconds: 8_000,
  mutant,
});
const { world } = scenario;
const contracts = Object.values(await deployHostileContracts(world.node));
const hostileShops = await Promise.all(
  contracts.map((contract) => openShop({ chainId: world.node.chainId, contract })),
);
await write(update(keys.user(`buyer${unmintableBuyer}`), { set: { walletAddress: zeroAddress } }));
for (const name of ['worker1', 'worker2', 'worker3']) world.startWorker(name, 4);
world.startSweeper();

process.env[`CHAIN_${world.node.chainId}_RPC_URLS`] = world.node.url;
const faultMix = new FaultMix(scenario, random);
const reissuer = startReissuing();
await sellAll();
await reissuer.finish(Math.ceil(count / 20));
await faultMix.stop();
const soldSeconds = Math.round((Date.now() - startedAt) / 1000);
const timeoutProblem = await awaitFinalState().catch((error: Error) => error.message);
const { problems, ...audit } = await scenario.audit();
if (timeoutProblem) problems.push(timeoutProblem);
const relevantProblems = mutant ? problems.filter((problem) => mutant.symptom.test(problem)) : problems;

process.stdout.write(
  `${JSON.stringify({
    seed,
    seconds: Math.round((Date.now() - startedAt) / 1000),
    soldSeconds,
    kills: world.kills.length,
    injected: Object.fromEntries(
      [...faultMix.counts, ['reissues', reissuer.reissuedIds.size] as const].sort(),
    ),
    audit: { ...audit, failed: audit.failed.length },
    problems: relevantProblems.length,
    firstProblems: relevantProblems.slice(0, 5),
  })}\n`,
);
await world.stop();
process.exit(relevantProblems.length > 0 ? 1 : 0);

/**
 * Sells orders in waves. Some webhooks are delivered twice, some messages twelve times. Some orders have a wallet to
 * which no contract mints, or a hostile contract.
 */
async function sellAll(): Promise<void> {
  for (let index = 0; index < count; ) {
    const indexes = Array.from({ length: random.between(1, 30) }, () => index++).filter(
      (orderIndex) => orderIndex < count,
    );
    await Promise.all(indexes.map(sellOne));
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
  if (isUnmintable || hostileShop) scenario.unmintableIds.push(order.id);
  await Promise.all(random.chance(0.05) ? [pay(order), pay(order)] : [pay(order)]);
  if (random.chance(0.03))
    await sendMessages(
      'mint-tickets',
      Array.from({ length: 12 }, () => ({ message: { type: 'mint-order' as const, orderId: order.id } })),
    );
}

/** Requests reissues of random orders while faults are injected. The requests themselves bypass the fault proxy. */
function startReissuing() {
  const reissuedIds = new Set<string>();
  let isStopping = false;
  const requestOne = async () => {
    const order = scenario.orders[random.between(0, Math.max(0, scenario.orders.length - 1))];
    if (!order || scenario.unmintableIds.includes(order.id)) return;
    const wallet = developmentWallet(100 + random.between(0, 500)).address;
    // A reissue is refused while the order is being minted or reissued, and after five reissues.
    await requestReissue({ userId: 'admin', role: 'ADMIN' }, order.id, wallet).then(
      () => reissuedIds.add(order.id),
      (error) => {
        if (!(error instanceof DomainError)) throw error;
      },
    );
  };
  const run = async () => {
    while (!isStopping) {
      await Promise.all([requestOne(), requestOne()]);
      await sleep(random.between(100, 800));
    }
  };
  const running = run();
  /** Continues until the minimum of orders is reissued, for two minutes at most. */
  const finish = async (minimum: number) => {
    const deadline = Date.now() + 120_000;
    while (reissuedIds.size < minimum && Date.now() < deadline) await sleep(500);
    isStopping = true;
    await running;
  };
  return { reissuedIds, finish };
}

/**
 * Waits until all orders are fulfilled, the chain has mined all nonces of each minter, also after reorganisations, and
 * the audit finds no problems.
 */
async function awaitFinalState(): Promise<void> {
  await scenario.awaitFulfilment(scenario.orders, timeoutSeconds);
  const node = new RpcNode(world.node.url);
  const { chainId } = world.node;
  for (const signer of world.minters) {
    const next = (await findNextNonce({ chainId, signer })) ?? 0;
    /** Returns whether the chain has all nonces. If not, queues a check of each. */
    const checkNonces = async () => {
      if ((await readNonce(node, signer, 'latest')) >= next) return true;
      await sendMessages(
        'mint-tickets',
        Array.from({ length: next }, (_, nonce) => ({
          message: { type: 'check-nonce' as const, chainId, signer, nonce },
        })),
      );
      return false;
    };
    await eventually(`the chain has ${next} nonces of ${signer}`, checkNonces, {
      seconds: timeoutSeconds,
      intervalMilliseconds: 5_000,
    });
  }
  const isClean = async () => (await scenario.audit()).problems.length === 0;
  await eventually('the audit finds no problems', isClean, { seconds: mutant ? 1 : 120 });
}
