import { orders } from './en/orders.ts';
import { textsOf } from './texts.ts';

export const t = await textsOf('orders', orders);
