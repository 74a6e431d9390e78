import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { bundleDirectory } from '../../infra/build/build.ts';
import { readDeployment } from '../../infra/deployment.ts';
import { FrontStack } from '../../infra/front/stack.ts';
import { functions } from '../../infra/functions.ts';
import { BoxofficeStack } from '../../infra/stack.ts';
import { parseStageName, readStage } from '../../infra/stages.ts';

/*
 * Runs the commands of the documents as far as they go without AWS. A shell runs each block and each inline command with
 * stub programs that record their arguments. Each recorded command is then checked by the real program.
 */

const root = path.resolve(import.meta.dirname, '..', '..');
const documents = globSync('{*.md,docs/*.md,infra/{client,storefront}/*.md}', { cwd: root });
const programs = ['npm', 'npx', 'aws', 'node', 'cast', 'curl', 'docker', 'jq'];
const isCommand = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:(?:${programs.join('|')}) \\S|\\.ci/)`);
const scripts = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts;

/** Returns the shell commands of a document: its `sh` blocks, and inline code that begins with a program. */
function listShellTexts(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const blocks = Array.from(
    text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```/gm),
    ([, , language, block = '']) => ({
      language,
      block,
    }),
  );
  const untagged = blocks.filter(({ language, block }) => language === '' && isCommand.test(block.trim()));
  expect(untagged, `${file} has commands in a block without the language sh`).toEqual([]);
  const inline = Array.from(
    text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`]+)`/g),
    ([, code = '']) => code.replaceAll(/\s+/g, ' '),
  );
  return (
    [
      ...blocks.filter(({ language }) => language === 'sh').map(({ block }) => block),
      ...inline.filter((code) => isCommand.test(code)),
    ]
      // test/journeys/readme.test.ts runs the first purchase against the local stack.
      .filter((block) => !block.includes('api/orders/initialize'))
      .map((command) => command.replaceAll(/<[a-z][\w .’-]*>/g, '111122223333').replaceAll('…', 'x'))
  );
}

/** The definitions at the top of operations.md that its commands use. */
const prelude = `export STAGE=production
output() { echo "output-$1"; }
COPY=copy RPC_URL=http://127.0.0.1:1 CONTRACT=0x1 MINTER=0x2 BUCKET=bucket ORDER=order EVENT=event
`;

/** Runs shell text with stub programs, and returns the arguments with which it called each. */
function record(text: string): string[][] {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-commands-'));
  const log = path.join(directory, 'log');
  mkdirSync(path.join(directory, '.ci'));
  const stub = `#!${process.execPath}
require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify([process.argv[1].replace(${JSON.stringify(`${directory}/`)}, ''), ...process.argv.slice(2)]) + '\\n');
console.log('recorded');\n`;
  for (const name of [...programs, ...globSync('.ci/*', { cwd: root })]) {
    writeFileSync(path.join(directory, name), stub);
    chmodSync(path.join(directory, name), 0o755);
  }
  writeFileSync(log, '');
  const { stderr } = spawnSync('bash', ['--norc', '-c', `${prelude}${text}`], {
    cwd: directory,
    env: { PATH: `${directory}:/usr/bin:/bin` },
    input: 'a value\n',
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(stderr, text).not.toMatch(/syntax error|unexpected|command not found/);
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

interface Outcome {
  code: number;
  output: string;
}

/** Runs a program without credentials, and with every AWS endpoint at a closed port. */
function run(program: string, args: string[]): Promise<Outcome> {
  const env = {
    PATH: process.env.PATH,
    HOME: tmpdir(),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_MAX_ATTEMPTS: '1',
    AWS_REGION: 'eu-west-1',
    AWS_DEFAULT_REGION: 'eu-west-1',
    NO_COLOR: '1',
    CI: 'true',
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, env, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
        output: `${stdout}${stderr}`,
      }),
    ).stdin?.end();
  });
}

const cdk = path.join(root, 'node_modules', '.bin', 'cdk');

/** Synthesizes the production stage with its front, as infra/app.ts does, with empty bundles. */
function synthesizeProduction(): string {
  const stage = readStage('production', path.join(import.meta.dirname, 'stack', 'production.json'));
  const { front, domain } = stage;
  if (!front || !domain) throw new Error('The production stage has no front');
  const bundles = mkdtempSync(path.join(tmpdir(), 'boxoffice-bundles-'));
  for (const row of functions) mkdirSync(bundleDirectory(row, bundles));
  const app = new App({ outdir: mkdtempSync(path.join(tmpdir(), 'boxoffice-synth-')) });
  const service = new BoxofficeStack(app, { stage, bundles });
  new FrontStack(app, { stage: { ...stage, front, domain } }).addStackDependency(service);
  return app.synth().directory;
}

