import { id } from 'ethers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import artifact from '../../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { findTokenContract } from '../../../shared/chain/chains.ts';
import { RpcError, type RpcNode } from '../../../shared/chain/connection.ts';
import {
  computeCodeHash,
  firstTokenId,
  isTicketCode,
  simulateMint,
} from '../../../shared/chain/contract-calls.ts';
import { findMintInLogs, type Log } from '../../../shared/chain/outcome.ts';
import { compiledCode } from '../../../shared/chain/ticket-contract.ts';
import { checksumAddress } from '../../../shared/core/schemas.ts';
import { paymentTermsOf } from '../../../shared/orders/checkout/draft-order.ts';

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const minter = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const orders = [{ orderKey: id('order'), to: minter, quantity: 2 }];
const invalidQuantity = id('InvalidQuantity(uint256)').slice(0, 10);
const invalidReceiver = id('ERC721InvalidReceiver(address)').slice(0, 10);

/** Simulates a mint on a node that answers with this revert data. */
function simulateWith(data: string) {
  const node: Pick<RpcNode, 'call'> = {
    call: () => Promise.reject(new RpcError({ code: 3, message: 'execution reverted', data })),
  };
  return simulateMint(node as RpcNode, minter, contract, orders, 1_000_000);
}

it('explains why the contract refuses a mint', async () => {
  const data = `${invalidQuantity}${'2'.padStart(64, '0')}`;
  expect(await simulateWith(data)).toEqual({
    refusal: { code: 'contract-refused', message: 'The contract does not mint 2 tickets in one order' },
  });
});

it.each([
  ['nothing', '0x'],
  ['an odd number of digits', '0x123456789'],
  ['an unknown error', '0xdeadbeef'],
  ['an error without its argument', invalidQuantity],
  ['an error with a part of its argument', `${invalidQuantity}00`],
  ['an error with an argument of another type', `${invalidReceiver}${'f'.repeat(64)}`],
])('reports a refusal without a reason when the revert data is %s', async (_what, data) => {
  expect(await simulateWith(data)).toEqual({
    refusal: { code: 'contract-refused', message: `The contract ${contract} refuses to mint this order` },
  });
});

const code = artifact.deployedBytecode;
const { masked, size } = compiledCode;

describe('isTicketCode', () => {
  it('recognises the code of the contract, in any case of the hex digits', () => {
    expect(isTicketCode(code)).toBe(true);
    expect(isTicketCode(`0x${code.slice(2).toUpperCase()}`)).toBe(true);
  });

  it('rejects code that differs in one byte', () => {
    const bytes = Buffer.from(code.slice(2), 'hex');
    const isMasked = (offset: number) =>
      masked.some(({ start, length }) => offset >= start && offset < start + length);
    const changeByte = (offset: number, mask: number) => {
      const copy = Buffer.from(bytes);
      copy[offset] = (copy[offset] as number) ^ mask;
      return `0x${copy.toString('hex')}`;
    };
    // The first and last bytes, the bytes around the masked ranges, and random ones.
    const edges = [0, size - 1, ...masked.flatMap(({ start, length }) => [start - 1, start + length])];
    for (const offset of edges)
      expect([offset, isTicketCode(changeByte(offset, 1))]).toEqual([offset, false]);
    fc.assert(
      fc.property(fc.nat(size - 1), fc.integer({ min: 1, max: 255 }), (offset, mask) => {
        expect(isTicketCode(changeByte(offset, mask))).toBe(isMasked(offset));
      }),
      { numRuns: 300 },
    );
  });

  it('accepts code built from sources that differ in comments only', () => {
    // Comments change only the digest of the sources, which is masked.
    const bytes = Buffer.from(code.slice(2), 'hex');
    for (const { start, length } of masked) bytes.fill(0xab, start, start + length);
    expect(isTicketCode(`0x${bytes.toString('hex')}`)).toBe(true);
  });

  it.each([
    ['an address without code', '0x'],
    ['an empty answer', ''],
    ['text that is not hex', 'code'],
    ['an EIP-1167 proxy', `0x363d3d373d3d3d363d73${'ab'.repeat(20)}5af43d82803e903d91602b57fd5bf3`],
    ['a delegation to another address (EIP-7702)', `0xef0100${'ab'.repeat(20)}`],
    ['the code with a byte appended', `${code}00`],
    ['the code with a byte before it', `0x00${code.slice(2)}`],
    ['the code cut by a byte', code.slice(0, -2)],
    ['the creation code', artifact.bytecode],
    ['zeros of the right size', `0x${'00'.repeat(size)}`],
  ])('rejects %s', (_, other) => {
    expect(isTicketCode(other)).toBe(false);
  });
});

describe('computeCodeHash', () => {
  it('depends on all bytes except the masked ones', () => {
    const masked = [{ start: 1, length: 2 }];
    const hash = computeCodeHash(Uint8Array.of(1, 2, 3, 4), masked);
    expect(computeCodeHash(Uint8Array.of(1, 8, 9, 4), masked)).toBe(hash);
    expect(computeCodeHash(Uint8Array.of(1, 2, 3, 5), masked)).not.toBe(hash);
    expect(computeCodeHash(Uint8Array.of(0, 2, 3, 4), masked)).not.toBe(hash);
  });
});

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const orderKey = `0x${'a1'.repeat(32)}`;
const firstId = firstTokenId(orderKey);
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

