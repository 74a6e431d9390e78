import { shop } from './en/shop.ts';
import { textsOf } from './texts.ts';

export const t = textsOf('shop', shop);
