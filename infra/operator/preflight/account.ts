import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

/** What the checks ask of an AWS account, in the region of the stage unless they name another. */
export interface Account {
  /** Concurrent executions of Lambda: the quota, and how many of them no function has reserved. */
  concurrency(): Promise<{ quota: number; unreserved: number }>;
  /** The version of the CDK's bootstrap stack; undefined when the region has none. */
  bootstrapVersion(region?: string): Promise<number | undefined>;
  /** A certificate's status, and the names it covers; undefined when it does not exist. */
  certificate(arn: string): Promise<{ status: string; names: string[] } | undefined>;
  /** Whether SES may send mail from this domain or address. */
  maySendMailFrom(identity: string): Promise<boolean>;
  /** A stack's status; undefined when it does not exist. */
  stackStatus(name: string): Promise<string | undefined>;
  /** The names of secrets that begin so, those that wait for their deletion included. */
  secretsNamed(prefix: string): Promise<string[]>;
}

/** The account of the credentials in the environment. */
export function awsAccount(region?: string): Account {
  const inRegion = (where = region) => ({ ...(where && { region: where }) });
  return {
    async concurrency() {
      const { AccountLimit } = await new LambdaClient(inRegion()).send(new GetAccountSettingsCommand({}));
      return {
        quota: AccountLimit?.ConcurrentExecutions ?? 0,
        unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? 0,
      };
    },
    async bootstrapVersion(where) {
      const parameter = await foundOr('ParameterNotFound', () =>
        new SSMClient(inRegion(where)).send(
          new GetParameterCommand({ Name: '/cdk-bootstrap/hnb659fds/version' }),
        ),
      );
      return parameter && Number(parameter.Parameter?.Value);
    },
    async certificate(arn) {
      const client = new ACMClient({ region: arn.split(':')[3] });
      const found = await foundOr('ResourceNotFoundException', () =>
        client.send(new DescribeCertificateCommand({ CertificateArn: arn })),
      );
      if (!found?.Certificate) return undefined;
      const { Status = '', DomainName, SubjectAlternativeNames = [] } = found.Certificate;
      return { status: Status, names: [...(DomainName ? [DomainName] : []), ...SubjectAlternativeNames] };
    },
    async maySendMailFrom(identity) {
      const found = await foundOr('NotFoundException', () =>
        new SESv2Client(inRegion()).send(new GetEmailIdentityCommand({ EmailIdentity: identity })),
      );
      return found?.VerifiedForSendingStatus ?? false;
    },
    async stackStatus(name) {
      // CloudFormation answers so for a stack that does not exist.
      const found = await foundOr('ValidationError', () =>
        new CloudFormationClient(inRegion()).send(new DescribeStacksCommand({ StackName: name })),
      );
      return found?.Stacks?.[0]?.StackStatus;
    },
    async secretsNamed(prefix) {
      const client = new SecretsManagerClient(inRegion());
      const names: string[] = [];
      for (let token: string | undefined, more = true; more; more = token !== undefined) {
        const page: { SecretList?: { Name?: string }[]; NextToken?: string } = await client.send(
          new ListSecretsCommand({
            Filters: [{ Key: 'name', Values: [prefix] }],
            IncludePlannedDeletion: true,
            NextToken: token,
          }),
        );
        names.push(...(page.SecretList ?? []).flatMap(({ Name }) => Name ?? []));
        token = page.NextToken;
      }
      return names;
    },
  };
}

/** What the call returns, or undefined when it fails with this error. */
async function foundOr<Answer>(missing: string, call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && error.name === missing) return undefined;
    throw error;
  }
}
