import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Contract, id, JsonRpcProvider, Network } from 'ethers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import artifact from '../../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { chainId } from '../../../infra/local/services/chain.ts';
import { developmentWallet, prepareContract } from '../../../infra/local/services/contract.ts';
import { isTicketCode } from '../../../shared/chain/contract-calls.ts';
import { type Anvil, startAnvil } from '../../support/chain.ts';

const [minter, secondMinter] = [1, 2].map(developmentWallet) as [Wallet, Wallet];
type Wallet = ReturnType<typeof developmentWallet>;

let anvil: Anvil;
let provider: JsonRpcProvider;
let folder: string;
let file: string;
beforeAll(async () => {
  anvil = await startAnvil({ chainId });
  // A network with its own name, since ethers asks a third party for the fees of known networks.
  const staticNetwork = new Network('test', chainId);
  provider = new JsonRpcProvider(anvil.url, staticNetwork, { staticNetwork, cacheTimeout: -1 });
}, 60_000);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  file = path.join(folder, 'contract.json');
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(async () => {
  provider?.destroy();
  await anvil?.stop();
});

const prepare = (apiUrl: string, minters = [minter]) =>
  prepareContract(anvil.url, file, minters.map(({ privateKey }) => privateKey).join(','), apiUrl);
const contractAt = (address: string) => new Contract(address, artifact.abi, provider);
const read = (address: string, method: string, ...args: unknown[]) =>
  contractAt(address).getFunction(method)(...args);

/** Mints a token and reads its URI. */
async function mintToken(address: string, key: string): Promise<[tokenId: bigint, uri: string]> {
  const contract = contractAt(address).connect(minter.connect(provider)) as Contract;
  await (await contract.getFunction('mintOrder')(id(key), minter.address, 1)).wait();
  const tokenId = BigInt(id(key)) & ~0xffffn;
  return [tokenId, await read(address, 'tokenURI', tokenId)];
}

describe('the local ticket contract', () => {
  test('has the code of the ticket contract, minters that may mint and burn, and metadata URLs at the local API', async () => {
    const address = await prepare('http://127.0.0.1:3000');
    expect(isTicketCode(await provider.getCode(address))).toBe(true);
    for (const role of ['MINTER_ROLE', 'BURNER_ROLE', 'METADATA_ROLE']) {
      expect(await read(address, 'hasRole', id(role), minter.address)).toBe(true);
    }
    const metadataUrl = `http://127.0.0.1:3000/api/tokens/${chainId}/${address}`;
    expect(await read(address, 'contractURI')).toBe(metadataUrl);
    const [tokenId, uri] = await mintToken(address, 'first');
    expect(uri).toBe(`${metadataUrl}/${tokenId}`);
  });

  test('is reused at the next start, which grants roles to new minters and updates the metadata URLs', async () => {
    const address = await prepare('http://127.0.0.1:3000');
    expect(await prepare('http://127.0.0.1:4000', [minter, secondMinter])).toBe(address);
    expect(await read(address, 'hasRole', id('MINTER_ROLE'), secondMinter.address)).toBe(true);
    expect(await read(address, 'hasRole', id('BURNER_ROLE'), secondMinter.address)).toBe(true);
    expect(await read(address, 'hasRole', id('METADATA_ROLE'), secondMinter.address)).toBe(true);
    expect(await read(address, 'contractURI')).toBe(`http://127.0.0.1:4000/api/tokens/${chainId}/${address}`);

    const block = await provider.getBlockNumber();
    expect(await prepare('http://127.0.0.1:4000', [minter, secondMinter])).toBe(address);
    expect(await provider.getBlockNumber()).toBe(block);
  });

  test.each([
    ['nothing', '0x00000000000000000000000000000000000000aa', '0x'],
    ['other code', '0x00000000000000000000000000000000000000bb', '0x00'],
  ])('is deployed again when %s is at its stored address', async (_, address, code) => {
    await provider.send('anvil_setCode', [address, code]);
    writeFileSync(file, JSON.stringify({ address }));
    const replacement = await prepare('http://127.0.0.1:3000');
    expect(isTicketCode(await provider.getCode(replacement))).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      address: replacement,
      apiUrl: 'http://127.0.0.1:3000',
    });
  });
});
