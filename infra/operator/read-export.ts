import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { DomainError } from '../../shared/core/errors.ts';
import { wrapNumbers } from '../../shared/dynamo/client.ts';
import type { RawItem } from './scan-table.ts';

/**
 * Reads a full export of the table to S3 from a local copy: gzipped files in `data/`, with one item in DynamoDB's JSON
 * per line. The export is a snapshot of the table at one time.
 * @param folder the export's folder, or a parent folder
 * @throws DomainError when the folder contains no export
 */
export async function readExport(folder: string): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let fileCount = 0;
  for await (const file of glob('**/data/*.json.gz', { cwd: folder })) {
    fileCount++;
    const text = (await promisify(gunzip)(await readFile(path.join(folder, file)))).toString();
    for (const line of text.split('\n').filter(Boolean)) {
      items.push(unmarshall(JSON.parse(line).Item, { wrapNumbers }));
    }
  }
  if (fileCount === 0)
    throw new DomainError('invalid', 'invalid-input', `There is no export of a table in ${folder}.`);
  return items;
}
