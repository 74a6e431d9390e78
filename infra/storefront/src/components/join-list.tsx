import { joinWaitingList, ok, type Tier } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { loginPath } from '../session/session.ts';
import { useSession } from '../session/user.tsx';
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
  const name = `${tier.name}: sold out.`;
  if (position !== undefined)
    return (
      <p class="panel" role="status">
        {name} You are on the waiting list{position > 0 && `, at place ${position}`}.{' '}
        <a href="/waiting-list">Your waiting lists</a>
      </p>
    );
  return (
    <div class="panel">
      <p>
        {name} {formatPeople(people)}
      </p>
      {user ? (
        <div class="field-with-button">
          <label>
            Tickets{' '}
            <input
              type="number"
              inputMode="numeric"
              aria-label={`Tickets of ${tier.name} to wait for`}
              min={tier.minPerOrder}
              max={tier.maxPerPerson}
              value={quantity}
              onInput={({ currentTarget }) => setQuantity(Number(currentTarget.value))}
            />
          </label>
          <button type="button" aria-label={`Join the waiting list for ${tier.name}`} onClick={join}>
            Join
          </button>
        </div>
      ) : (
        <a class="button" href={loginPath()}>
          Sign in to join
        </a>
      )}
      {error !== undefined && <Failure error={error} />}
    </div>
  );
}

function formatPeople(count: number): string {
  if (count === 0) return 'Be the first on the waiting list.';
  return count === 1
    ? '1 person is waiting.'
    : `${count >= 1000 ? 'More than 1000' : count} people are waiting.`;
}
