import { makeGoogleLink, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { config } from '../config.ts';
import { downloadPass, downloadTicket } from '../downloads.ts';
import { messageOf } from '../errors.ts';

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
            Add to Apple Wallet
          </button>
        )}
        {config.wallets?.includes('google') && (
          <button type="button" onClick={attempt(saveToGoogle)}>
            Add to Google Wallet
          </button>
        )}
        <button type="button" onClick={attempt(() => downloadTicket(orderId, number))}>
          Save as PDF
        </button>
      </p>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}
