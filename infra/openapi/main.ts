import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from './document.ts';
import { readOperations } from './operations.ts';

// Prints the OpenAPI document. The build runs this in a separate process, since it loads every handler.
const packageFile = path.resolve(import.meta.dirname, '..', '..', 'package.json');
const packageFields = JSON.parse(readFileSync(packageFile, 'utf8'));
process.stdout.write(JSON.stringify(openApiDocument(await readOperations(), packageFields)));
