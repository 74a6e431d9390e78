import { referencePage } from '../../shared/http/docs/files.ts';
import { fileResponse } from '../../shared/http/file.ts';
import { http } from '../../shared/http/middleware.ts';

/** Serves the interactive API reference. */
export const handler = http().handler(async (event) => fileResponse(event, await referencePage()));
