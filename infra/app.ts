import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build, outputDirectory, sourceMapDirectory } from './build/build.ts';
import { readDeployment } from './deployment.ts';
import { FrontStack } from './front/stack.ts';
import { BoxofficeStack } from './stack.ts';
import { requireValidStage } from './stage-checks.ts';
import { parseStageName, readStage } from './stages.ts';

// npx cdk synth|diff|deploy -c stage=dev|staging|production [-c stageFile=…] [-c first=true] [-c shift=all] [-c paused=true]
// stages.ts describes stageFile; deployment.ts describes first, shift and paused.
const app = new App();
const stage = readStage(
  parseStageName(app.node.tryGetContext('stage') ?? 'dev'),
  app.node.tryGetContext('stageFile'),
);
requireValidStage(stage);
const bundles = process.env.BOXOFFICE_FUNCTIONS || outputDirectory;
if (!process.env.BOXOFFICE_FUNCTIONS) await build(outputDirectory, sourceMapDirectory);
const deployment = readDeployment(app.node);
const service = new BoxofficeStack(app, { stage, bundles, deployment });
if (stage.front && stage.domain) {
  const { front, domain } = stage;
  new FrontStack(app, { stage: { ...stage, front, domain }, deployment }).addStackDependency(service);
}
// A finding without an acknowledged reason fails the synthesis, so it can't be deployed.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
