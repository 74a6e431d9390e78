import { shop } from './en/shop.ts';
import { textsOf } from './texts.ts';

export const t = await textsOf('shop', shop);
