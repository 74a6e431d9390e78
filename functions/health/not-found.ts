import { notFound } from '../../shared/core/errors.ts';
import { http } from '../../shared/http/middleware.ts';
import { define } from '../../shared/runtime/function.ts';

/** Answers requests to unknown paths. */
export const handler = define(
  { route: '$default', memoryMegabytes: 128 },
  http().handler(async () => {
    throw notFound('Path');
  }),
);
