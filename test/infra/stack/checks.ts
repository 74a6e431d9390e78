import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { dev, production, staging } from './synthesized.ts';

const synthesizedStages = [dev, staging, production];

describe('cdk-nag with the rules AwsSolutions', () => {
  it.each(synthesizedStages)('has no findings in $stage', ({ app }) => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  it('has findings for a bucket with default settings', () => {
    const stack = new Stack();
    new Bucket(stack, 'Bucket');
    expect(new AwsSolutionsChecks(stack).validateScope(stack).success).toBe(false);
  });

  it('suppresses only the listed rules, each with a reason', () => {
    const suppressible = ['AwsSolutions-APIG4', 'AwsSolutions-IAM5[Resource::*]', 'AwsSolutions-SMG4'];
    for (const { app } of synthesizedStages) {
      const acknowledged = app.node
        .findAll()
        .flatMap((node) => node.node.metadata)
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries(data as Record<string, string>));
      for (const [id, reason] of acknowledged) {
        expect(
          suppressible.some((rule) => id.endsWith(rule)),
          id,
        ).toBe(true);
        expect(String(reason).length).toBeGreaterThan(40);
      }
      expect(acknowledged.length).toBeGreaterThan(0);
    }
  });
});

const isInstalled = spawnSync('cfn-lint', ['--version']).status === 0;

describe(isInstalled ? 'cfn-lint' : 'cfn-lint is not installed: its checks are skipped', () => {
  const timeout = 5 * 60_000;
  it.skipIf(!isInstalled).each(synthesizedStages)(
    'accepts the templates of $stage',
    ({ directory, templates }) => {
      const files = [...templates.keys()].map((name) => path.join(directory, name));
      // W3005 reports dependencies that the CDK writes although references imply them.
      const { stdout, status } = spawnSync('cfn-lint', ['--ignore-checks', 'W3005', '--', ...files], {
        encoding: 'utf8',
      });
      expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    },
    timeout,
  );
});
