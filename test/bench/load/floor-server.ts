import { createServer } from 'node:http';
import { DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { readBody } from '../../../infra/local/http/read-body.ts';

/**
 * The baseline for the service's throughput: bare HTTP and one conditional write per step, without users, validation,
 * signatures, gateway, ledger or notifications.
 */

const client = new DynamoDBClient();
const TableName = process.env.TABLE_NAME;
const stock = { pk: { S: 'FLOOR' }, sk: { S: 'STOCK' } };
const orderKey = (id: string) => ({ pk: { S: `FLOOR#${id}` }, sk: { S: 'FLOOR_ORDER' } });

const steps: Record<string, (id: string) => Promise<unknown>> = {
  '/open': () =>
    client.send(new PutItemCommand({ TableName, Item: { ...stock, available: { N: '1000000' } } })),
  '/initialize': () =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: stock,
        UpdateExpression: 'ADD available :taken',
        ConditionExpression: 'available >= :quantity',
        ExpressionAttributeValues: { ':taken': { N: '-2' }, ':quantity': { N: '2' } },
      }),
    ),
  '/confirm': (id) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: orderKey(id),
        UpdateExpression: 'SET paid = :yes',
        ConditionExpression: 'attribute_not_exists(pk)',
        ExpressionAttributeValues: { ':yes': { BOOL: true } },
      }),
    ),
};

const server = createServer(async (request, response) => {
  const { id } = JSON.parse(String(await readBody(request, 10_000)));
  const done = await steps[request.url ?? '']?.(id).then(
    () => true,
    () => false,
  );
  response
    .writeHead(done ? 200 : 409, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ok: done }));
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
// The parent process has ended.
process.once('disconnect', () => process.exit());
