import { reservedConcurrency } from '../../constructs/reserved-concurrency.ts';
import { functions } from '../../functions.ts';
import {
  accessLogName,
  deployedFunctionName,
  frontRegion,
  logGroupName,
  mailDomain,
  secretName,
  stackName,
} from '../../names.ts';
import { findStageErrors } from '../../stage-checks.ts';
import type { StageConfiguration } from '../../stages.ts';
import type { Account } from './account.ts';

export interface Finding {
  /** The subject of the check. */
  subject: string;
  /** The reasons why a deployment would fail, as sentences. */
  faults: string[];
  /** Further information for the operator. */
  advice?: string;
}

/** The bootstrap version that the CDK's current templates need. */
const minimumBootstrapVersion = 6;
/** The concurrency that Lambda does not allow functions to reserve. */
const unreservableConcurrency = 100;

/** Checks everything that would make a deployment of the stage fail. A check that fails to run is a fault as well. */
export async function preflight(stage: StageConfiguration, account: Account): Promise<Finding[]> {
  const stack = await account.stack(stackName(stage.name));
  const isDeployed = stack !== undefined;
  const ofAccount = await Promise.all([
    runCheck('concurrent executions', () => concurrencyFaults(stage, account, isDeployed)),
    runCheck('CDK bootstrap', () => bootstrapFaults(stage, account)),
    runCheck('certificates', () => certificateFaults(stage, account)),
    mailFindings(stage, account, isDeployed),
    runCheck('names that must be free', () => leftoverFaults(stage, account, isDeployed)),
  ]);
  return [
    { subject: 'values of the stage', faults: findStageErrors(stage) },
    stackFinding(stage, stack),
    ...ofAccount.flat(),
  ];
}

async function runCheck(subject: string, check: () => Promise<string[]>): Promise<Finding> {
  const reason = (error: unknown) => (error instanceof Error ? error.message || error.name : String(error));
  return { subject, faults: await check().catch((error) => [`It can't be checked: ${reason(error)}`]) };
}

function stackFinding(
  { name, keepData }: StageConfiguration,
  stack: Awaited<ReturnType<Account['stack']>>,
): Finding {
  const subject = `the stack ${stackName(name)}`;
  if (!stack) {
    return { subject, faults: [], advice: 'It does not exist yet: deploy with -c first=true.' };
  }
  const { status, isProtected } = stack;
  if (/^ROLLBACK_(COMPLETE|FAILED)$|^(CREATE|DELETE)_FAILED$/.test(status)) {
    const command = `aws cloudformation delete-stack --stack-name ${stackName(name)}`;
    return { subject, faults: [`Its creation failed (${status}). Delete it: ${command}`] };
  }
  if (/_IN_PROGRESS$/.test(status)) return { subject, faults: [`A deployment is under way (${status}).`] };
  return {
    subject,
    faults: [],
    ...(keepData && !isProtected && { advice: 'It keeps nothing yet: deploy without -c first=true.' }),
  };
}

async function concurrencyFaults(
  stage: StageConfiguration,
  account: Account,
  isDeployed: boolean,
): Promise<string[]> {
  const reserved = functions.reduce((sum, row) => sum + (reservedConcurrency(row, stage) ?? 0), 0);
  const needed = reserved + provisionedWithoutReservation(stage);
  if (needed === 0) return [];
  const { quota, unreserved } = await account.concurrency();
  const free = unreserved + (isDeployed ? reserved : 0) - unreservableConcurrency;
  return free >= needed
    ? []
    : [
        `${stage.name} reserves and provisions ${needed} executions, and only ${Math.max(0, free)} of the account's ${quota} are free. Ask for a larger quota, or take webhookConcurrency or provisionedConcurrency out.`,
      ];
}

/**
 * Sums the provisioned concurrency of functions without reserved concurrency. Other functions take it from what they
 * reserve.
 */
function provisionedWithoutReservation(stage: StageConfiguration): number {
  const { entries = [], executions = 0 } = stage.provisionedConcurrency ?? {};
  const named = functions.filter((row) => entries.some((entry) => entry === row.entry));
  return named.filter((row) => reservedConcurrency(row, stage) === undefined).length * executions;
}

