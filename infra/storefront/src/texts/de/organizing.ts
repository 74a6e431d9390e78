import type { organizing as english } from '../en/organizing.ts';
import type { Translated } from '../texts.ts';

export const organizing: Translated<typeof english> = {};
