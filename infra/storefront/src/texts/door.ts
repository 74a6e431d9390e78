import { door } from './en/door.ts';
import { textsOf } from './texts.ts';

export const t = textsOf('door', door);
