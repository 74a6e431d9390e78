import * as z from 'zod';
import { userView } from './user.ts';

const token = z
  .string()
  .meta({ description: 'The access token: good for 15 minutes, sent as `Authorization: Bearer …`' });

/** The answer to whoever has just registered or logged in. */
export const signedInView = z.object({
  message: z.string().meta({ examples: ['Login successful'] }),
  token,
  user: userView,
});

export const refreshedView = z.object({ token });
