import { id } from 'ethers';
import { expect, it } from 'vitest';
import { RpcError, type RpcNode } from '../../../shared/chain/connection.ts';
import { simulateMint } from '../../../shared/chain/contract-calls.ts';

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
