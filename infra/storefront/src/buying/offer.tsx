import { type Event, ok, type PaymentMethod, quoteOrder } from 'boxoffice-client';
import { Failure, useResource } from '../components/resource.tsx';
import { Money } from '../components/values.tsx';
import { decimalsOf, priceWithFee } from '../money.ts';
import { t } from '../texts/shop.ts';
import { type ChosenItem, toRequestedItems } from './selection.ts';

export interface Offer {
  /** The amounts are in major units, and undefined while no tickets are selected. */
  subtotal: number | string | undefined;
  fee: number | string | undefined;
  total: number | string | undefined;
  /** The code's discount; undefined without a code. */
  discount: number | undefined;
  /** The error of an invalid code. */
  error?: unknown;
  /** The ways to pay the total; none when there is nothing to pay. */
  paymentMethods: PaymentMethod[];
  /** Whether the total is not 0, and there is no way to pay it. */
  isUnpayable: boolean;
}

/**
 * Returns the price of the tickets and the ways to pay it. With a code, the API quotes the price and checks the code.
 * It also quotes prices in currencies with three decimals, because some gateways do not support every amount in them,
 * and prices of which the organizer pays the fee.
 */
export function useOffer(
  { id, currency, feePaidBy }: Event,
  paymentMethods: PaymentMethod[],
  items: readonly ChosenItem[],
  code: string,
): Offer {
  const isSelected = items.length > 0;
  const isFeeOnTop = feePaidBy === 'buyer';
  const needsQuote = code !== '' || !isFeeOnTop || decimalsOf(currency) === 3;
  const requested = toRequestedItems(items);
  const quoteResource = useResource(
    async () =>
      isSelected && needsQuote ? ok(quoteOrder(id, { ...requested, ...(code && { code }) })) : undefined,
    [id, JSON.stringify(requested), code],
  );
  const quote = quoteResource.state === 'ready' ? quoteResource.value : undefined;
  const own =
    isSelected && isFeeOnTop
      ? priceWithFee(
          items.map(({ tier: { price }, quantity }) => ({ price, quantity })),
          currency,
        )
      : undefined;
  const { subtotal, fee, total } = quote ?? own ?? {};
  const isFree = Number(total ?? 0) === 0;
  const payableMethods = quote?.paymentMethods ?? (isFree ? [] : paymentMethods);
  return {
    subtotal,
    // What a currency is rounded up by is not a fee that the buyer knows of.
    fee: isFeeOnTop ? fee : undefined,
    total,
    discount: code ? quote?.discount : undefined,
    ...(quoteResource.state === 'failed' && { error: quoteResource.error }),
    paymentMethods: payableMethods,
    isUnpayable: !isFree && payableMethods.length === 0,
  };
}

/** What the buyer pays, line by line. A free order has no fee. */
export function PriceLines({
  currency,
  subtotal,
  discount,
  fee,
  total,
  error,
}: Offer & { currency: string }) {
  const hasLines = Number(fee) > 0 || Number(discount) > 0;
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {discount === 0 && (
        <p class="status good" role="status">
          {t('buy.codeAccepted')}
        </p>
      )}
      {total !== undefined && (
        <dl class="price-lines">
          {hasLines && subtotal !== undefined && (
            <PriceLine name={t('event.tickets')} amount={subtotal} currency={currency} />
          )}
          {Number(discount) > 0 && (
            <PriceLine name={t('buy.discount')} amount={-Number(discount)} currency={currency} />
          )}
          {Number(fee) > 0 && fee !== undefined && (
            <PriceLine name={t('buy.fee')} amount={fee} currency={currency} />
          )}
          <PriceLine name={t('buy.total')} amount={total} currency={currency} isTotal />
        </dl>
      )}
    </>
  );
}

interface PriceLineProps {
  name: string;
  amount: number | string;
  currency: string;
  isTotal?: boolean;
}

function PriceLine({ name, amount, currency, isTotal }: PriceLineProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isTotal && Number(amount) === 0 ? t('values.free') : <Money amount={amount} currency={currency} />}
      </dd>
    </div>
  );
}
