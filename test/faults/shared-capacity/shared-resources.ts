import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deployTicketContract } from '../../../infra/contracts/deploy-ticket-contract.ts';
import { createTable } from '../../../infra/local/services/aws.ts';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { freePort, listen } from '../../../infra/local/services/process.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';
import { deployHostileContracts, type HostileKind } from '../mint/hostile-contracts.ts';
import { type Node, startNode } from '../mint/node.ts';

/**
 * The resources that all tenants share: a table, queues, a chain with one minting account, and the payment providers.
 */
export interface SharedResources {
  backend: Backend;
  node: Node;
  sandbox: Sandbox;
  provider: FailingProvider;
  /** Ticket contracts of the honest and the hostile tenant. */
  contracts: { honest: string; hostile: string };
  /** Contracts that are not the ticket contract, by their behaviour. */
  hostileContracts: Record<HostileKind, string>;
  stop(): Promise<void>;
}

/** A server in place of gateway-b, which only the hostile tenant uses. */
export interface FailingProvider {
  /** `throttle` answers 429, `hang` never answers. */
  mode: 'throttle' | 'hang';
  requests: number;
}

let startedNode: Node | undefined;

/** Returns the node of the chain. @throws Error before it is started */
export function getNode(): Node {
  if (!startedNode) throw new Error('The chain is not started');
  return startedNode;
}

export async function startSharedResources(): Promise<SharedResources> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-capacity-'));
  const backend = await startBackend();
  const sandbox = await startPaymentSandbox();
  const node = await startNode(await freePort(), path.join(directory, 'chain.log'));
  startedNode = node;
  const { server, url, provider } = await startFailingProvider();
  const minter = developmentWallet(1);
  Object.assign(process.env, {
    GATEWAY_B_URL: url,
    MINTER_PRIVATE_KEY: minter.privateKey,
    [`CHAIN_${node.chainId}_RPC_URLS`]: node.url,
    TREASURY_ADDRESS: developmentWallet(8).address,
    STAGE: 'drill',
    HOLD_MINUTES: '2',
    RETRY_SECONDS: '0',
  });
  node.setBlocksPerSecond(50);
  const deploy = (deployer: number) =>
    deployTicketContract({
      rpcUrl: node.url,
      deployerKey: developmentWallet(deployer).privateKey,
      name: 'Tickets',
      symbol: 'TIX',
      minters: [minter.address],
    });
  const contracts = { honest: await deploy(2), hostile: await deploy(3) };
  const hostileContracts = await deployHostileContracts(node);
  node.setBlocksPerSecond(0);
  return {
    backend,
    node,
    sandbox,
    provider,
    contracts,
    hostileContracts,
    async stop() {
      server.closeAllConnections();
      server.close();
      await node.stop();
      await sandbox.stop();
      await backend.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function startFailingProvider(): Promise<{ server: Server; url: string; provider: FailingProvider }> {
  const provider: FailingProvider = { mode: 'throttle', requests: 0 };
  const server = createServer((_, response) => {
    provider.requests++;
    if (provider.mode === 'hang') return;
    response.writeHead(429, { 'content-type': 'application/json' }).end('{"status":"error"}');
  });
  return { server, url: `http://127.0.0.1:${await listen(server, 0)}`, provider };
}

/** Makes the stores use an empty table. */
export async function useNewTable({ backend }: SharedResources, name: string): Promise<void> {
  process.env.TABLE_NAME = name;
  await createTable(backend.dynamodbUrl, name, { dropExisting: false });
}
