import * as z from 'zod';
import { drawTicket } from './draw-ticket.ts';

/** The metadata of a contract (ERC-7572). */
export const collectionMetadata = z
  .object({
    name: z.string().meta({ examples: ['Boxoffice tickets'] }),
    description: z.string(),
    image: z.string().meta({ description: 'A drawn image, as a data URI' }),
    external_link: z
      .string()
      .optional()
      .meta({ description: 'The storefront', examples: ['https://tickets.example'] }),
  })
  .meta({ id: 'CollectionMetadata' });

/** Returns the metadata of a contract. @param name the contract's own name */
export function toCollectionMetadata(
  name: string,
  publicUrl: string | undefined,
): z.infer<typeof collectionMetadata> {
  return {
    name,
    description:
      'Event tickets. Each token is the ticket of one seat; its traits say whether it is valid for entry.',
    image: drawTicket({ title: name, lines: ['Event tickets'], seed: name }),
    ...(publicUrl && { external_link: publicUrl }),
  };
}
