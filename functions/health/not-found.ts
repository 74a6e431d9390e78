import { notFound } from '../../shared/core/errors.ts';
import { http } from '../../shared/http/middleware.ts';

/** Answers requests to unknown paths. */
export const handler = http().handler(async () => {
  throw notFound('Path');
});
