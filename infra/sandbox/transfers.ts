import { Journal } from './journal.ts';
import { type GatewayName, type Money, newId } from './payments.ts';

export interface Transfer extends Money {
  gateway: GatewayName;
  reference: string;
  id: number;
  recipient: string;
  status: 'pending' | 'succeeded' | 'failed';
  attempts: number;
}

export type NewTransfer = Omit<Transfer, 'id' | 'status' | 'attempts'>;

/** Money sent to organizers. A reference is executed once; only one that failed is tried again under its name. */
export class Transfers {
  readonly #journal: Journal<Transfer>;

  constructor(file: string) {
    this.#journal = new Journal(file);
  }

  /** @returns the transfer, and whether this call set it going */
  order(wanted: NewTransfer): { transfer: Transfer; started: boolean } {
    const known = this.get(wanted.reference);
    if (known && known.status !== 'failed') return { transfer: known, started: false };
    const attempts = (known?.attempts ?? 0) + 1;
    return { transfer: this.#save({ ...wanted, id: newId(), status: 'pending', attempts }), started: true };
  }

  get(reference: string): Transfer | undefined {
    return this.#journal.get(reference);
  }

  all(): Transfer[] {
    return this.#journal.values();
  }

  finish(transfer: Transfer, status: 'succeeded' | 'failed'): Transfer {
    return this.#save({ ...transfer, status });
  }

  #save(transfer: Transfer): Transfer {
    this.#journal.set(transfer.reference, transfer);
    return transfer;
  }
}
