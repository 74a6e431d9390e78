import * as z from 'zod';

/** An id in a path. */
export const id = z.string().regex(/^[\w-]{1,64}$/, 'is not a valid id');

export const idPath = z.object({ id });