async function bootstrapFaults({ front }: StageConfiguration, account: Account): Promise<string[]> {
  const regions = [undefined, ...(front ? [frontRegion] : [])];
  const faults = regions.map(async (region) => {
    const version = await account.bootstrapVersion(region);
    const regionText = region ?? 'the region of the stage';
    if (version === undefined) return [`${regionText} is not bootstrapped: npx cdk bootstrap`];
    return version < minimumBootstrapVersion
      ? [
          `${regionText} has bootstrap version ${version}, at least ${minimumBootstrapVersion} is needed: npx cdk bootstrap`,
        ]
      : [];
  });
  return (await Promise.all(faults)).flat();
}

async function certificateFaults({ domain, front }: StageConfiguration, account: Account): Promise<string[]> {
  const faults = [domain, front].map(async (use) => {
    if (!use) return [];
    const certificate = await account.certificate(use.certificateArn);
    if (!certificate) return [`The certificate for ${use.name} does not exist: ${use.certificateArn}`];
    return [
      ...(certificate.status === 'ISSUED'
        ? []
        : [`The certificate for ${use.name} is ${certificate.status}, not ISSUED`]),
      ...(certificate.names.some((name) => covers(name, use.name))
        ? []
        : [`The certificate does not cover ${use.name}, only ${certificate.names.join(', ')}`]),
    ];
  });
  return (await Promise.all(faults)).flat();
}

/** Returns whether a certificate's name covers a host: itself, or `*.` for one label. */
function covers(name: string, host: string): boolean {
  return name === host || (name.startsWith('*.') && host.slice(host.indexOf('.')) === name.slice(1));
}

/** Checks the mail identity, which the stack creates and an operator then verifies in the DNS. */
async function mailFindings(
  { settings }: StageConfiguration,
  account: Account,
  isDeployed: boolean,
): Promise<Finding[]> {
  const domain = mailDomain(settings.MAIL_FROM);
  if (domain === undefined) return [];
  let advice: string[] = [];
  const finding = await runCheck('mail identity', async () => {
    const isVerified = await account.maySendMailFrom(domain);
    advice = [
      ...(isVerified
        ? []
        : [`SES sends once the stack's outputs Dkim1 to Dkim3 are in the DNS of ${domain}.`]),
      ...((await account.maySendMailToAnybody())
        ? []
        : ['SES still sends to verified addresses only: ask for production access.']),
    ];
    return isVerified === undefined || isDeployed
      ? []
      : [
          `The SES identity ${domain} exists already: give the stage a domain of its own, or delete the identity`,
        ];
  });
  return [{ ...finding, ...(advice.length > 0 && { advice: advice.join(' ') }) }];
}

/**
 * Finds resources that the deployment will create, but whose names belong to resources that an earlier deployment left
 * behind.
 */
async function leftoverFaults(
  { name }: StageConfiguration,
  account: Account,
  isDeployed: boolean,
): Promise<string[]> {
  const [secrets, functionNames, ...groups] = await Promise.all([
    isDeployed ? [] : account.secretsNamed(secretName(name, '')),
    account.functionNames(),
    account.logGroupsNamed(logGroupName(name)),
    account.logGroupsNamed(accessLogName(name)),
  ]);
  const missing = functions.filter((row) => !functionNames.includes(deployedFunctionName(name, row)));
  const needed = [
    ...missing.map((row) => logGroupName(name, row)),
    ...(isDeployed ? [] : [accessLogName(name)]),
  ];
  const leftOver = groups.flat().filter((group) => needed.includes(group));
  return [
    ...secrets.map(
      (secret) =>
        `The secret ${secret} exists: aws secretsmanager delete-secret --force-delete-without-recovery --secret-id ${secret}`,
    ),
    ...leftOver.map(
      (group) => `The log group ${group} exists: aws logs delete-log-group --log-group-name ${group}`,
    ),
  ];
}
