import { ArnFormat, CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  CfnOIDCProvider,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { frontRegion, stackName } from '../names.ts';
import type { StageName } from '../stages.ts';

const issuer = 'token.actions.githubusercontent.com';

export interface PipelineStackProps {
  /** `owner/name` on GitHub. */
  repository: string;
  /** The stages in the account. */
  stages: readonly StageName[];
}

/**
 * The IAM roles of GitHub Actions, assumed with short-lived tokens instead of keys. Each stage has a role, which only
 * jobs in the GitHub environment of that name can assume. Diffs of pull requests use a read-only role. The roles may
 * only assume the roles of the CDK bootstrap, and publish the storefront.
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, { repository, stages }: PipelineStackProps) {
    super(scope, 'boxoffice-pipeline', {
      description: `Roles of GitHub Actions of ${repository}`,
      terminationProtection: true,
    });
    const provider = new CfnOIDCProvider(this, 'GitHub', {
      url: `https://${issuer}`,
      clientIdList: ['sts.amazonaws.com'],
    });
    const createRole = (id: string, subject: string, statements: PolicyStatement[]) => {
      const role = new Role(this, id, {
        roleName: `boxoffice-pipeline-${id}`,
        maxSessionDuration: Duration.hours(2),
        assumedBy: new WebIdentityPrincipal(provider.attrArn, {
          StringEquals: {
            [`${issuer}:aud`]: 'sts.amazonaws.com',
            [`${issuer}:sub`]: `repo:${repository}:${subject}`,
          },
        }),
        inlinePolicies: { pipeline: new PolicyDocument({ statements }) },
      });
      new CfnOutput(this, `${id}Role`, { value: role.roleArn });
      return role;
    };
    createRole('diff', 'pull_request', [this.#allowAssumingBootstrapRoles(['lookup'])]);
    for (const stage of stages) {
      const deployer = createRole(stage, `environment:${stage}`, [
        this.#allowAssumingBootstrapRoles(['deploy', 'file-publishing', 'lookup']),
        ...this.#allowPublishingStorefront(stage),
      ]);
      const reason = 'AWS chooses the ids of bucket, distribution and stacks when the stage is deployed';
      const bucket = `s3:::${stackName(stage)}-front-*`;
      const wildcardResources = [
        bucket,
        `${bucket}/*`,
        'cloudfront::<AWS::AccountId>:distribution/*',
        `cloudformation:<AWS::Region>:<AWS::AccountId>:stack/${stackName(stage)}/*`,
        `cloudformation:${frontRegion}:<AWS::AccountId>:stack/${stackName(stage)}-front/*`,
      ];
      for (const resource of wildcardResources) {
        Validations.of(deployer).acknowledge({
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${resource}]`,
          reason,
        });
      }
    }
  }

  /** Allows assuming the roles of the CDK bootstrap, in the regions of the stage and of the front. */
  #allowAssumingBootstrapRoles(purposes: string[]): PolicyStatement {
    const regions = [this.region, frontRegion];
    return new PolicyStatement({
      actions: ['sts:AssumeRole'],
      resources: purposes.flatMap((purpose) =>
        regions.map((region) =>
          this.formatArn({
            service: 'iam',
            region: '',
            resource: 'role',
            resourceName: `cdk-hnb659fds-${purpose}-role-${this.account}-${region}`,
          }),
        ),
      ),
    });
  }

  /** Allows the AWS calls of .ci/publish-storefront and .ci/smoke. */
  #allowPublishingStorefront(stage: StageName): PolicyStatement[] {
    const bucket = this.formatArn({
      service: 's3',
      region: '',
      account: '',
      resource: `${stackName(stage)}-front-*`,
    });
    const stackArn = (name: string, region: string) =>
      this.formatArn({ service: 'cloudformation', region, resource: 'stack', resourceName: `${name}/*` });
    return [
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket] }),
      new PolicyStatement({ actions: ['s3:PutObject', 's3:DeleteObject'], resources: [`${bucket}/*`] }),
      new PolicyStatement({
        actions: ['cloudfront:CreateInvalidation', 'cloudfront:GetInvalidation'],
        resources: [
          this.formatArn({
            service: 'cloudfront',
            region: '',
            resource: 'distribution',
            resourceName: '*',
            arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
          }),
        ],
      }),
      new PolicyStatement({
        actions: ['cloudformation:DescribeStacks'],
        resources: [
          stackArn(stackName(stage), this.region),
          stackArn(`${stackName(stage)}-front`, frontRegion),
        ],
      }),
    ];
  }
}
