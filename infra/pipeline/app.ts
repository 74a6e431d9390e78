import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { parseStageName } from '../stages.ts';
import { PipelineStack } from './stack.ts';

// npx cdk deploy --app "node infra/pipeline/app.ts" -c repository=owner/name -c stage=staging [-c oidcProvider=arn]
const app = new App();
const readOption = (name: string, pattern: RegExp, meaning: string) => {
  const value: unknown = app.node.tryGetContext(name);
  if (typeof value !== 'string' || !pattern.test(value)) throw new Error(`Pass ${meaning}: -c ${name}=…`);
  return value;
};
const arn = /^arn:aws[\w-]*:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/;
new PipelineStack(app, {
  repository: readOption('repository', /^[\w.-]+\/[\w.-]+$/, 'the repository that may deploy, owner/name'),
  stage: parseStageName(readOption('stage', /./, 'the stage of this account')),
  ...(app.node.tryGetContext('oidcProvider') !== undefined && {
    oidcProvider: readOption('oidcProvider', arn, 'the ARN of the account’s OIDC provider of GitHub'),
  }),
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
