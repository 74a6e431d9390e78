import { credentials, region } from '../../infra/local/aws.ts';
import type { StackDescription } from '../../infra/local/stack.ts';
import { sharedStack } from './stack.ts';

/** The environment in which stores and operators' scripts work on a stack's table. */
export function tableEnvironment(stack: StackDescription = sharedStack()) {
  return {
    TABLE_NAME: stack.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbUrl,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

/** Lets stores in this process work on a stack's table, for what no endpoint does. */
export function useTableOf(stack: StackDescription = sharedStack()): void {
  Object.assign(process.env, tableEnvironment(stack));
}
