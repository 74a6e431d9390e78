import { credentials, region } from '../../infra/local/services/aws.ts';
import type { StackDescription } from '../../infra/local/stack.ts';
import { sharedStack } from './stack.ts';

/** Returns the environment variables that connect stores and operators' scripts to a stack's table. */
export function tableEnvironment(stack: StackDescription = sharedStack()) {
  return {
    TABLE_NAME: stack.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbUrl,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

/** Connects the stores in this process to a stack's table, for actions without an endpoint. */
export function connectToTable(stack: StackDescription = sharedStack()): void {
  Object.assign(process.env, tableEnvironment(stack));
}
