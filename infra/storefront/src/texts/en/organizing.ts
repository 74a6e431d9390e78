export const organizing = {} as const;
