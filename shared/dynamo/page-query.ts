import * as z from 'zod';

/**
 * The query parameters every list takes. In a file of its own, so that webhooks and workers, which read lists but
 * have no parameters to check, start without zod.
 */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(2000).optional(),
});
