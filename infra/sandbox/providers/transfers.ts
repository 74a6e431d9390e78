import { Journal } from './journal.ts';
import { type GatewayName, type Money, newId } from './payments.ts';

export interface Transfer extends Money {
  gateway: GatewayName;
  reference: string;
  id: number;
  recipient: string;
  status: 'pending' | 'succeeded' | 'failed';
  /** The provider's name for the status, where a test chose one of several. */
  word?: string;
}

export type NewTransfer = Omit<Transfer, 'id' | 'status' | 'word'>;

/** Transfers to organizers. A reference is executed once, even when the transfer fails. */
export class Transfers {
  readonly #journal: Journal<Transfer>;

  constructor(file: string) {
    this.#journal = new Journal(file);
  }

  /** @returns the transfer, and whether this call started it */
  create(requested: NewTransfer): { transfer: Transfer; started: boolean } {
    const existing = this.get(requested.reference);
    if (existing) return { transfer: existing, started: false };
    return { transfer: this.#save({ ...requested, id: newId(), status: 'pending' }), started: true };
  }

  get(reference: string): Transfer | undefined {
    return this.#journal.get(reference);
  }

  all(): Transfer[] {
    return this.#journal.values();
  }

  change(transfer: Transfer, status: Transfer['status'], word?: string): Transfer {
    return this.#save({ ...transfer, status, word });
  }

  #save(transfer: Transfer): Transfer {
    this.#journal.set(transfer.reference, transfer);
    return transfer;
  }
}
