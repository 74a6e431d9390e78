import type { CompileCache } from './cold-start/compile-cache.ts';
import type { ColdStart } from './cold-start/measure.ts';
import type { LoginCost } from './cost/login-cost.ts';
import type { OrderCost } from './cost/order-cost.ts';
import type { FlashSale } from './load/flash-sale.ts';
import type { OrderLoad } from './load/order-load.ts';
import type { WebhookFlood } from './load/webhook-flood.ts';
import type { SaleKind, Usage } from './usage/usage.ts';

/** Everything a run found out, as it is written to the JSON file. */
export interface Measured {
  machine: Machine;
  loads: OrderLoad[];
  flashSales: FlashSale[];
  flood: WebhookFlood;
  /** Counters of stock that don't add up after all of these. */
  stockDifferences: number;
  coldStarts: ColdStart[];
  compileCaches: CompileCache[];
  usage: Usage[];
  /** As a table: `npm run gas` makes it. */
  gas: string;
  costs: Record<SaleKind, OrderCost>;
  logins: LoginCost[];
  /** How long all of it took. */
  seconds: number;
}

export interface Machine {
  /** ISO 8601, when the run began. */
  date: string;
  cores: number;
  processor: string;
  node: string;
  /** Mean number of waiting programs in the minute before: what else the machine was doing. */
  loadBefore: number;
}
