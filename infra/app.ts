import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build, outputDirectory } from './build/build.ts';
import { BoxofficeStack } from './stack.ts';
import { stageCalled } from './stages.ts';

// npx cdk synth|diff|deploy -c stage=dev|staging|production
await build();
const app = new App();
new BoxofficeStack(app, {
  stage: stageCalled(app.node.tryGetContext('stage') ?? 'dev'),
  bundles: outputDirectory,
});
// A finding without a written acknowledgement fails the synthesis, so that it can't be deployed.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
