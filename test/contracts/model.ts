/**
 * A simple model of the ticket contract, with maps and sets. Its refusals have the names of the contract's errors, and it
 * checks them in the same order.
 */

export const zeroAddress = '0x0000000000000000000000000000000000000000';

export interface Order {
  key: number;
  to: string;
  quantity: number;
}

/** A token is written `<order>/<index>`. */
export type Token = `${number}/${number}`;

export interface Movement {
  from: string;
  to: string;
  token: Token;
}

export class Refusal extends Error {}

export class Model {
  private readonly quantities = new Map<number, number>();
  private readonly owners = new Map<Token, string>();
  private readonly approved = new Map<Token, string>();
  private readonly operators = new Set<string>();
  private readonly minters = new Set<string>();
  private readonly burners = new Set<string>();
  private transfersAllowed = true;
  readonly admin: string;

  constructor(admin: string, minter: string, burner: string) {
    this.admin = admin;
    this.minters.add(minter);
    this.burners.add(burner);
  }

  quantity(order: number): number {
    return this.quantities.get(order) ?? 0;
  }

  owner(token: Token): string {
    return this.owners.get(token) ?? zeroAddress;
  }

  approvedFor(token: Token): string {
    return this.approved.get(token) ?? zeroAddress;
  }

  isOperator(owner: string, operator: string): boolean {
    return this.operators.has(`${owner} ${operator}`);
  }

  /** Mints all orders or none. Skips an order that was minted before. */
  mint(by: string, orders: Order[]): Movement[] {
    refuseIf(!this.minters.has(by), 'AccessControlUnauthorizedAccount');
    for (const { to, quantity } of orders) {
      refuseIf(to === zeroAddress, 'ERC721InvalidReceiver');
      refuseIf(quantity < 1 || quantity > 5_000, 'InvalidQuantity');
    }
    return orders.flatMap(({ key, to, quantity }) => {
      if (this.quantity(key) > 0) return [];
      this.quantities.set(key, quantity);
      return Array.from({ length: quantity }, (_, index) => this.move(`${key}/${index}`, to));
    });
  }

  transfer(by: string, from: string, to: string, token: Token): Movement[] {
    const owner = this.owner(token);
    refuseIf(to === zeroAddress, 'ERC721InvalidReceiver');
    refuseIf(!this.transfersAllowed, 'TransfersRefused');
    refuseIf(owner === zeroAddress, 'ERC721NonexistentToken');
    const authorized = by === owner || this.isOperator(owner, by) || by === this.approvedFor(token);
    refuseIf(!authorized, 'ERC721InsufficientApproval');
    refuseIf(owner !== from, 'ERC721IncorrectOwner');
    return [this.move(token, to)];
  }

  approve(by: string, to: string, token: Token): Movement[] {
    const owner = this.owner(token);
    refuseIf(owner === zeroAddress, 'ERC721NonexistentToken');
    refuseIf(by !== owner && !this.isOperator(owner, by), 'ERC721InvalidApprover');
    this.approved.set(token, to);
    return [];
  }

  setOperator(by: string, operator: string, allowed: boolean): Movement[] {
    refuseIf(operator === zeroAddress, 'ERC721InvalidOperator');
    if (allowed) this.operators.add(`${by} ${operator}`);
    else this.operators.delete(`${by} ${operator}`);
    return [];
  }

  burn(by: string, holder: string, tokens: Token[]): Movement[] {
    refuseIf(!this.burners.has(by) && by !== this.admin, 'AccessControlUnauthorizedAccount');
    refuseIf(holder === zeroAddress, 'ERC721InvalidOwner');
    return tokens.flatMap((token) => (this.owner(token) === holder ? [this.move(token, zeroAddress)] : []));
  }

  setRole(by: string, role: 'minter' | 'burner', account: string, granted: boolean): Movement[] {
    refuseIf(by !== this.admin, 'AccessControlUnauthorizedAccount');
    const holders = role === 'minter' ? this.minters : this.burners;
    if (granted) holders.add(account);
    else holders.delete(account);
    return [];
  }

  setTransfersAllowed(by: string, allowed: boolean): Movement[] {
    refuseIf(by !== this.admin, 'AccessControlUnauthorizedAccount');
    this.transfersAllowed = allowed;
    return [];
  }

  private move(token: Token, to: string): Movement {
    const from = this.owner(token);
    this.approved.delete(token);
    this.owners.set(token, to);
    return { from, to, token };
  }
}

function refuseIf(condition: boolean, reason: string): void {
  if (condition) throw new Refusal(reason);
}
