import type { Queue } from 'boxoffice-client';
import { t } from '../texts/shop.ts';
import { Time } from './values.tsx';

/** Whether the draw is being made: the block that decides it has to be final. */
export const isBeingDrawn = ({ state, drawAt, serverTime }: Queue) =>
  state === 'open' && Date.parse(drawAt) <= Date.parse(serverTime);

/** What a queue is about for somebody without a place in it. */
export function QueueInvitation({ queue }: { queue: Queue }) {
  if (queue.state === 'closed')
    return (
      <p>{t('queue.opens', { opening: <Time at={queue.opensAt} />, draw: <Time at={queue.drawAt} /> })}</p>
    );
  if (queue.state === 'open' && !isBeingDrawn(queue))
    return <p>{t('queue.joinBefore', { time: <Time at={queue.drawAt} /> })}</p>;
  return (
    <p>
      {t(isBeingDrawn(queue) ? 'queue.beingDrawn' : 'queue.drawn')} {t('queue.behind')}
    </p>
  );
}
