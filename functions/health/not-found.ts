import { notFound } from '../../shared/core/errors.ts';
import { httpChain } from '../../shared/http/middleware.ts';

/** Answers every path that no other function has. */
export const handler = httpChain(async () => {
  throw notFound('Path');
});
