import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build, outputDirectory } from './build.ts';
import { readDeployment } from './deployment.ts';
import { BoxofficeStack } from './stack.ts';
import { refuseFaultyStage } from './stage-checks.ts';
import { readStage, stageNamed } from './stages.ts';

// npx cdk synth|diff|deploy -c stage=dev|staging|production [-c stageFile=…] [-c first=true] [-c shift=all] [-c paused=true]
const app = new App();
const stage = readStage(
  stageNamed(app.node.tryGetContext('stage') ?? 'dev'),
  app.node.tryGetContext('stageFile'),
);
refuseFaultyStage(stage);
await build();
new BoxofficeStack(app, { stage, bundles: outputDirectory, deployment: readDeployment(app.node) });
// A finding without an acknowledged reason fails the synthesis, so it can't be deployed.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
