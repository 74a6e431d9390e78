import { joinWaitingList, ok, type Tier } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { loginPath } from '../session/session.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/shop.ts';
import { Failure } from './resource.tsx';

interface JoinListProps {
  eventId: string;
  /** A tier without tickets to buy. */
  tier: Tier;
  /** How many people wait. */
  people: number;
}

/** Says that a tier is sold out, and lets the visitor join its waiting list. */
export function JoinList({ eventId, tier, people }: JoinListProps) {
  const { user } = useSession();
  const [position, setPosition] = useState<number>();
  const [quantity, setQuantity] = useState(tier.minPerOrder);
  const [error, setError] = useState<unknown>();
  const join = async () => {
    try {
      setError(undefined);
      const { entry } = await ok(joinWaitingList(eventId, { tierId: tier.id, quantity }));
      setPosition(entry.position ?? 0);
    } catch (failure) {
      setError(failure);
    }
  };
  const soldOut = t('joinList.soldOut', { tier: tier.name });
  if (position !== undefined)
    return (
      <p class="panel" role="status">
        {soldOut} {position > 0 ? t('joinList.joinedAt', { position }) : t('joinList.joined')}{' '}
        <a href="/waiting-list">{t('joinList.yours')}</a>
      </p>
    );
  return (
    <div class="panel">
      <p>
        {soldOut} {formatPeople(people)}
      </p>
      {user ? (
        <div class="field-with-button">
          <label>
            {t('joinList.tickets')}{' '}
            <input
              type="number"
              inputMode="numeric"
              aria-label={t('joinList.ticketsOf', { tier: tier.name })}
              min={tier.minPerOrder}
              max={tier.maxPerPerson}
              value={quantity}
              onInput={({ currentTarget }) => setQuantity(Number(currentTarget.value))}
            />
          </label>
          <button type="button" aria-label={t('joinList.joinFor', { tier: tier.name })} onClick={join}>
            {t('joinList.join')}
          </button>
        </div>
      ) : (
        <a class="button" href={loginPath()}>
          {t('joinList.signIn')}
        </a>
      )}
      {error !== undefined && <Failure error={error} />}
    </div>
  );
}

function formatPeople(count: number): string {
  if (count === 0) return t('joinList.first');
  return count >= 1000 ? t('joinList.many') : t('joinList.people', { count });
}
