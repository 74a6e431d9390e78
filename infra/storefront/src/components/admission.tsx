import type { ComponentChildren } from 'preact';
import { config } from '../config.ts';
import { Time } from './time.tsx';

interface AdmissionProps {
  /** The path of the QR code's picture, below the API's address. */
  qr: string | null;
  checkedInAt: string | null;
  heading?: string;
  children: ComponentChildren;
}

/** A ticket that admits one person: its QR code, and when it was checked in. */
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
