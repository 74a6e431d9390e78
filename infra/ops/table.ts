import { readFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { DomainError } from '../../shared/core/errors.ts';
import { documentClient, tableName, wrapNumbers } from '../../shared/dynamo/read.ts';
import { credentials, region } from '../local/services/aws.ts';

// biome-ignore lint/suspicious/noExplicitAny: reconciliations read stored items, including those that no schema accepts
export type RawItem = Record<string, any>;

/** Reads the whole table. For operators' commands only: functions have no permission to scan. */
export async function scanTable(): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let startKey: RawItem | undefined;
  do {
    const page = await documentClient().send(
      new ScanCommand({ TableName: tableName(), ConsistentRead: true, ExclusiveStartKey: startKey }),
    );
    items.push(...(page.Items ?? []));
    startKey = page.LastEvaluatedKey;
  } while (startKey);
  return items;
}

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

/**
 * Sets the environment of an operator's command. With TABLE_NAME, the command uses that table and the AWS credentials
 * and region of the environment. Without TABLE_NAME, it uses the table of the local stack.
 * @throws DomainError when TABLE_NAME is not set and no local stack was started
 */
export function setTableEnvironment(): void {
  if (process.env.TABLE_NAME) return;
  const { dynamodbUrl, tableName } = readLocalStack();
  process.env.TABLE_NAME = tableName;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamodbUrl;
  process.env.AWS_REGION = region;
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
}

function readLocalStack(): { dynamodbUrl: string; tableName: string } {
  const file = path.join(process.env.BOXOFFICE_DATA_DIR || '.local', 'stack.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const message = `Set TABLE_NAME, or start the local stack first: there is no ${file}.`;
    throw new DomainError('misconfigured', 'no-table', message);
  }
}
