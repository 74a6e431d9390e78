import { describe, expect, it } from 'vitest';
import { firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { findMintInLogs, type Log } from '../../../shared/chain/outcome.ts';

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
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
