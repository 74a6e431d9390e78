import { parseArgs } from 'node:util';
import { getDomain } from 'tldts';
import { functions } from '../functions.ts';
import {
  accessLogName,
  deployedFunctionName,
  frontRegion,
  logGroupName,
  mailDomain,
  secretName,
  stackName,
} from '../names.ts';
import { findStageErrors } from '../stage-checks.ts';
import {
  parseStageName,
  readStage,
  reservedConcurrency,
  type StageConfiguration,
  stageNames,
} from '../stages.ts';
import { type Account, awsAccount } from './aws-account.ts';

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

/** Checks everything that would make a deployment of the stage fail. A check that can't run counts as a fault. */
export async function preflight(stage: StageConfiguration, account: Account): Promise<Finding[]> {
  const stack = await account.findStack(stackName(stage.name));
  const isDeployed = stack !== undefined;
  const accountFindings = await Promise.all([
    runCheck('concurrent executions', () => concurrencyFaults(stage, account, isDeployed)),
    runCheck('CDK bootstrap', () => bootstrapFaults(stage, account)),
    runCheck('certificates', () => certificateFaults(stage, account)),
    mailFindings(stage, account, isDeployed),
    neighbourFinding(stage, account),
    runCheck('names that must be free', () => leftoverFaults(stage, account, isDeployed)),
  ]);
  return [
    { subject: 'values of the stage', faults: findStageErrors(stage) },
    stackFinding(stage, stack),
    ...accountFindings.flat(),
  ];
}

async function runCheck(subject: string, check: () => Promise<string[]>): Promise<Finding> {
  const reason = (error: unknown) => (error instanceof Error ? error.message || error.name : String(error));
  return { subject, faults: await check().catch((error) => [`It can't be checked: ${reason(error)}`]) };
}

function stackFinding(
  { name, keepData }: StageConfiguration,
  stack: Awaited<ReturnType<Account['findStack']>>,
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
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    const command = `aws cloudformation continue-update-rollback --stack-name ${stackName(name)}`;
    return { subject, faults: [`The rollback of its update failed (${status}). Continue it: ${command}`] };
  }
  if (/_IN_PROGRESS$/.test(status)) return { subject, faults: [`A deployment is in progress (${status}).`] };
  return {
    subject,
    faults: [],
    ...(keepData && !isProtected && { advice: 'It retains no data yet: deploy without -c first=true.' }),
  };
}

/**
 * Checks that the account has the executions that the deployment reserves in addition to those reserved now.
 * CloudFormation changes the functions in any sequence, so a lower reservation frees none for a higher one.
 */
async function concurrencyFaults(
  stage: StageConfiguration,
  account: Account,
  isDeployed: boolean,
): Promise<string[]> {
  const increases = functions.map(async (row) => {
    const reserved = reservedConcurrency(row, stage) ?? 0;
    if (reserved === 0 || !isDeployed) return reserved;
    const deployed = await account.getReservedConcurrency(deployedFunctionName(stage.name, row));
    return Math.max(0, reserved - deployed);
  });
  const sum = (await Promise.all(increases)).reduce((total, increase) => total + increase, 0);
  const needed = sum + provisionedWithoutReservation(stage);
  if (needed === 0) return [];
  const { quota, unreserved } = await account.getConcurrency();
  const free = unreserved - unreservableConcurrency;
  return free >= needed
    ? []
    : [
        `${stage.name} needs ${needed} more executions, and only ${Math.max(0, free)} of the account's ${quota} are free. Request a larger quota, or lower or remove reservedConcurrency or provisionedConcurrency.`,
      ];
}

/**
 * Sums the provisioned concurrency of functions without reserved concurrency. For other functions it is part of their
 * reserved concurrency.
 */
function provisionedWithoutReservation(stage: StageConfiguration): number {
  const { entries = [], executions = 0 } = stage.provisionedConcurrency ?? {};
  const provisioned = functions.filter((row) => entries.some((entry) => entry === row.entry));
  return provisioned.filter((row) => reservedConcurrency(row, stage) === undefined).length * executions;
}

