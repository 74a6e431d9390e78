import { referencePart } from '../../shared/docs/files.ts';
import { fileResponse } from '../../shared/http/file.ts';
import { httpChain } from '../../shared/http/middleware.ts';

/** The scripts and styles of the API reference. */
export const handler = httpChain(async (event) =>
  fileResponse(event, await referencePart(event.pathParameters?.file)),
);
