import { account } from './en/account.ts';
import { textsOf } from './texts.ts';

export const t = textsOf('account', account);
