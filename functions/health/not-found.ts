import { notFound } from '../../shared/core/errors.ts';
import { http } from '../../shared/http/middleware.ts';

/** Answers every path that no other function has. */
export const handler = http().handler(async () => {
  throw notFound('Path');
});
