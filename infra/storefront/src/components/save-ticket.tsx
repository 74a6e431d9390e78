import { makeGoogleLink, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { config } from '../config.ts';
import { downloadPass, downloadTicket } from '../downloads.ts';
import { messageOf } from '../errors.ts';
import { t } from '../texts/orders.ts';

/** Saves a ticket: to the wallet app of a phone, as far as the service makes passes for it, or as a PDF file. */
export function SaveTicket({ orderId, number }: { orderId: string; number: number }) {
  const [error, setError] = useState<unknown>();
  const attempt = (action: () => Promise<void>) => () => action().then(() => setError(undefined), setError);
  const saveToGoogle = async () => {
    location.assign((await ok(makeGoogleLink(orderId, number))).saveUrl);
  };
  return (
    <>
      <p class="actions">
        {config.wallets?.includes('apple') && (
          <button type="button" onClick={attempt(() => downloadPass(orderId, number))}>
            {t('ticket.apple')}
          </button>
        )}
        {config.wallets?.includes('google') && (
          <button type="button" onClick={attempt(saveToGoogle)}>
            {t('ticket.google')}
          </button>
        )}
        <button type="button" onClick={attempt(() => downloadTicket(orderId, number))}>
          {t('ticket.pdf')}
        </button>
      </p>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}
