import { Journal } from './journal.ts';
import { type GatewayName, type Money, newId } from './payments.ts';

export interface Transfer extends Money {
  gateway: GatewayName;
  reference: string;
  id: number;
  recipient: string;
  status: 'pending' | 'succeeded' | 'failed';
  /** The provider's name for the status, where a test has chosen it: some statuses have several names. */
  word?: string;
}

export type NewTransfer = Omit<Transfer, 'id' | 'status' | 'word'>;

/** Transfers to organizers. Each reference has at most one transfer, even when it fails. */
export class Transfers {
  readonly #journal: Journal<Transfer>;

  constructor(file: string) {
    this.#journal = new Journal(file);
  }

  /** Returns the transfer with the reference, and whether this call created it. */
  create(newTransfer: NewTransfer): { transfer: Transfer; isNew: boolean } {
    const existing = this.find(newTransfer.reference);
    if (existing) return { transfer: existing, isNew: false };
    return { transfer: this.#save({ ...newTransfer, id: newId(), status: 'pending' }), isNew: true };
  }

  find(reference: string): Transfer | undefined {
    return this.#journal.get(reference);
  }

  list(): Transfer[] {
    return this.#journal.values();
  }

  setStatus(transfer: Transfer, status: Transfer['status'], word?: string): Transfer {
    return this.#save({ ...transfer, status, word });
  }

  #save(transfer: Transfer): Transfer {
    this.#journal.set(transfer.reference, transfer);
    return transfer;
  }
}