async function bootstrapFaults({ front }: StageConfiguration, account: Account): Promise<string[]> {
  const regions = [undefined, ...(front ? [frontRegion] : [])];
  const faults = regions.map(async (region) => {
    const version = await account.findBootstrapVersion(region);
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

async function certificateFaults(
  { domain, webhookDomain, front }: StageConfiguration,
  account: Account,
): Promise<string[]> {
  const faults = [domain, webhookDomain, front].map(async (endpoint) => {
    if (!endpoint) return [];
    const certificate = await account.findCertificate(endpoint.certificateArn);
    if (!certificate)
      return [`The certificate for ${endpoint.name} does not exist: ${endpoint.certificateArn}`];
    return [
      ...(certificate.status === 'ISSUED'
        ? []
        : [`The certificate for ${endpoint.name} is ${certificate.status}, not ISSUED`]),
      ...(certificate.names.some((name) => coversHost(name, endpoint.name))
        ? []
        : [`The certificate does not cover ${endpoint.name}, only ${certificate.names.join(', ')}`]),
    ];
  });
  return (await Promise.all(faults)).flat();
}

/** Returns whether a certificate's name is the host's name, or a wildcard that covers it: `*` stands for one label. */
function coversHost(name: string, host: string): boolean {
  return name === host || (name.startsWith('*.') && host.slice(host.indexOf('.')) === name.slice(1));
}

/**
 * Checks the SES identity, which the stack creates and whose DNS records an operator then adds, and the account's quotas.
 * Google and Yahoo refuse mass mail from a domain without DMARC.
 */
async function mailFindings(
  stage: StageConfiguration,
  account: Account,
  isDeployed: boolean,
): Promise<Finding[]> {
  const domain = mailDomain(stage.settings.MAIL_FROM);
  if (domain === undefined) return [];
  let advice: string[] = [];
  const finding = await runCheck('mail', async () => {
    const identity = await account.findMailIdentity(domain);
    advice = [...dnsAdvice(domain, identity), ...(await dmarcAdvice(domain, account))];
    advice.push(...quotaAdvice(stage, await account.getMailQuota()));
    return identity && !isDeployed
      ? [
          `The SES identity ${domain} exists already: use another domain for the stage, or delete the identity`,
        ]
      : [];
  });
  return [{ ...finding, ...(advice.length > 0 && { advice: advice.join('\n    ') }) }];
}

function dnsAdvice(domain: string, identity: Awaited<ReturnType<Account['findMailIdentity']>>): string[] {
  if (!identity?.isVerified) {
    return [`SES sends no mail until the stack's outputs Dkim1 to Dkim3 are in the DNS of ${domain}.`];
  }
  return identity.hasMailFrom
    ? []
    : [`SES has not found the MAIL FROM domain: add the outputs MailFromMx and MailFromSpf to the DNS.`];
}

/** A domain without a policy of its own has that of its registrable domain. */
async function dmarcAdvice(domain: string, account: Account): Promise<string[]> {
  const names = [...new Set([domain, getDomain(domain) ?? domain])].map((name) => `_dmarc.${name}`);
  const texts = (await Promise.all(names.map((name) => account.findDnsTexts(name)))).flat();
  return texts.some((text) => text.startsWith('v=DMARC1'))
    ? []
    : [
        `${domain} has no DMARC policy, so Google and Yahoo refuse its mails: add the output Dmarc to the DNS.`,
      ];
}

function quotaAdvice(
  { mailsPerSecond }: StageConfiguration,
  { hasProductionAccess, perSecond, perDay, sentToday }: Awaited<ReturnType<Account['getMailQuota']>>,
): string[] {
  const text = `SES allows ${perSecond} mails a second, and ${perDay - sentToday} more of ${perDay} in 24 hours.`;
  return [
    ...(hasProductionAccess
      ? []
      : ['SES still sends to verified addresses only: request production access.']),
    mailsPerSecond > perSecond
      ? `${text} mailsPerSecond is ${mailsPerSecond}: request a larger quota, or lower it.`
      : text,
  ];
}

/**
 * Names the other stages in the account. Whoever may deploy one of them may deploy this stage, and they share its quotas.
 */
async function neighbourFinding({ name }: StageConfiguration, account: Account): Promise<Finding> {
  let neighbours: string[] = [];
  const finding = await runCheck('an account of its own', async () => {
    const others = stageNames.filter((other) => other !== name);
    const stacks = await Promise.all(others.map((other) => account.findStack(stackName(other))));
    neighbours = others.filter((_, index) => stacks[index]);
    return [];
  });
  if (neighbours.length === 0) return finding;
  const names = neighbours.join(' and ');
  return { ...finding, advice: `The account has ${names} too, whose pipeline can also deploy ${name}.` };
}

/** Finds resources of an earlier deployment whose names the new deployment needs. */
async function leftoverFaults(
  { name }: StageConfiguration,
  account: Account,
  isDeployed: boolean,
): Promise<string[]> {
  const [secrets, functionNames, ...groups] = await Promise.all([
    isDeployed ? [] : account.listSecrets(secretName(name, '')),
    account.listFunctionNames(),
    account.listLogGroups(logGroupName(name)),
    account.listLogGroups(accessLogName(name)),
  ]);
  const newFunctions = functions.filter((row) => !functionNames.includes(deployedFunctionName(name, row)));
  const newLogGroups = [
    ...newFunctions.map((row) => logGroupName(name, row)),
    ...(isDeployed ? [] : [accessLogName(name)]),
  ];
  const leftOver = groups.flat().filter((group) => newLogGroups.includes(group));
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

/** Lists everything that would make a deployment of the stage fail. Changes nothing. */
export async function runPreflight(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { stage: { type: 'string', default: 'dev' }, 'stage-file': { type: 'string' } },
  });
  const stage = readStage(parseStageName(values.stage), values['stage-file']);
  for (const { subject, faults, advice } of await preflight(stage, awsAccount(stage.region))) {
    console.log(faults.length === 0 ? `✓ ${subject}` : `✗ ${subject}\n    ${faults.join('\n    ')}`);
    if (advice) console.log(`    ${advice}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}
