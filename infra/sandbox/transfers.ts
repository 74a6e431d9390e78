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

/** Transfers to organizers. A reference is executed once. Only a failed transfer can be retried with its reference. */
export class Transfers {
  readonly #journal: Journal<Transfer>;

  constructor(file: string) {
    this.#journal = new Journal(file);
  }

  /** @returns the transfer, and whether this call started it */
  order(requested: NewTransfer): { transfer: Transfer; started: boolean } {
    const known = this.get(requested.reference);
    if (known && known.status !== 'failed') return { transfer: known, started: false };
    const attempts = (known?.attempts ?? 0) + 1;
    return {
      transfer: this.#save({ ...requested, id: newId(), status: 'pending', attempts }),
      started: true,
    };
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
