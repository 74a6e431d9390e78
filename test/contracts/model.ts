import { id } from 'ethers';
import fc from 'fast-check';

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
  private readonly announcers = new Set<string>();
  private readonly locked = new Set<Token>();
  private transfersAllowed = true;
  readonly admin: string;

  constructor(admin: string, minter: string, burner: string) {
    this.admin = admin;
    this.minters.add(minter);
    this.announcers.add(minter);
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

  balance(account: string): number {
    return [...this.owners.values()].filter((owner) => owner === account).length;
  }

  /** Returns whether a ticket can't be transferred; false for one that does not exist. */
  isLocked(token: Token): boolean {
    return this.owner(token) !== zeroAddress && (!this.transfersAllowed || this.locked.has(token));
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
    refuseIf(this.locked.has(token), 'TicketLocked');
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

  /** Locks tickets permanently. Skips those that do not exist. */
  lock(by: string, tokens: Token[]): Movement[] {
    refuseIf(!this.burners.has(by) && by !== this.admin, 'AccessControlUnauthorizedAccount');
    for (const token of tokens) if (this.owner(token) !== zeroAddress) this.locked.add(token);
    return [];
  }

  refreshMetadata(by: string, from: Token, to: Token): Movement[] {
    refuseIf(!this.announcers.has(by) && by !== this.admin, 'AccessControlUnauthorizedAccount');
    refuseIf(tokenId(to) < tokenId(from), 'InvalidTokenRange');
    return [];
  }

  setRole(by: string, role: Role, account: string, granted: boolean): Movement[] {
    refuseIf(by !== this.admin, 'AccessControlUnauthorizedAccount');
    const holders = { minter: this.minters, burner: this.burners, metadata: this.announcers }[role];
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

/** Orders with adjacent ids, so that one order's last id is next to another's first. */
export const orders = [0, 1, 2, 3];
/** Quantities of valid orders. The contract accepts up to 5,000, and stores burns from the 80th ticket on separately. */
const quantities = [1, 2, 3, 4, 5, 79, 80, 81, 82];
/** The ids of each order that are used and checked. The last are beyond those that are minted. */
export const indexes = [0, 1, 2, 3, 4, 5, 77, 78, 79, 80, 81, 82];

const firstKey = 0xb0f1n << 200n;

export function orderKey(order: number): string {
  return `0x${(firstKey + (BigInt(order) << 16n)).toString(16).padStart(64, '0')}`;
}

export function tokenId(token: Token): bigint {
  const [order, index] = token.split('/').map(Number) as [number, number];
  return BigInt(orderKey(order)) + BigInt(index);
}

/**
 * Placeholders for the token's holder and its approved account at the time of the step. With random accounts only, few steps
 * would succeed.
 */
const holder = 'holder';
const approved = 'approved';

type Role = 'minter' | 'burner' | 'metadata';
const roleIds: Record<Role, string> = {
  minter: id('MINTER_ROLE'),
  burner: id('BURNER_ROLE'),
  metadata: id('METADATA_ROLE'),
};

/** One call of the contract, as data, so that a failing sequence can be read and shrunk. */
type Step =
  | { does: 'mintOrder'; by: string; order: Order }
  | { does: 'mintOrders'; by: string; orders: Order[] }
  | { does: 'transferFrom'; by: string; from: string; to: string; token: Token }
  | { does: 'approve'; by: string; to: string; token: Token }
  | { does: 'setApprovalForAll'; by: string; operator: string; allowed: boolean }
  | { does: 'burn'; by: string; holder: string; tokens: [Token, Token, Token] }
  | { does: 'lock'; by: string; tokens: [Token, Token, Token] }
  | { does: 'refreshMetadata'; by: string; from: Token; to: Token }
  | { does: 'grantRole' | 'revokeRole'; by: string; role: Role; account: string }
  | { does: 'setTransfersAllowed'; by: string; allowed: boolean };

/**
 * Generates random steps of these accounts: the first is the admin, the second the first minter, the third the first
 * burner. Two orders are minted first, so that there are tickets to transfer.
 */
export function sequences(accounts: string[]): fc.Arbitrary<Step[]> {
  const [admin = '', minter = '', burner = ''] = accounts;
  const account = fc.constantFrom(...accounts);
  const usually = (usual: string) => mixed(5, fc.constant(usual), account);
  const accountOrZeroAddress = mixed(12, account, fc.constant(zeroAddress));
  const token = fc
    .tuple(mixed(2, fc.constantFrom(0, 1), fc.constantFrom(...orders)), fc.constantFrom(...indexes))
    .map(([order, index]): Token => `${order}/${index}`);
  const invalidQuantity = fc.constantFrom(0, 5_001);
  const validQuantity = fc.constantFrom(...quantities);
  const order = fc.record({
    key: fc.constantFrom(...orders),
    to: accountOrZeroAddress,
    quantity: mixed(12, validQuantity, invalidQuantity),
  });
  const role = fc.constantFrom<Role>('minter', 'burner', 'metadata');
  const does = <Name extends Step['does']>(name: Name) => fc.constant(name);

  const kinds: [weight: number, fc.Arbitrary<Step>][] = [
    [4, fc.record({ does: does('mintOrder'), by: usually(minter), order })],
    [
      2,
      fc.record({ does: does('mintOrders'), by: usually(minter), orders: fc.array(order, { maxLength: 3 }) }),
    ],
    [
      8,
      fc.record({
        does: does('transferFrom'),
        by: mixed(3, fc.constantFrom(holder, approved), account),
        from: usually(holder),
        to: accountOrZeroAddress,
        token,
      }),
    ],
    [4, fc.record({ does: does('approve'), by: usually(holder), to: accountOrZeroAddress, token })],
    [
      2,
      fc.record({
        does: does('setApprovalForAll'),
        by: account,
        operator: accountOrZeroAddress,
        allowed: fc.boolean(),
      }),
    ],
    [
      2,
      fc.record({
        does: does('burn'),
        by: mixed(5, fc.constantFrom(burner, admin), account),
        holder: mixed(3, fc.constant(holder), accountOrZeroAddress),
        tokens: fc.tuple(token, token, token),
      }),
    ],
    [
      1,
      fc.record({
        does: does('lock'),
        by: mixed(5, fc.constantFrom(burner, admin), account),
        tokens: fc.tuple(token, token, token),
      }),
    ],
    [1, fc.record({ does: does('refreshMetadata'), by: usually(minter), from: token, to: token })],
    [1, fc.record({ does: does('grantRole'), by: usually(admin), role, account })],
    [1, fc.record({ does: does('revokeRole'), by: usually(admin), role, account })],
    [
      1,
      fc.record({
        does: does('setTransfersAllowed'),
        by: usually(admin),
        allowed: mixed(2, fc.constant(true), fc.boolean()),
      }),
    ],
  ];
  const step = fc.oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
  const start = fc
    .tuple(
      ...[0, 1].map((key) =>
        fc.record({
          key: fc.constant(key),
          to: account,
          quantity: fc.constantFrom(3, 5, 80, 82),
        }),
      ),
    )
    .map((orders): Step => ({ does: 'mintOrders', by: minter, orders }));
  return fc
    .tuple(start, fc.array(step, { minLength: 25, maxLength: 50, size: 'max' }))
    .map(([first, rest]) => [first, ...rest]);
}

/** Generates a usual value `weight` times as often as another. */
function mixed<Value>(weight: number, usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>) {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

interface Call {
  from: string;
  method: string;
  args: unknown[];
  /** Applies the step to the model. @throws Refusal when the contract must revert */
  applyToModel(): Movement[];
}

/** Returns the call of a step, given the current holders. */
export function callOf(step: Step, model: Model): Call {
  const by = 'token' in step ? callerOf(step, model) : step.by;
  const call = (args: unknown[], applyToModel: () => Movement[]) => ({
    from: by,
    method: step.does,
    args,
    applyToModel,
  });
  switch (step.does) {
    case 'mintOrder': {
      const { key, to, quantity } = step.order;
      return call([orderKey(key), to, quantity], () => model.mint(by, [step.order]));
    }
    case 'mintOrders':
      return call([step.orders.map(({ key, to, quantity }) => [orderKey(key), to, quantity])], () =>
        model.mint(by, step.orders),
      );
    case 'transferFrom': {
      const from = step.from === holder ? model.owner(step.token) : step.from;
      return call([from, step.to, tokenId(step.token)], () => model.transfer(by, from, step.to, step.token));
    }
    case 'approve':
      return call([step.to, tokenId(step.token)], () => model.approve(by, step.to, step.token));
    case 'setApprovalForAll':
      return call([step.operator, step.allowed], () => model.setOperator(by, step.operator, step.allowed));
    case 'burn': {
      const expected = step.holder === holder ? model.owner(step.tokens[0]) : step.holder;
      return call([expected, step.tokens.map(tokenId)], () => model.burn(by, expected, step.tokens));
    }
    case 'lock':
      return call([step.tokens.map(tokenId)], () => model.lock(by, step.tokens));
    case 'refreshMetadata':
      return call([tokenId(step.from), tokenId(step.to)], () =>
        model.refreshMetadata(by, step.from, step.to),
      );
    case 'grantRole':
    case 'revokeRole':
      return call([roleIds[step.role], step.account], () =>
        model.setRole(by, step.role, step.account, step.does === 'grantRole'),
      );
    case 'setTransfersAllowed':
      return call([step.allowed], () => model.setTransfersAllowed(by, step.allowed));
  }
}

/** Returns the account that calls a step. The admin calls in place of the zero address, which can't send transactions. */
function callerOf({ by, token }: { by: string; token: Token }, model: Model): string {
  if (by !== holder && by !== approved) return by;
  const caller = by === holder ? model.owner(token) : model.approvedFor(token);
  return caller === zeroAddress ? model.admin : caller;
}
