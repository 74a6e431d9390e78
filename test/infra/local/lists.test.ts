import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../shared/core/ids.ts';
import {
  dueAttributes,
  dueShards,
  eventOrderPartition,
  eventOrderPartitions,
  keys,
} from '../../../shared/dynamo/keys.ts';
import { type Item, queryAll, queryPage } from '../../../shared/dynamo/read.ts';
import { putAll, remove, write } from '../../../shared/dynamo/write.ts';
import { type Backend, startBackend } from '../../support/backend.ts';

/** Lists that are spread over several partitions of an index. */

let backend: Backend;
const now = Date.now();
const eventId = newId();
/** The ids of 150 orders; some are created in the same millisecond. Newest first. */
const ids = Array.from({ length: 150 }, (_, index) => newId(now + Math.floor(index / 3)))
  .sort()
  .reverse();
const toItem = (id: string, event: string) => ({
  ...keys.order(id),
  id,
  eventPk: eventOrderPartition(event, id),
  eventSk: id,
});
const source = { index: 'byEvent', partition: eventOrderPartitions(eventId) } as const;

beforeAll(async () => {
  backend = await startBackend();
  vi.stubEnv('JWT_ACCESS_SECRET', 'key');
  await putAll(ids.map((id) => toItem(id, eventId)));
  await putAll([toItem(newId(now + 20), newId())]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await backend.stop();
});

async function readPages(limit: number, filter?: (item: Item) => boolean) {
  const pages: unknown[][] = [];
  let cursor: string | null | undefined;
  do {
    const page = await queryPage({ ...source, filter }, { limit, ...(cursor && { cursor }) });
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

describe('a list over 16 partitions', () => {
  it.each([3, 20, 100])('has every item once, the newest first, in full pages of %i', async (limit) => {
    const pages = await readPages(limit);
    expect(pages.flat()).toEqual(ids);
    expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
  });

  it('has the items that a filter selects', async () => {
    const selected = new Set(ids.filter((_, index) => index % 13 === 0));
    const pages = await readPages(3, ({ id }) => selected.has(id as string));
    expect(pages.flat()).toEqual([...selected]);
  });

  it('is read whole, or from a sort key on', async () => {
    const readAll = async (items: AsyncIterable<Item>) => {
      const found: unknown[] = [];
      for await (const { id } of items) found.push(id);
      return found;
    };
    expect(await readAll(queryAll(source))).toEqual(ids);
    expect(await readAll(queryAll({ ...source, to: ids[40] as string }, 10))).toEqual(ids.slice(40));
  });

  it('continues behind an item that was deleted after its page, and shows no new item twice', async () => {
    const first = await queryPage(source, { limit: 20 });
    await write(remove(keys.order(ids[19] as string)));
    await putAll([toItem(newId(now + 1_000), eventId)]);
    const second = await queryPage(source, { limit: 20, cursor: first.nextCursor as string });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(20, 40));
    await write(remove(keys.order((await queryPage(source, { limit: 1 })).items[0]?.id as string)));
    await putAll([toItem(ids[19] as string, eventId)]);
  });

  it('refuses the cursor of another list', async () => {
    const { nextCursor } = await queryPage(source, { limit: 1 });
    const other = { ...source, partition: eventOrderPartitions(newId()) };
    await expect(queryPage(other, { limit: 1, cursor: nextCursor as string })).rejects.toMatchObject({
      code: 'invalid-cursor',
    });
  });
});

describe('shards', () => {
  /** Returns the smallest and the largest share of 16,000 ids in relation to an even distribution. */
  const spread = (shards: number, shardOf: (id: string) => string) => {
    const counts = Map.groupBy(
      Array.from({ length: 16_000 }, () => newId(now)),
      shardOf,
    );
    expect(counts.size).toBe(shards);
    return [...counts.values()].map(({ length }) => (length * shards) / 16_000).sort((a, b) => a - b);
  };

  it.each<[string, number, (id: string) => string]>([
    ['an event’s orders', 16, (id) => eventOrderPartition(eventId, id)],
    ['due work', dueShards, (id) => dueAttributes(id, now).duePk],
  ])('of %s are even', (_, shards, shardOf) => {
    const shares = spread(shards, shardOf);
    expect(shares[0]).toBeGreaterThan(0.8);
    expect(shares.at(-1)).toBeLessThan(1.2);
  });
});
