import { formatMoney } from '../money.ts';

/** An amount with its currency. */
export function Money({ amount, currency }: { amount: number | string; currency: string }) {
  return <>{formatMoney(amount, currency)}</>;
}

/** The price of a ticket. */
export function Price({ amount, currency }: { amount: number; currency: string }) {
  return amount === 0 ? <>Free</> : <Money amount={amount} currency={currency} />;
}
