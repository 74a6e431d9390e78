import { referencePart } from '../../shared/docs/files.ts';
import { httpChain } from '../../shared/http/chain.ts';
import { fileResponse } from '../../shared/http/file.ts';

/** The scripts and styles of the API reference. */
export const handler = httpChain(async (event) =>
  fileResponse(event, await referencePart(event.pathParameters?.file)),
);