/** What the CDK prints when only credentials are missing, or a person who confirms. */
const reachedAws =
  /Unable to resolve AWS account|no credentials have been configured|TTY|Successfully synthesized/;

async function findCdkFault(args: string[], assembly: string): Promise<string | undefined> {
  const context = Object.fromEntries(
    args.flatMap((arg, index) => (args[index - 1] === '-c' ? [arg.split('=') as [string, string]] : [])),
  );
  // With an assembly the CDK ignores the context, so it is checked here.
  if (context.stage) parseStageName(context.stage);
  readDeployment(new App({ context }).node);
  const { output } = await run(cdk, args.includes('--app') ? args : [...args, '--app', assembly]);
  return reachedAws.test(output) ? undefined : output;
}

const helps = new Map<string, Promise<Outcome>>();

async function findOpsFault([name = '', ...args]: string[]): Promise<string | undefined> {
  const help = helps.get(name) ?? run(process.execPath, ['infra/ops/main.ts', name, '--help']);
  helps.set(name, help);
  const { code, output } = await help;
  if (code !== 0) return output;
  const unknown = args.filter((arg) => arg.startsWith('--') && !output.includes(arg));
  return unknown.length > 0 ? `${name} has no ${unknown.join(', ')}` : undefined;
}

function findNpmFault(args: string[]): Promise<string | undefined> | string | undefined {
  const [command = '', ...others] = args.filter((arg) => arg !== '--silent' && arg !== '-s');
  if (command !== 'run')
    return ['ci', 'install', 'audit', 'pack', 'start', 'test', 'sbom'].find((known) => known === command)
      ? undefined
      : `npm ${command}`;
  const [script = '', separator, ...options] = others;
  if (!(script in scripts)) return `There is no script ${script}`;
  return script === 'ops' && separator === '--' ? findOpsFault(options) : undefined;
}

/** The exit codes of the AWS CLI (versions 1 and 2) for a command that it does not know. */
const usageErrors = [2, 252];

async function findAwsFault(args: string[]): Promise<string | undefined> {
  const options = ['--no-sign-request', '--cli-connect-timeout', '1'];
  const { code, output } = await run('aws', [...args, ...options]);
  return usageErrors.includes(code) && !/file:\/\//.test(args.join(' ')) ? output : undefined;
}

const hasAwsCli = spawnSync('aws', ['--version']).status === 0;

/** Returns why a documented command can't work; undefined when it gets as far as AWS. */
async function findFault([program = '', ...args]: string[], assembly: string): Promise<string | undefined> {
  if (program === 'npx' && args[0] === 'cdk') return findCdkFault(args.slice(1), assembly);
  if (program === 'npm') return findNpmFault(args);
  if (program === 'aws') return hasAwsCli ? findAwsFault(args) : undefined;
  if (program === 'node' && args[0]?.endsWith('.ts')) {
    return existsSync(path.join(root, args[0])) ? undefined : `There is no ${args[0]}`;
  }
  if (program.startsWith('.ci/')) {
    const { status, stderr } = spawnSync('bash', ['-n', path.join(root, program)], { encoding: 'utf8' });
    return status === 0 ? undefined : stderr;
  }
  return undefined;
}

const recorded = documents.map((file) => ({ file, commands: listShellTexts(file).flatMap(record) }));
const assembly = synthesizeProduction();

describe.concurrent('the commands of the documents', { timeout: 300_000 }, () => {
  const unique = [
    ...new Set(recorded.flatMap(({ commands }) => commands.map((command) => JSON.stringify(command)))),
  ];

  it.each(unique)('%s gets as far as AWS', async (command) => {
    expect(await findFault(JSON.parse(command), assembly)).toBeUndefined();
  });

  it('include the first deployment, a hotfix and a pause', () => {
    const deployments = recorded
      .flatMap(({ commands }) => commands)
      .filter(([program, first, second]) => program === 'npx' && first === 'cdk' && second === 'deploy')
      .map((command) => command.join(' '));
    for (const option of ['first=true', 'shift=all', 'paused=true']) {
      expect(deployments.filter((command) => command.includes(option))).not.toEqual([]);
    }
  });

  it('fail when they select no stacks, or name an unknown option or operation', async () => {
    const fault = await findFault(['npx', 'cdk', 'deploy', '-c', 'stage=production'], assembly);
    // The front is a second stack, so a deployment has to name the stacks.
    expect(fault).toContain('specify which stacks to use');
    expect(await findFault(['npm', 'run', 'ops', '--', 'redrive', '--every'], assembly)).toContain('--every');
    if (hasAwsCli)
      expect(await findFault(['aws', 'dynamodb', 'restore'], assembly)).toContain('nvalid choice');
  });
});
