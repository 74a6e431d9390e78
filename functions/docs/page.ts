import { referencePage } from '../../shared/docs/files.ts';
import { httpChain } from '../../shared/http/chain.ts';
import { fileResponse } from '../../shared/http/file.ts';

/** The API reference, to be read and tried in a browser. */
export const handler = httpChain(async (event) => fileResponse(event, await referencePage()));
