import fc from 'fast-check';
import {
  type Address,
  createPublicClient,
  erc721Abi,
  getContract,
  type Hex,
  http,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, expect, test } from 'vitest';
import artifact from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { type Chain, type DeployedContract, startChain } from './chain.ts';
import { callOf, Model, orderKey, Refusal, sequences } from './model.ts';

/** Tests the contract with viem, as a wallet or an indexer reads it: by its ERC interfaces and its artifact. */

let chain: Chain;
let accounts: string[];
const createClient = () => createPublicClient({ chain: foundry, transport: http(chain.url) });
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  chain = await startChain();
  accounts = chain.accounts.slice(0, 5);
  client = createClient();
}, 60_000);
afterAll(() => chain?.stop());

/** ERC-721 with the error of ERC-6093 that distinguishes an absent token from a failed call. */
const tokenAbi = [...erc721Abi, ...parseAbi(['error ERC721NonexistentToken(uint256 tokenId)'])] as const;

/** The functions of the other standards that the contract implements. */
const otherStandardsAbi = parseAbi([
  'function contractURI() view returns (string)',
  'function owner() view returns (address)',
  'function locked(uint256 tokenId) view returns (bool)',
  'function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 amount)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
]);

test('a client reads the functions of ERC-721 and of the other standards', async () => {
  const [admin, minter, buyer] = accounts as [string, string, string];
  const uris = ['https://example.org/t/', 'https://example.org/t'];
  const args = ['The Show', 'SHOW', uris[0], false, admin, [minter], [minter], uris[1]];
  const deployed = await chain.deploy(admin, artifact, args);
  await chain.execute(minter, deployed, 'mintOrder', [orderKey(0), buyer, 2]);
  await chain.execute(admin, deployed, 'setDefaultRoyalty', [admin, 500n]);

  const address = deployed.address as Address;
  const token = getContract({ address, abi: tokenAbi, client });
  const tokenId = BigInt(orderKey(0)) + 1n;
  expect(await token.read.name()).toBe('The Show');
  expect(await token.read.symbol()).toBe('SHOW');
  expect(await token.read.tokenURI([tokenId])).toBe(`${uris[0]}${tokenId}`);
  expect((await token.read.ownerOf([tokenId])).toLowerCase()).toBe(buyer);
  expect(await token.read.balanceOf([buyer as Address])).toBe(2n);
  expect(await token.read.getApproved([tokenId])).toBe(zeroAddress);
  expect(await token.read.isApprovedForAll([buyer as Address, admin as Address])).toBe(false);

  const otherStandards = getContract({ address, abi: otherStandardsAbi, client });
  expect(await otherStandards.read.contractURI()).toBe(uris[1]);
  expect((await otherStandards.read.owner()).toLowerCase()).toBe(admin);
  expect(await otherStandards.read.locked([tokenId])).toBe(true);
  const [receiver, amount] = await otherStandards.read.royaltyInfo([tokenId, 1_000n]);
  expect([receiver.toLowerCase(), amount]).toEqual([admin, 50n]);
  expect(await otherStandards.read.supportsInterface(['0x80ac58cd'])).toBe(true);
});

test('an indexer of Transfer events alone agrees with ownerOf and balanceOf after any history', async () => {
  const [admin, minter, burner] = accounts as [string, string, string];
  await fc.assert(
    fc.asyncProperty(sequences(accounts), async (sequence) => {
      const args = ['T', 'T', '', true, admin, [minter], [burner], ''];
      const contract = await chain.deploy(admin, artifact, args);
      const model = new Model(admin, minter, burner);
      for (const step of sequence) {
        const call = callOf(step, model);
        try {
          call.applyToModel();
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
        await chain.execute(call.from, contract, call.method, call.args);
      }
      await expectTransfersToAgree(contract);
    }),
    { numRuns: 25, interruptAfterTimeLimit: 20_000 },
  );
}, 60_000);

/** Expects the contract's owners and balances to be those that its Transfer events add up to. */
async function expectTransfersToAgree(contract: DeployedContract): Promise<void> {
  const address = contract.address as Address;
  const logs = parseEventLogs({
    abi: tokenAbi,
    eventName: 'Transfer',
    logs: await client.getLogs({ address, fromBlock: 0n }),
  });
  const owners = new Map<bigint, Address>();
  const balances = new Map<Address, bigint>();
  for (const { args } of logs) {
    expect(owners.get(args.tokenId) ?? zeroAddress).toBe(args.from);
    owners.set(args.tokenId, args.to);
    balances.set(args.from, (balances.get(args.from) ?? 0n) - 1n);
    balances.set(args.to, (balances.get(args.to) ?? 0n) + 1n);
  }
  expect(owners.size).toBeGreaterThan(0);

  const token = getContract({ address, abi: tokenAbi, client });
  await Promise.all(
    [...owners].map(async ([tokenId, owner]) => {
      const actual = await token.read.ownerOf([tokenId]).catch(returnZeroIfBurned);
      expect([tokenId, actual]).toEqual([tokenId, owner]);
    }),
  );
  for (const [holder, balance] of balances) {
    if (holder !== zeroAddress) expect(await token.read.balanceOf([holder])).toBe(balance);
  }
}

/** A burned token has no owner: the call reverts. */
function returnZeroIfBurned(error: Error): Hex {
  if (!error.message.includes('ERC721NonexistentToken')) throw error;
  return zeroAddress;
}
