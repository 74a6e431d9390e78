import { orders } from './en/orders.ts';
import { textsOf } from './texts.ts';

export const t = textsOf('orders', orders);
