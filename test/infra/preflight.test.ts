import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { deployedFunctionName, logGroupName } from '../../infra/names.ts';
import { type Account, awsAccount } from '../../infra/ops/aws-account.ts';
import { preflight } from '../../infra/ops/preflight.ts';
import {
  readStage,
  reservedConcurrency,
  type StageConfiguration,
  stageDefaults,
} from '../../infra/stages.ts';

const fixture = path.join(import.meta.dirname, 'stack', 'production.json');
const { front, ...stage } = readStage('production', fixture);

const mailQuota = { hasProductionAccess: true, perSecond: 14, perDay: 50_000, sentToday: 2_000 };
const verifiedIdentity = { isVerified: true, hasMailFrom: true };

/** An account in which production can be deployed for the first time. */
const readyAccount: Account = {
  getConcurrency: async () => ({ quota: 1_000, unreserved: 1_000 }),
  getReservedConcurrency: async () => 0,
  findBootstrapVersion: async () => 28,
  findCertificate: async () => ({ status: 'ISSUED', names: ['*.boxoffice.test'] }),
  findMailIdentity: async () => undefined,
  getMailQuota: async () => mailQuota,
  findDnsTexts: async () => ['v=DMARC1; p=none'],
  findStack: async () => undefined,
  listSecrets: async () => [],
  listLogGroups: async () => [],
  listFunctionNames: async () => [],
};
const findFaults = async (account: Partial<Account>, configuration: StageConfiguration = stage) =>
  (await preflight(configuration, { ...readyAccount, ...account })).flatMap(({ subject, faults }) =>
    faults.map((fault) => `${subject}: ${fault}`),
  );
const withFront = { ...stage, front };
const deployedStack = { status: 'UPDATE_COMPLETE', isProtected: true };

