export const door = {} as const;
