import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from './document.ts';
import { readOperations } from './operations.ts';

// Prints the OpenAPI document. A separate program, since it loads every handler.
const manifest = path.resolve(import.meta.dirname, '..', '..', 'package.json');
const about = JSON.parse(readFileSync(manifest, 'utf8'));
process.stdout.write(JSON.stringify(openApiDocument(await readOperations(), about)));
