import { id } from 'ethers';
import fc from 'fast-check';
import { type Model, type Movement, type Order, type Token, zeroAddress } from './model.ts';

/** Orders with adjacent ids, so that one order's last id is next to another's first. */
export const orders = [0, 1, 2, 3];
/** The largest quantity of a valid order. The contract accepts up to 5,000. */
const maximumQuantity = 5;
/** How many ids of each order are checked; more than can be minted, to include ids beyond the last. */
export const idsPerOrder = maximumQuantity + 2;

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

type Role = 'minter' | 'burner';
const roleIds: Record<Role, string> = { minter: id('MINTER_ROLE'), burner: id('BURNER_ROLE') };

/** One call of the contract, as data, so that a failing sequence can be read and shrunk. */
type Step =
  | { does: 'mintOrder'; by: string; order: Order }
  | { does: 'mintOrders'; by: string; orders: Order[] }
  | { does: 'transferFrom'; by: string; from: string; to: string; token: Token }
  | { does: 'approve'; by: string; to: string; token: Token }
  | { does: 'setApprovalForAll'; by: string; operator: string; allowed: boolean }
  | { does: 'burn'; by: string; holder: string; tokens: [Token, Token, Token] }
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
    .tuple(mixed(2, fc.constantFrom(0, 1), fc.constantFrom(...orders)), fc.nat(maximumQuantity))
    .map(([order, index]): Token => `${order}/${index}`);
  const invalidQuantity = fc.constantFrom(0, 5_001);
  const validQuantity = fc.integer({ min: 1, max: maximumQuantity });
  const order = fc.record({
    key: fc.constantFrom(...orders),
    to: accountOrZeroAddress,
    quantity: mixed(12, validQuantity, invalidQuantity),
  });
  const role = fc.constantFrom<Role>('minter', 'burner');
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
          quantity: fc.integer({ min: 3, max: maximumQuantity }),
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
