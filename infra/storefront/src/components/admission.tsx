import type { ComponentChildren } from 'preact';
import { config } from '../config.ts';
import { Time } from './time.tsx';

interface AdmissionProps {
  /** The QR code's address below the API's. */
  qr: string | null;
  checkedInAt: string | null;
  heading?: string;
  children: ComponentChildren;
}

/** One person's admission: a seat of an order, or the ticket that was minted for it. */
export function AdmissionTicket({ qr, checkedInAt, heading, children }: AdmissionProps) {
  return (
    <li class="ticket">
      {qr && <img class="qr" src={config.apiUrl + qr} alt="QR code for the door" loading="lazy" />}
      <div>
        {heading && (
          <p>
            <b>{heading}</b>
          </p>
        )}
        {checkedInAt && (
          <p class="good">
            Checked in on <Time at={checkedInAt} />
          </p>
        )}
        {children}
      </div>
    </li>
  );
}
