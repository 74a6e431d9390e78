import { Duration, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { stackName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { removalPolicy } from './retention.ts';

/**
 * Backs up the table every day into a vault with a lock, on stages with `backup`. Point-in-time recovery does not survive
 * the deletion of the table. A backup of a locked vault can be deleted by nobody before its retention ends, neither with
 * stolen credentials nor by AWS.
 */
export function createBackups(scope: Construct, stage: StageConfiguration, table: ITable): void {
  if (!stage.backup) return;
  const retention = Duration.days(stage.backup.retentionDays);
  const vault = new BackupVault(scope, 'BackupVault', {
    backupVaultName: stackName(stage.name),
    lockConfiguration: { minRetention: retention, changeableFor: Duration.days(stage.backup.lockAfterDays) },
    removalPolicy: removalPolicy(stage),
  });
  const plan = new BackupPlan(scope, 'BackupPlan', {
    backupPlanName: stackName(stage.name),
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter: retention,
      }),
    ],
  });
  const managedPolicy = 'service-role/AWSBackupServiceRolePolicyForBackup';
  const role = new Role(scope, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(managedPolicy)],
  });
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${managedPolicy}]`,
    reason:
      'AWS Backup documents this policy as the permissions that it needs, and changes it with the service',
  });
  plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(table)], role });
}
