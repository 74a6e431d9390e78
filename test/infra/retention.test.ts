import { expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { reachableFrom } from './imports.ts';

it('every function that writes notifications has the setting RETENTION_DAYS', () => {
  const writers = functions.filter(
    ({ entry, table }) =>
      reachableFrom(`functions/${entry}.ts`).has('shared/messaging/notifications/store.ts') &&
      table.some((action) => /^(Put|BatchWrite)Item$/.test(action)),
  );
  expect(writers.length).toBeGreaterThan(5);
  for (const { entry, settings } of writers) expect(settings, entry).toContain('RETENTION_DAYS');
});
