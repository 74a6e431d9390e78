import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { dev, production, staging } from './synthesized.ts';

const all = [dev, staging, production];

describe('cdk-nag, AwsSolutions', () => {
  it.each(all)('finds nothing in $stage', ({ app }) => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  it('finds a problem in a bucket', () => {
    const stack = new Stack();
    new Bucket(stack, 'Bucket');
    expect(new AwsSolutionsChecks(stack).validateScope(stack).success).toBe(false);
  });

  it('has a reason for each suppressed finding', () => {
    const known = ['AwsSolutions-APIG4', 'AwsSolutions-IAM5[Resource::*]', 'AwsSolutions-SMG4'];
    for (const { app } of all) {
      const acknowledged = app.node
        .findAll()
        .flatMap((node) => node.node.metadata)
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries(data as Record<string, string>));
      for (const [id, reason] of acknowledged) {
        expect(
          known.some((rule) => id.endsWith(rule)),
          id,
        ).toBe(true);
        expect(String(reason).length).toBeGreaterThan(40);
      }
      expect(acknowledged.length).toBeGreaterThan(0);
    }
  });
});

const installed = spawnSync('cfn-lint', ['--version']).status === 0;

describe(installed ? 'cfn-lint' : 'cfn-lint is not installed: its checks are skipped', () => {
  const timeout = 5 * 60_000;
  it.skipIf(!installed).each(all)(
    'accepts the templates of $stage',
    ({ directory, templates }) => {
      const files = [...templates.keys()].map((name) => path.join(directory, name));
      // W3005: the CDK writes dependencies that references imply already.
      const { stdout, status } = spawnSync('cfn-lint', ['--ignore-checks', 'W3005', '--', ...files], {
        encoding: 'utf8',
      });
      expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    },
    timeout,
  );
});