function mintLog(tokenId: bigint, changes: Partial<Log> = {}): Log {
  return {
    address: contract.toLowerCase(),
    topics: [transferTopic, word(0n), word(BigInt(wallet)), word(tokenId)],
    transactionHash: '0xhash',
    blockNumber: '0x10',
    blockHash: '0xblock',
    ...changes,
  };
}

describe('the mint in the logs of a transaction', () => {
  it('has the tokens of an order in the sequence of its tickets', () => {
    expect(findMintInLogs([mintLog(firstId + 1n), mintLog(firstId)], contract, orderKey)).toEqual({
      txHash: '0xhash',
      blockNumber: 16,
      blockHash: '0xblock',
      to: wallet,
      tokenIds: [String(firstId), String(firstId + 1n)],
    });
  });

  it('has only the order’s own tokens when a transaction mints several orders', () => {
    const other = `0x${'b2'.repeat(32)}`;
    const logs = [mintLog(firstId), mintLog(firstTokenId(other)), mintLog(firstId + 1n)];
    expect(findMintInLogs(logs, contract, orderKey)?.tokenIds).toHaveLength(2);
    expect(findMintInLogs(logs, contract, other)?.tokenIds).toHaveLength(1);
  });

  it('has no token twice, and none after a gap', () => {
    const logs = [mintLog(firstId), mintLog(firstId), mintLog(firstId + 2n)];
    expect(findMintInLogs(logs, contract, orderKey)?.tokenIds).toEqual([String(firstId)]);
  });

  it.each([
    ['another contract', { address: wallet }],
    ['a transfer between holders', { topics: [transferTopic, word(1n), word(2n), word(firstId)] }],
    ['another event', { topics: [word(1n), word(0n), word(2n), word(firstId)] }],
    ['fewer topics', { topics: [transferTopic, word(0n)] }],
  ])('is undefined for %s', (_what, change) => {
    expect(findMintInLogs([mintLog(firstId, change)], contract, orderKey)).toBeUndefined();
  });
});

const names = ['CHAIN_TOKENS', 'TREASURY_ADDRESS', 'CHAIN_137_RPC_URLS', 'CHAIN_56_RPC_URLS'];
afterEach(() => {
  for (const name of names) delete process.env[name];
});

const treasury = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const configuredToken = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

describe('the tokens of a chain', () => {
  it.each([1, 10, 137, 8453, 42161, 80002, 11155111])(
    'on chain %i include USDC at a checksummed address',
    (chain) => {
      const address = findTokenContract(chain, 'USDC') ?? '';
      expect(checksumAddress(address)).toBe(address);
    },
  );

  it.each([1, 10, 137, 42161])('on chain %i include USDT at a checksummed address', (chain) => {
    const address = findTokenContract(chain, 'USDT') ?? '';
    expect(checksumAddress(address)).toBe(address);
  });

  it('come from CHAIN_TOKENS, or else from the built-in list', () => {
    process.env.CHAIN_TOKENS = `31337:USDC=${configuredToken}, 137:USDT=${configuredToken}`;
    expect(findTokenContract(31337, 'USDC')).toBe(configuredToken);
    expect(findTokenContract(137, 'USDT')).toBe(configuredToken);
    expect(findTokenContract(137, 'USDC')).toBe('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359');
    expect(findTokenContract(31337, 'USDT')).toBeUndefined();
  });
});

describe('a payment on a chain', () => {
  beforeEach(() => {
    Object.assign(process.env, { TREASURY_ADDRESS: treasury, PAYMENT_CHAINS: '137' });
  });

  it('uses the native coin or a token', () => {
    expect(paymentTermsOf(137, 'POL', true)).toEqual({ chainId: 137, to: treasury, token: null });
    expect(paymentTermsOf(137, 'USDT', true)).toMatchObject({ token: findTokenContract(137, 'USDT') });
  });

  it.each([
    [137, 'USD'],
    [137, 'ETH'],
    [137, 'JPY'],
    // The chain's native coin is unknown.
    [56, 'ETH'],
  ] as const)('is refused on chain %i in %s', (chainId, currency) => {
    expect(() => paymentTermsOf(chainId, currency, true)).toThrow(
      expect.objectContaining({ code: 'currency-not-supported' }),
    );
  });

  it.each([
    ['a wallet for payments', { TREASURY_ADDRESS: '' }, true],
    ['the endpoints of the chain', {}, false],
    ['a chain that takes payments', { PAYMENT_CHAINS: '1,8453' }, true],
  ])('is refused without %s', (_, settings, isConnected) => {
    Object.assign(process.env, settings);
    const refusal = { kind: 'unavailable', code: 'crypto-not-configured' };
    expect(() => paymentTermsOf(137, 'POL', isConnected)).toThrow(expect.objectContaining(refusal));
  });
});
