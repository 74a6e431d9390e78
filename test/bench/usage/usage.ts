import type { Call } from './meter.ts';
import type { SaleUsage, Step } from './sale-usage.ts';

/** Whether tickets are minted, and whether a batch has one order or ten. */
export type SaleKind = 'unminted' | 'minted' | 'unmintedByTens' | 'mintedByTens';

/** The requests of one operation, with units and requests to queues per order. */
export interface Usage {
  operation: string;
  /** In their sequence: `GetItem`, `UpdateItem`, `SendMessage`, … */
  requests: string[];
  readUnits: number;
  writeUnits: number;
  queueRequests: number;
}

/** Lists every step of each sale with its requests, per order. */
export function usageOf(sales: Record<SaleKind, SaleUsage>, repeated: Call[]): Usage[] {
  const { unminted, minted, unmintedByTens, mintedByTens } = sales;
  return [
    ofStep('orders/initialize', unminted.initialize, 1),
    ofStep('first webhook', unminted.webhook, 1),
    ofCalls('repeated webhook', repeated, 1),
    ofStep('fulfil, nothing to mint', unminted.fulfil, 1),
    ofStep('fulfil, tickets to mint', minted.fulfil, 1),
    ...ofMinting('', minted),
    ofStep('send its mail', unminted.mail, 1),
    ofStep('fulfil ten at a time, nothing to mint', unmintedByTens.fulfil, 10),
    ofStep('fulfil ten at a time, tickets to mint', mintedByTens.fulfil, 10),
    ...ofMinting(', ten at a time', mintedByTens),
    ofSale('**an order, nothing minted**', unminted),
    ofSale('**an order, minted**', minted),
    ofSale('**an order, nothing minted, ten at a time**', unmintedByTens),
    ofSale('**an order, minted, ten at a time**', mintedByTens),
  ];
}

function ofSale(title: string, { initialize, webhook, fulfil, mail, minting, orders }: SaleUsage): Usage {
  const calls = [initialize, webhook, fulfil, mail, ...minting].flatMap((step) => step.calls);
  return { ...ofCalls(title, calls, orders), requests: [] };
}

const minting = ['mint: sign and send', 'mint: record tickets', 'mint: last look'];

function ofMinting(suffix: string, sale: SaleUsage): Usage[] {
  return sale.minting.map((step, index) => ofStep(`${minting[index]}${suffix}`, step, sale.orders));
}

const ofStep = (operation: string, { calls }: Step, orders: number) => ofCalls(operation, calls, orders);

function ofCalls(operation: string, calls: Call[], orders: number): Usage {
  const each = (count: (call: Call) => number) => calls.reduce((sum, call) => sum + count(call), 0) / orders;
  return {
    operation,
    requests: calls.map((call) => call.operation),
    readUnits: each(({ readUnits }) => readUnits),
    writeUnits: each(({ writeUnits }) => writeUnits),
    queueRequests: each(({ service }) => (service === 'queue' ? 1 : 0)),
  };
}
