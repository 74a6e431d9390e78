import { notFound } from '../../shared/errors.ts';
import { httpChain } from '../../shared/http/chain.ts';

/** Answers every path that no other function has. */
export const handler = httpChain(async () => {
  throw notFound('Path');
});
