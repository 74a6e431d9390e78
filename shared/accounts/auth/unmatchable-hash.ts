import { optionalSetting } from '../../runtime/config.ts';

/** The cost of a password's hash: its rounds as a power of two. */
export const hashRounds = () => Number(optionalSetting('PASSWORD_HASH_ROUNDS') ?? 12);

/** A hash that no password matches. It makes the response for an unknown e-mail as slow as for a wrong password. */
export const unmatchableHash = () =>
  `$2b$${String(hashRounds()).padStart(2, '0')}$dJ5rn2TA5YG25Gyd44Xr0uA5e7v1xFIMTmH.a6iVg8bsIF6DGZau.`;
