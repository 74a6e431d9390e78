import { door } from './en/door.ts';
import { textsOf } from './texts.ts';

export const t = await textsOf('door', door);