describe('the preflight', () => {
  it('finds no faults in an account that is ready, and advises how to deploy for the first time', async () => {
    const findings = await preflight(withFront, readyAccount);
    expect(findings.flatMap(({ faults }) => faults)).toEqual([]);
    expect(findings.flatMap(({ advice }) => advice ?? []).join()).toContain('-c first=true');
    const deployed = await preflight(stage, {
      ...readyAccount,
      findStack: async (name) => (name === 'boxoffice-dev' ? undefined : deployedStack),
      findMailIdentity: async () => verifiedIdentity,
    });
    expect(deployed.flatMap(({ advice, faults }) => [...faults, advice].filter(Boolean))).toEqual([
      'SES allows 14 mails a second, and 48000 more of 50000 in 24 hours.',
      'The account has staging too, whose pipeline can also deploy production.',
    ]);
  });

  it('names the values that are missing in the stage file', async () => {
    expect((await findFaults({}, stageDefaults.production)).join('\n')).toMatch(/alarmEmail/);
  });

  it.each<[string, Partial<Account>, RegExp, StageConfiguration]>([
    [
      'too little concurrency',
      { getConcurrency: async () => ({ quota: 400, unreserved: 400 }) },
      /needs 626 more executions, and only 300 of the account's 400/,
      stage,
    ],
    [
      'no bootstrap',
      { findBootstrapVersion: async () => undefined },
      /the region of the stage is not bootstrapped/,
      stage,
    ],
    [
      'no bootstrap in the region of the CloudFront distribution',
      { findBootstrapVersion: async (region) => (region === 'us-east-1' ? undefined : 28) },
      /us-east-1 is not bootstrapped/,
      withFront,
    ],
    ['an old bootstrap', { findBootstrapVersion: async () => 5 }, /bootstrap version 5, at least 6/, stage],
    [
      'no certificate',
      { findCertificate: async () => undefined },
      /api\.boxoffice\.test does not exist/,
      stage,
    ],
    [
      'a certificate that is not validated yet',
      { findCertificate: async () => ({ status: 'PENDING_VALIDATION', names: ['*.boxoffice.test'] }) },
      /PENDING_VALIDATION, not ISSUED/,
      stage,
    ],
    [
      'a certificate for other names',
      {
        findCertificate: async () => ({
          status: 'ISSUED',
          names: ['boxoffice.test', '*.api.boxoffice.test'],
        }),
      },
      /does not cover api\.boxoffice\.test/,
      stage,
    ],
    [
      'a mail identity that exists before the stack that creates it',
      { findMailIdentity: async () => ({ isVerified: false, hasMailFrom: false }) },
      /The SES identity mail\.boxoffice\.test exists already/,
      stage,
    ],
    [
      'a stack whose creation failed',
      { findStack: async () => ({ status: 'ROLLBACK_COMPLETE', isProtected: false }) },
      /delete-stack --stack-name boxoffice-production/,
      stage,
    ],
    [
      'a stack whose rollback failed',
      { findStack: async () => ({ status: 'UPDATE_ROLLBACK_FAILED', isProtected: true }) },
      /continue-update-rollback --stack-name boxoffice-production/,
      stage,
    ],
    [
      'a deployment in progress',
      { findStack: async () => ({ status: 'UPDATE_IN_PROGRESS', isProtected: true }) },
      /in progress/,
      stage,
    ],
    [
      'secrets of an earlier attempt',
      { listSecrets: async (prefix) => [`${prefix}JWT_ACCESS_SECRET`] },
      /boxoffice\/production\/JWT_ACCESS_SECRET exists/,
      stage,
    ],
    [
      'logs of an earlier attempt',
      { listLogGroups: async (prefix) => [prefix].filter((name) => name.endsWith('/access')) },
      /delete-log-group --log-group-name \/aws\/vendedlogs\/boxoffice-production\/access/,
      stage,
    ],
    [
      'logs of a function that was created and rolled back by a failed release',
      {
        findStack: async () => deployedStack,
        listFunctionNames: async () =>
          functions
            .filter(({ entry }) => entry !== 'auth/me')
            .map((row) => deployedFunctionName('production', row)),
        listLogGroups: async (prefix) =>
          functions.map((row) => logGroupName('production', row)).filter((name) => name.startsWith(prefix)),
      },
      /delete-log-group --log-group-name \/boxoffice\/production\/auth-me$/,
      stage,
    ],
    [
      'an account that denies access',
      { getConcurrency: () => Promise.reject(new Error('AccessDenied')) },
      /concurrent executions: It can't be checked: AccessDenied/,
      stage,
    ],
  ])('finds %s', async (_, account, reason, configuration) => {
    const faults = await findFaults(account, configuration);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(reason);
  });

  it('advises to turn on the protection of data after a first deployment', async () => {
    const listFaultsAndAdvice = async (configuration: StageConfiguration) => {
      const findStack = async (name: string) =>
        name === 'boxoffice-production' ? { status: 'CREATE_COMPLETE', isProtected: false } : undefined;
      const findings = await preflight(configuration, {
        ...readyAccount,
        findStack,
        findMailIdentity: async () => verifiedIdentity,
      });
      return findings
        .filter(({ subject }) => subject !== 'mail')
        .flatMap(({ faults, advice }) => [...faults, advice].filter(Boolean));
    };
    expect(await listFaultsAndAdvice(stage)).toEqual([
      'It retains no data yet: deploy without -c first=true.',
    ]);
    expect(await listFaultsAndAdvice({ ...stage, keepData: false })).toEqual([]);
  });

  it('counts provisioned executions of functions without reserved ones', async () => {
    const provisionedStage = (executions: number) => ({
      ...stage,
      provisionedConcurrency: {
        entries: ['orders/initialize-order', 'events/get-event', 'webhooks/gateway-a'],
        executions,
      },
    });
    const faultsWith = (executions: number) =>
      findFaults({}, provisionedStage(executions) as StageConfiguration);
    expect(await faultsWith(10)).toEqual([]);
    expect(await faultsWith(1_000)).toEqual([
      expect.stringMatching(/needs \d+ more executions, and only \d+ of the account's/),
    ]);
  });

  describe('of a deployed stage', () => {
    const rowsByName = new Map(functions.map((row) => [deployedFunctionName('production', row), row]));
    /** An account in which the stage is deployed, and which is full but for the unreservable executions. */
    const deployedAccount: Partial<Account> = {
      findStack: async () => deployedStack,
      getConcurrency: async () => ({ quota: 698, unreserved: 100 }),
      getReservedConcurrency: async (functionName) => {
        const row = rowsByName.get(functionName);
        return (row && reservedConcurrency(row, stage)) ?? 0;
      },
    };

    it('needs no executions beyond those that it has reserved', async () => {
      expect(await findFaults(deployedAccount)).toEqual([]);
    });

    it('needs free executions for each increase', async () => {
      const raisedStage = {
        ...stage,
        reservedConcurrency: { webhook: 101, orders: 402, checkIn: 50, sweep: 2 },
      };
      expect(await findFaults(deployedAccount, raisedStage)).toEqual([
        expect.stringMatching(/needs 3 more executions, and only 0 of the account's 698 are free/),
      ]);
      const getConcurrency = async () => ({ quota: 701, unreserved: 103 });
      expect(await findFaults({ ...deployedAccount, getConcurrency }, raisedStage)).toEqual([]);
    });

    it('needs free executions for its first reservations', async () => {
      const getReservedConcurrency = async () => 0;
      expect(await findFaults({ ...deployedAccount, getReservedConcurrency })).toEqual([
        expect.stringMatching(/needs 626 more executions/),
      ]);
    });
  });

  it('advises what is missing before mails can be sent', async () => {
    const listAdvice = async (account: Partial<Account>, configuration = stage) =>
      (await preflight(configuration, { ...readyAccount, ...account })).flatMap(({ subject, advice }) =>
        subject === 'mail' ? [advice] : [],
      );
    const unverified = {
      findStack: async () => deployedStack,
      findMailIdentity: async () => ({ isVerified: false, hasMailFrom: false }),
    };
    expect(await findFaults(unverified)).toEqual([]);
    const inSandbox = {
      ...unverified,
      getMailQuota: async () => ({ ...mailQuota, hasProductionAccess: false }),
    };
    expect(await listAdvice(inSandbox)).toEqual([
      expect.stringMatching(/Dkim1 to Dkim3 .* mail\.boxoffice\.test\.\n.* production access/),
    ]);
    const withoutRecords = {
      findMailIdentity: async () => ({ isVerified: true, hasMailFrom: false }),
      findDnsTexts: async () => ['v=spf1 -all'],
    };
    expect(await listAdvice(withoutRecords)).toEqual([
      expect.stringMatching(/MailFromMx.*\n.*no DMARC policy/),
    ]);
    const ofDomain = async (name: string) => (name === '_dmarc.boxoffice.test' ? ['v=DMARC1; p=reject'] : []);
    expect(await listAdvice({ findDnsTexts: ofDomain })).not.toEqual([expect.stringContaining('DMARC')]);
    expect(await listAdvice({}, { ...stage, mailsPerSecond: 100 })).toEqual([
      expect.stringMatching(/allows 14 mails a second.*mailsPerSecond is 100/),
    ]);
    const { MAIL_FROM, ...settings } = stage.settings;
    expect(await listAdvice({}, { ...stage, settings })).toEqual([]);
  });
});

it('the preflight reads lists of an account that are longer than a mebibyte', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-aws-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const list = { Functions: [{ FunctionName: 'shop', Description: 'x'.repeat(2 ** 20) }] };
  writeFileSync(path.join(folder, 'list.json'), JSON.stringify(list));
  writeFileSync(path.join(folder, 'aws'), `#!/bin/sh\ncat ${folder}/list.json\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  expect(await awsAccount().listFunctionNames()).toEqual(['shop']);
});
