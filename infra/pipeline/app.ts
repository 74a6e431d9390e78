import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { parseStageName } from '../stages.ts';
import { PipelineStack } from './stack.ts';

// npx cdk deploy --app "node infra/pipeline/app.ts" -c repository=owner/name [-c stages=staging,production]
const app = new App();
const repository: unknown = app.node.tryGetContext('repository');
if (typeof repository !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  throw new Error('Pass the repository that may deploy: -c repository=owner/name');
}
const stages = String(app.node.tryGetContext('stages') ?? 'staging,production').split(',');
new PipelineStack(app, { repository, stages: stages.map(parseStageName) });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
