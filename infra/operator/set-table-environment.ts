import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DomainError } from '../../shared/core/errors.ts';
import { credentials, region } from '../local/parts/aws.ts';

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
