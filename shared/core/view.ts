import type * as z from 'zod';

/** The fields of a view that an item has under the same name, with values that the view accepts or shows as null. */
type CommonFields<View, Item> = {
  [Name in keyof View & keyof Item]: [Exclude<Item[Name], undefined>] extends [View[Name]]
    ? [undefined] extends [Item[Name]]
      ? [null] extends [View[Name]]
        ? Name
        : [undefined] extends [View[Name]]
          ? Name
          : never
      : Name
    : never;
}[keyof View & keyof Item];

/** The fields that an item does not have in the form of the view. Others may be computed as well. */
export type ComputedFields<View, Item> = Omit<View, CommonFields<View, Item>> & Partial<View>;

/**
 * Derives what the API shows of an item from the schema of the view. The result has only fields that the schema names,
 * at every depth, so an item's keys and secrets stay inside. An absent field is null where the schema allows null.
 * @param computed the fields that differ from the item's, or that it does not have
 * @throws ZodError for an item that does not match the schema
 */
export function toView<Schema extends z.ZodObject, Item extends object>(
  schema: Schema,
  item: Item,
  computed: ComputedFields<z.output<Schema>, Item>,
): z.output<Schema> {
  const fields: Record<string, unknown> = { ...item, ...computed };
  for (const [name, field] of Object.entries(schema.shape)) {
    if (fields[name] === undefined && (field as z.ZodType).safeParse(null).success) fields[name] = null;
  }
  return schema.parse(fields);
}
