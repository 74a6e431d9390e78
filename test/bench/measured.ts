import type { CompileCache } from './cold-start/compile-cache.ts';
import type { ColdStart } from './cold-start/measure.ts';
import type { CoreShare } from './core-share/measure.ts';
import type { LoginCost } from './cost/login-cost.ts';
import type { OrderCost } from './cost/order-cost.ts';
import type { FlashSale } from './load/flash-sale.ts';
import type { OrderLoad } from './load/order-load.ts';
import type { WebhookFlood } from './load/webhook-flood.ts';
import type { SaleKind, Usage } from './usage/usage.ts';

/** The results of a run, as `npm run bench` writes them to .local/bench.json. */
export interface Measured {
  machine: Machine;
  loads: OrderLoad[];
  flashSales: FlashSale[];
  flood: WebhookFlood;
  /** The number of inconsistent inventory counters after all measurements. */
  inventoryDifferences: number;
  coldStarts: ColdStart[];
  /** Functions limited to Lambda's share of a core; undefined on a machine without control groups. */
  coreShares: CoreShare[] | undefined;
  compileCaches: CompileCache[];
  usage: Usage[];
  /** The table of `npm run gas`. */
  gas: string;
  costs: Record<SaleKind, OrderCost>;
  logins: LoginCost[];
  /** The duration of the run. */
  seconds: number;
}

export interface Machine {
  /** ISO 8601, when the run began. */
  date: string;
  cores: number;
  processor: string;
  node: string;
  /** The machine's load average over the minute before the run. */
  loadBefore: number;
}
