import { execFile } from 'node:child_process';
import { resolveTxt } from 'node:dns/promises';
import { promisify } from 'node:util';

/** The queries that the checks send to an AWS account. */
export interface Account {
  /** Lambda's concurrency: the quota, and the part that no function has reserved. */
  getConcurrency(): Promise<{ quota: number; unreserved: number }>;
  /** The concurrency that a function has reserved; 0 for a function without, or one that does not exist. */
  getReservedConcurrency(functionName: string): Promise<number>;
  /** The version of the CDK's bootstrap stack; undefined when the region has none. */
  findBootstrapVersion(region?: string): Promise<number | undefined>;
  /** A certificate's status, and the names it covers; undefined when it does not exist. */
  findCertificate(arn: string): Promise<{ status: string; names: string[] } | undefined>;
  /**
   * Whether SES may send mail from this domain, and has found the DNS records of its MAIL FROM domain; undefined when
   * SES has no identity for the domain.
   */
  findMailIdentity(domain: string): Promise<{ isVerified: boolean; hasMailFrom: boolean } | undefined>;
  /** SES's quotas, and whether it sends to unverified addresses: not while the account is in the SES sandbox. */
  getMailQuota(): Promise<{
    hasProductionAccess: boolean;
    perSecond: number;
    perDay: number;
    sentToday: number;
  }>;
  /** The texts at a name in the DNS; none when the name does not exist. */
  findDnsTexts(name: string): Promise<string[]>;
  /** A stack's status, and whether it is protected from deletion; undefined when it does not exist. */
  findStack(name: string): Promise<{ status: string; isProtected: boolean } | undefined>;
  /** The names of secrets with a prefix, including secrets that are scheduled for deletion. */
  listSecrets(prefix: string): Promise<string[]>;
  /** The names of log groups with a prefix. */
  listLogGroups(prefix: string): Promise<string[]>;
  /** The names of all functions of the region. */
  listFunctionNames(): Promise<string[]>;
}

/**
 * Queries the account of the credentials in the environment with the AWS CLI.
 * @param region the region of the stage; by default the region of the environment
 */
export function awsAccount(region?: string): Account {
  const queryAws = (command: string[], awsRegion = region) =>
    runAwsCli([...command, ...(awsRegion ? ['--region', awsRegion] : [])]);
  return {
    async getConcurrency() {
      const { AccountLimit } = await queryAws(['lambda', 'get-account-settings']);
      return {
        quota: AccountLimit.ConcurrentExecutions,
        unreserved: AccountLimit.UnreservedConcurrentExecutions,
      };
    },
    async getReservedConcurrency(functionName) {
      const command = ['lambda', 'get-function-concurrency', '--function-name', functionName];
      // The CLI prints nothing for a function without reserved concurrency.
      const found = await undefinedOn('ResourceNotFoundException', () => queryAws(command));
      return found?.ReservedConcurrentExecutions ?? 0;
    },
    async findBootstrapVersion(awsRegion) {
      const command = ['ssm', 'get-parameter', '--name', '/cdk-bootstrap/hnb659fds/version'];
      const found = await undefinedOn('ParameterNotFound', () => queryAws(command, awsRegion));
      return found && Number(found.Parameter.Value);
    },
    async findCertificate(arn) {
      const command = ['acm', 'describe-certificate', '--certificate-arn', arn];
      const found = await undefinedOn('ResourceNotFoundException', () =>
        queryAws(command, arn.split(':')[3]),
      );
      if (!found) return undefined;
      const { Status, DomainName, SubjectAlternativeNames = [] } = found.Certificate;
      return { status: Status, names: [DomainName, ...SubjectAlternativeNames] };
    },
    async findMailIdentity(domain) {
      const command = ['sesv2', 'get-email-identity', '--email-identity', domain];
      const found = await undefinedOn('NotFoundException', () => queryAws(command));
      return (
        found && {
          isVerified: found.VerifiedForSendingStatus,
          hasMailFrom: found.MailFromAttributes?.MailFromDomainStatus === 'SUCCESS',
        }
      );
    },
    async getMailQuota() {
      const { ProductionAccessEnabled, SendQuota } = await queryAws(['sesv2', 'get-account']);
      return {
        hasProductionAccess: ProductionAccessEnabled,
        perSecond: SendQuota.MaxSendRate,
        perDay: SendQuota.Max24HourSend,
        sentToday: SendQuota.SentLast24Hours,
      };
    },
    async findDnsTexts(name) {
      try {
        return (await resolveTxt(name)).map((parts) => parts.join(''));
      } catch (error) {
        if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
        throw error;
      }
    },
    async findStack(name) {
      const command = ['cloudformation', 'describe-stacks', '--stack-name', name];
      // CloudFormation returns this error for a stack that does not exist.
      const found = await undefinedOn('ValidationError', () => queryAws(command));
      const [stack] = found?.Stacks ?? [];
      return stack && { status: stack.StackStatus, isProtected: stack.EnableTerminationProtection === true };
    },
    async listSecrets(prefix) {
      const filter = ['--filters', `Key=name,Values=${prefix}`];
      const found = await queryAws([
        'secretsmanager',
        'list-secrets',
        '--include-planned-deletion',
        ...filter,
      ]);
      return found.SecretList.map(({ Name }: { Name: string }) => Name);
    },
    async listLogGroups(prefix) {
      const { logGroups } = await queryAws([
        'logs',
        'describe-log-groups',
        '--log-group-name-prefix',
        prefix,
      ]);
      return logGroups.map(({ logGroupName }: { logGroupName: string }) => logGroupName);
    },
    async listFunctionNames() {
      const { Functions } = await queryAws(['lambda', 'list-functions']);
      return Functions.map(({ FunctionName }: { FunctionName: string }) => FunctionName);
    },
  };
}

/**
 * Runs the AWS CLI, which reads all pages of a list. @returns its output
 * @throws Error with the message of the CLI
 */
// biome-ignore lint/suspicious/noExplicitAny: a response of an AWS service
async function runAwsCli(command: string[]): Promise<any> {
  try {
    const { stdout } = await promisify(execFile)('aws', [...command, '--output', 'json'], {
      env: { ...process.env, AWS_PAGER: '' },
      // An account's list of functions can exceed Node's default of 1 MiB.
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    return JSON.parse(stdout || '{}');
  } catch (error) {
    const { code, stderr, message } = error as { code?: unknown; stderr?: string; message: string };
    if (code === 'ENOENT') throw new Error('The AWS CLI is not installed');
    throw new Error(stderr?.trim() || message);
  }
}

/** Returns the result of a query; undefined when it fails with this error. */
async function undefinedOn<Result>(
  errorCode: string,
  query: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof Error && error.message.includes(`(${errorCode})`)) return undefined;
    throw error;
  }
}
