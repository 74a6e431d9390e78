import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createTable } from '../../../infra/local/services/aws.ts';
import { dev, getFunction, production, render, stages, synthesize } from './synthesized.ts';

describe('the table', () => {
  const { properties, definition } = production.getOne('AWS::DynamoDB::Table');

  it('is billed on demand, encrypted, and has point-in-time recovery', () => {
    expect(properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(properties.SSESpecification).toEqual({ SSEEnabled: true });
    expect(properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(properties.TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true });
  });

  it('is retained in production, and deleted with the stack elsewhere', () => {
    expect(properties.DeletionProtectionEnabled).toBe(true);
    expect([definition.DeletionPolicy, definition.UpdateReplacePolicy]).toEqual([
      'RetainExceptOnCreate',
      'Retain',
    ]);
    const { definition: devTable } = dev.getOne('AWS::DynamoDB::Table');
    expect([devTable.DeletionPolicy, devTable.Properties.DeletionProtectionEnabled]).toEqual([
      'Delete',
      false,
    ]);
  });

  it('has the schema of the local stack’s table', async () => {
    const local = await recordRequests((endpoint) => createTable(endpoint, 'local', { dropExisting: false }));
    const { TableName: _, ...created } = local.CreateTable ?? {};
    for (const [name, value] of Object.entries(created)) {
      expect(sortAttributes(withoutUnsupported(properties[name])), name).toEqual(sortAttributes(value));
    }
    expect(Object.keys(created)).toEqual(
      expect.arrayContaining(['KeySchema', 'AttributeDefinitions', 'GlobalSecondaryIndexes']),
    );
    expect(local.UpdateTimeToLive?.TimeToLiveSpecification).toEqual(properties.TimeToLiveSpecification);
  });

  it('has warm throughput in production and reports throttled keys, and so do its indexes', () => {
    expect(properties.WarmThroughput).toEqual({ ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 40_000 });
    const throttledKeys = { Enabled: true, Mode: 'THROTTLED_KEYS' };
    expect(properties.ContributorInsightsSpecification).toEqual(throttledKeys);
    expect(properties.GlobalSecondaryIndexes).toHaveLength(3);
    for (const index of properties.GlobalSecondaryIndexes) {
      expect(index.WarmThroughput).toEqual({ ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 40_000 });
      expect(index.ContributorInsightsSpecification).toEqual(throttledKeys);
    }
    expect(dev.getOne('AWS::DynamoDB::Table').properties.WarmThroughput).toBeUndefined();
  });

  it('stays in the stack when a restored table replaces it, since earlier function versions still use it', () => {
    const withRestoredTable = (usedByFunctions: boolean) =>
      synthesize({
        ...stages.production,
        restoredTable: { name: 'the-restored-one', serves: usedByFunctions },
      });
    const restored = withRestoredTable(true);
    expect(restored.getOne('AWS::DynamoDB::Table').definition).toEqual(definition);
    for (const { properties } of restored.ofType('AWS::Lambda::Function')) {
      expect([undefined, 'the-restored-one']).toContain(properties.Environment.Variables.TABLE_NAME);
    }
    for (const stack of [restored, withRestoredTable(false)]) {
      const { properties } = getFunction(stack, 'orders/list-orders');
      const role = stack.resources.find(({ id }) => `\${${id}.Arn}` === render(properties.Role));
      const policies = JSON.stringify(role?.properties.Policies);
      expect(policies).toContain('table/the-restored-one/index/byOwner');
      expect(policies).toContain('/index/byOwner"');
      expect(policies).toContain(stack.getOne('AWS::DynamoDB::Table').id);
    }
    const variables = getFunction(withRestoredTable(false), 'orders/list-orders').properties.Environment
      .Variables;
    expect(variables.TABLE_NAME).not.toBe('the-restored-one');
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the body depends on the operation
type Body = any;

/** Records the requests that a call sends to DynamoDB, by operation. */
async function recordRequests(call: (endpoint: string) => Promise<void>): Promise<Record<string, Body>> {
  const requests: Record<string, Body> = {};
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    requests[operation] = JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ Table: { TableStatus: 'ACTIVE' } }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  await call(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
  return requests;
}

/** Removes the properties that the local store does not support. */
const withoutUnsupported = (value: Body) =>
  Array.isArray(value)
    ? value.map(({ WarmThroughput, ContributorInsightsSpecification, ...shape }: Body) => shape)
    : value;

/** Sorts attribute definitions, whose order is irrelevant. */
const sortAttributes = (value: Body) =>
  Array.isArray(value) && value[0]?.AttributeName && value[0]?.AttributeType
    ? value.toSorted((a: Body, b: Body) => a.AttributeName.localeCompare(b.AttributeName))
    : value;
