import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type RawItem, scanTable } from '../../../infra/ops/table.ts';
import { documentClient, tableName } from '../../../shared/dynamo/read.ts';

export const readTable = scanTable;

/** Replaces the contents of the table by the backup. */
export async function restoreTable(backup: readonly RawItem[]): Promise<void> {
  const backupKeys = new Set(backup.map(({ pk, sk }) => `${pk} ${sk}`));
  for (const { pk, sk } of await readTable()) {
    if (backupKeys.has(`${pk} ${sk}`)) continue;
    await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
  }
  for (const item of backup)
    await documentClient().send(new PutCommand({ TableName: tableName(), Item: item }));
}
