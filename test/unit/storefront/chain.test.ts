import { Interface } from 'ethers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CryptoPayment } from '../../../infra/client/api.ts';
import { exactAmount, shorten, toTransaction } from '../../../infra/storefront/src/chain.ts';
import { currencies, exponentOf, toDecimal } from '../../../shared/core/money.ts';

const payment: CryptoPayment = {
  chainId: 137,
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  token: null,
  symbol: 'POL',
  decimals: 18,
  amount: '1537500000000000000',
  data: '0x424f58',
  expiresAt: '2031-06-01T20:00:00.000Z',
  transactionHash: null,
};
const usdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

it('exactAmount has every digit of the amount to pay', () => {
  expect(exactAmount(payment)).toBe('1.5375');
  expect(exactAmount({ amount: '1', decimals: 18 })).toBe('0.000000000000000001');
  expect(exactAmount({ amount: '25000000', decimals: 6 })).toBe('25');
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      (currency, minor) => {
        const formatted = exactAmount({ amount: `${minor}`, decimals: exponentOf(currency) });
        expect(formatted).toBe(toDecimal(minor, currency));
      },
    ),
  );
});

it('toTransaction sends the native coin to the recipient, with the order’s reference as the data', () => {
  const value = `0x${(1537500000000000000n).toString(16)}`;
  expect(toTransaction(payment)).toEqual({ to: payment.to, value, data: payment.data });
});

it('toTransaction calls the token’s transfer, with the reference appended to the data', () => {
  const transfer = new Interface(['function transfer(address to, uint256 amount)']);
  const call = transfer.encodeFunctionData('transfer', [payment.to, payment.amount]);
  expect(toTransaction({ ...payment, token: usdc })).toEqual({
    to: usdc,
    value: '0x0',
    data: `${call}424f58`,
  });
});

it('shorten shortens only long values', () => {
  expect(shorten(payment.to)).toBe('0x7099…79C8');
  expect(shorten('42')).toBe('42');
});
