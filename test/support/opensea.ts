import * as z from 'zod';

/** Schemas of the fields that OpenSea documents (https://docs.opensea.io/docs/media-and-traits). */

const uri = z.string().regex(/^(https?:\/\/|ipfs:\/\/|ar:\/\/|data:)\S+$/);

const numericTrait = z.strictObject({
  trait_type: z.string().min(1),
  display_type: z.enum(['number', 'boost_number', 'boost_percentage']).optional(),
  value: z.number(),
  max_value: z.number().optional(),
});
const textTrait = z.strictObject({ trait_type: z.string().min(1).optional(), value: z.string().min(1) });
/** The value is in Unix seconds. The maximum, in the year 9999, excludes milliseconds. */
const dateTrait = z.strictObject({
  trait_type: z.string().min(1),
  display_type: z.literal('date'),
  value: z.int().min(0).max(253_402_300_799),
});

export const openSeaItem = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  image: uri,
  external_url: uri.optional(),
  animation_url: uri.optional(),
  background_color: z
    .string()
    .regex(/^[0-9a-f]{6}$/i)
    .optional(),
  attributes: z.array(z.union([dateTrait, numericTrait, textTrait])),
});

/** https://docs.opensea.io/docs/contract-level-metadata, which follows ERC-7572. */
export const openSeaCollection = z.strictObject({
  name: z.string().min(1),
  symbol: z.string().optional(),
  description: z.string().optional(),
  image: uri.optional(),
  banner_image: uri.optional(),
  featured_image: uri.optional(),
  external_link: uri.optional(),
  collaborators: z.array(z.string()).optional(),
});
