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
  /** The stage of the account. */
  stage: StageName;
  /** The ARN of GitHub's OIDC provider, if the account has it: an account can't have two of the same address. */
  oidcProvider?: string;
}

/**
 * The IAM roles of GitHub Actions in the account of a stage, assumed with short-lived tokens instead of keys. Only jobs in
 * the GitHub environment named like the stage can assume the stage's role. Diffs of pull requests use a read-only role.
 * The roles may only assume the roles of the CDK bootstrap, and publish the storefront.
 *
 * Each stage has an account of its own. Within an account, a role that may deploy one stack may deploy every stack, since
 * CloudFormation acts as the bootstrap's execution role.
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, { repository, stage, oidcProvider }: PipelineStackProps) {
    super(scope, 'boxoffice-pipeline', {
      description: `Roles of GitHub Actions of ${repository} for ${stage}`,
      terminationProtection: true,
    });
    const provider = oidcProvider ?? this.#createOidcProvider();
    const createRole = (id: string, subject: string, statements: PolicyStatement[]) => {
      const role = new Role(this, id, {
        roleName: `boxoffice-pipeline-${id}`,
        maxSessionDuration: Duration.hours(2),
        assumedBy: new WebIdentityPrincipal(provider, {
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

  #createOidcProvider(): string {
    const { attrArn } = new CfnOIDCProvider(this, 'GitHub', {
      url: `https://${issuer}`,
      clientIdList: ['sts.amazonaws.com'],
    });
    return attrArn;
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
