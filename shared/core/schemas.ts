import { getAddress } from 'ethers/address';
import * as z from 'zod';
import { currencies } from './money.ts';

/** The roles of an account. Roles at an event are separate. */
export const accountRoles = ['USER', 'ORGANIZER', 'ADMIN'] as const;
/** `GUEST`: somebody who buys without an account. */
export const roles = [...accountRoles, 'GUEST'] as const;
export type Role = (typeof roles)[number];

export const gatewayNames = ['gateway-a', 'gateway-b', 'gateway-c'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** The gateways that send money to organizers. */
export const transferGatewayNames = ['gateway-a', 'gateway-b'] as const satisfies GatewayName[];
export type TransferGatewayName = (typeof transferGatewayNames)[number];

/** Schemas that views and stored items share. */

/** ISO 8601 with milliseconds and Z. */
export const time = z.string().meta({ format: 'date-time', examples: ['2030-06-01T20:00:00.000Z'] });

export const identifier = z.string().meta({ examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab'] });

export const currency = z
  .enum(currencies)
  .meta({ id: 'Currency', description: 'ISO 4217, or the symbol of a coin or token' });

export const amount = z.number().meta({
  description: 'In major units of the currency, with as many decimals as it has',
  examples: [102.5],
});

/** An EVM address in its checksum form. */
export const address = z.string().meta({ examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] });

export const transactionHash = z.string().meta({ examples: [`0x${'4a'.repeat(32)}`] });

/** The languages of mails, and of printed tickets, invoices and passes. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
const languageNames = languages.map((code) => `\`${code}\``).join(' or ');

/** A language in a request: undefined for one that there is not, since the page's language may be any. */
export const languageInput = (meaning: string, fallback: string) =>
  z
    .string()
    .regex(/^[a-z]{2}$/, 'must be a code of two letters')
    .nullish()
    .transform((code) => languages.find((language) => language === code))
    .optional()
    .meta({
      description: `${meaning}: ${languageNames}. Default, and for others: ${fallback}`,
      examples: ['de'],
    });

/** The start of the next page of a list. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'The cursor of the next page; null on the last page' });

/** Creates the schema of a response that contains only a message. */
export const createMessageView = (example: string) =>
  z.object({ message: z.string().meta({ examples: [example] }) });

/**
 * Text of at most `maximum` characters, trimmed; it may be empty. Tabs and line breaks are its only control characters,
 * since terminals and spreadsheets execute others.
 */
export const text = (maximum: number) => withoutControlCharacters(z.string().trim().max(maximum));

/** Text as `text` defines it, with at least one character. */
export const filledText = (maximum: number) =>
  withoutControlCharacters(z.string().trim().min(1).max(maximum));

const withoutControlCharacters = (schema: z.ZodString) =>
  schema.regex(/^(?:[\t\n\r]|\P{Cc})*$/u, 'must not contain control characters');

/** An id in a path. */
export const idInput = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'is not a valid id')
  .meta({ examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab'] });

/** Creates the schema of a path with the id of a resource, such as an `order`. */
export const idPath = (resource: string) =>
  z.object({ id: idInput.meta({ description: `The id of the ${resource}` }) });

/** A stored amount in minor units. The table client returns safe integers as numbers, and larger ones as bigints. */
export const minorUnits = z.union([z.bigint(), z.int().transform(BigInt)]);

/** The query parameters of every list. */
export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: 'The maximum number of entries of a page' }),
  cursor: z.string().max(2000).optional().meta({
    description:
      'The `nextCursor` of the previous page, with the same other parameters. Absent: the first page',
  }),
});

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

const zeroAddress = `0x${'0'.repeat(40)}`;

/**
 * Converts an EVM address to the mixed-case checksum form of ERC-55.
 * @returns undefined for text that is not an address, or is mixed-case with an invalid checksum
 */
export function checksumAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  try {
    return getAddress(text);
  } catch {
    return undefined;
  }
}

/** A schema that converts an address to its checksum form. It refuses the zero address, which no one can own. */
export const walletAddress = z
  .string()
  .meta({
    description: 'An EVM address. In mixed case it must have a valid ERC-55 checksum',
    examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  })
  .transform((text, context) => {
    const address = checksumAddress(text);
    if (address && address !== zeroAddress) return address;
    context.addIssue({ code: 'custom', message: 'must be a valid address' });
    return z.NEVER;
  });

/** Splits a comma-separated list into its entries, without surrounding space and empty entries. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
