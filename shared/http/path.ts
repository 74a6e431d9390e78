import * as z from 'zod';

/** An id in a path. */
export const id = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'is not a valid id')
  .meta({ examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab'] });

export const idPath = z.object({ id });
