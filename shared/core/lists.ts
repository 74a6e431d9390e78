/** The maximum number of concurrent calls. */
const chunkSize = 25;

/** Calls an asynchronous function for each item, 25 at a time. @returns the results, in the order of the items */
export async function mapInChunks<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += chunkSize) {
    results.push(...(await Promise.all(items.slice(start, start + chunkSize).map(call))));
  }
  return results;
}

/** Splits a comma-separated list into its entries, without surrounding space and empty entries. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
