import { type Connection, readAll } from '../chain/connection.ts';
import { minterBalance } from '../metrics.ts';

const periodMilliseconds = 5 * 60_000;
const weiPerCoin = 1e18;

/** When each account's balance was reported last, by this warm function. */
const reported = new Map<string, number>();

/** Tells once in a while what a minter has left for gas. Never fails: the next mint tries again. */
export async function reportBalance(connection: Connection, signer: string): Promise<void> {
  const { id } = connection.chain;
  const name = `${id} ${signer}`;
  if (Date.now() - (reported.get(name) ?? 0) < periodMilliseconds) return;
  const balances = await readAll(connection, (node) =>
    node.call<string>('eth_getBalance', [signer, 'latest']),
  );
  const [balance] = balances;
  if (balance === undefined) return;
  reported.set(name, Date.now());
  minterBalance(id, signer, Number(balance) / weiPerCoin);
}
