import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, NestedStack } from 'aws-cdk-lib';
import { bundleDirectory, syntheticPurchase } from '../../../infra/build/build.ts';
import { type Deployment, defaultDeployment } from '../../../infra/deployment.ts';
import { type FunctionRow, functions } from '../../../infra/functions.ts';
import { BoxofficeStack } from '../../../infra/stack.ts';
import { readStage, type StageConfiguration, stageDefaults } from '../../../infra/stages.ts';

// biome-ignore lint/suspicious/noExplicitAny: the content of a template depends on its resources
type Json = any;

export interface Resource {
  id: string;
  type: string;
  properties: Json;
  /** The whole resource, with its deletion policy and dependencies. */
  definition: Json;
}

export interface Synthesized {
  stage: StageConfiguration['name'];
  app: App;
  stack: BoxofficeStack;
  directory: string;
  /** The templates as the CDK writes them, by file name. */
  templates: Map<string, Json>;
  /** All resources, those of nested stacks with their parameters resolved. */
  resources: Resource[];
  ofType(type: string): Resource[];
  /** Returns the only resource of a type with these properties. @throws Error when there are none or several */
  getOne(type: string, properties?: Record<string, unknown>): Resource;
}

/** The stages with the values that an operator fills in. */
export const stages = {
  dev: stageDefaults.dev,
  staging: readStage('staging', path.join(import.meta.dirname, 'staging.json')),
  production: readStage('production', path.join(import.meta.dirname, 'production.json')),
};
export const dev = synthesize(stages.dev);
export const staging = synthesize(stages.staging);
export const production = synthesize(stages.production);

/** Production with all that a stage has only where it is wanted. */
export const optional = synthesize({
  ...stages.production,
  backup: { retentionDays: 90, lockAfterDays: 7 },
  traceCalls: true,
  syntheticPurchase: true,
  provisionedConcurrency: { entries: ['orders/initialize-order', 'events/get-event'], executions: 50 },
  webhookDomain: {
    name: 'hooks.boxoffice.test',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/h',
  },
});

/** Synthesizes a stage with stub bundles in place of the built functions. */
export function synthesize(
  stage: StageConfiguration,
  deployment: Partial<Deployment> = {},
  rows = functions,
): Synthesized {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-synth-'));
  const app = new App({ outdir: directory, context: readContext('cdk.json') });
  const stack = new BoxofficeStack(app, {
    stage,
    bundles: stubBundles(rows),
    functions: rows,
    deployment: { ...defaultDeployment, ...deployment },
  });
  app.synth();
  const names = readdirSync(directory).filter((name) => name.endsWith('.template.json'));
  const templates = new Map(names.map((name) => [name, readJson(path.join(directory, name))]));
  const resources = listResources(stack, templates);
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  return {
    stage: stage.name,
    app,
    stack,
    directory,
    templates,
    resources,
    ofType,
    getOne(type, properties = {}) {
      const found = ofType(type).filter((resource) =>
        Object.entries(properties).every(([name, value]) => resource.properties[name] === value),
      );
      if (found.length !== 1 || !found[0])
        throw new Error(`${found.length} resources of ${type} have ${JSON.stringify(properties)}`);
      return found[0];
    },
  };
}

/** Returns the Lambda function of a row of infra/functions.ts. */
export function getFunction({ getOne, stage }: Synthesized, entry: string): Resource {
  return getOne('AWS::Lambda::Function', {
    FunctionName: `boxoffice-${stage}-${entry.replaceAll('/', '-')}`,
  });
}

/** Renders a value with intrinsic functions as one string: `${Table.Arn}/index/byOwner`. */
export function render(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('Ref' in value) return `\${${value.Ref}}`;
  if ('Fn::GetAtt' in value) return `\${${value['Fn::GetAtt'].join('.')}}`;
  if ('Fn::Join' in value) return value['Fn::Join'][1].map(render).join(value['Fn::Join'][0]);
  return JSON.stringify(value);
}

/** Renders a property that has one value or several. */
export const renderList = (value: Json): string[] => [value].flat().map(render);

function listResources(stack: BoxofficeStack, templates: Map<string, Json>): Resource[] {
  const root = templates.get(stack.templateFile);
  const nested = stack.node.findAll().filter((node) => NestedStack.isNestedStack(node));
  return [
    ...resourcesOf(root),
    ...nested.flatMap(({ templateFile, nestedStackResource }) => {
      const { Parameters = {} } = root.Resources[stack.resolve(nestedStackResource?.logicalId)].Properties;
      return resourcesOf(withParameters(templates.get(templateFile), Parameters));
    }),
  ];
}

function resourcesOf(template: Json): Resource[] {
  return Object.entries<Json>(template.Resources).map(([id, definition]) => ({
    id,
    type: definition.Type,
    properties: definition.Properties ?? {},
    definition,
  }));
}

/** Replaces references to a nested template's parameters by the parameters' values. */
function withParameters(value: Json, parameters: Record<string, Json>): Json {
  if (Array.isArray(value)) return value.map((item) => withParameters(item, parameters));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.Ref === 'string' && value.Ref in parameters) return parameters[value.Ref];
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withParameters(item, parameters)]),
  );
}

function stubBundles(rows: readonly FunctionRow[]): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-bundles-'));
  for (const row of rows) {
    mkdirSync(bundleDirectory(row, directory));
    writeFileSync(path.join(bundleDirectory(row, directory), 'index.mjs'), `// ${row.entry}\n`);
  }
  mkdirSync(path.join(directory, syntheticPurchase));
  return directory;
}

function readJson(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readContext(file: string) {
  return readJson(path.resolve(import.meta.dirname, '..', '..', '..', file)).context;
}
