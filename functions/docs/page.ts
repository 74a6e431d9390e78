import { referencePage } from '../../shared/docs/files.ts';
import { fileResponse } from '../../shared/http/file.ts';
import { http } from '../../shared/http/middleware.ts';

/** The API reference, to be read and tried in a browser. */
export const handler = http().handler(async (event) => fileResponse(event, await referencePage()));
