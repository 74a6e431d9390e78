import { queueUrlVariable, type ResourceName } from '../../shared/runtime/config.ts';
import type { SettingName } from '../../shared/runtime/settings.ts';
import { type FunctionRow, isBehindFront } from '../functions.ts';
import { mailRate } from '../mail-rate.ts';
import { metricsNamespace } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import type { MailResources } from './mail.ts';
import type { Resources } from './permissions.ts';
import { configuredSecretsOf } from './secrets.ts';

/** Returns the environment variables of a row's function: only those that the row names, and secrets as ARNs. */
export function environment(
  row: FunctionRow,
  stage: StageConfiguration,
  { tables, pictures, queues, secrets, mail }: Resources,
): Record<string, string> {
  const usesTable = row.table.length > 0 || row.indexes !== undefined;
  return {
    ...resourceVariable('METRICS_NAMESPACE', metricsNamespace(stage.name)),
    ...(stage.front && isBehindFront(row) && resourceVariable('REQUIRE_FRONT', 'true')),
    ...(stage.traceCalls && resourceVariable('TRACE_CALLS', 'true')),
    ...(usesTable && resourceVariable('TABLE_NAME', tables.current.tableName)),
    ...(row.objects && resourceVariable('BUCKET_NAME', pictures.bucketName)),
    ...Object.assign(
      {},
      ...(row.sends ?? []).map((name) => resourceVariable(queueUrlVariable(name), queues.get(name).queueUrl)),
    ),
    ...(row.mail && mail && mailVariables(row, stage, mail)),
    ...settingsOf(row, stage),
    ...Object.fromEntries(configuredSecretsOf(row, stage).map((name) => [`${name}_ARN`, secrets.arn(name)])),
  };
}

function mailVariables(row: FunctionRow, stage: StageConfiguration, mail: MailResources) {
  const rate = mailRate(row, stage);
  return {
    ...resourceVariable('MAIL_CONFIGURATION_SET', mail.configurationSetName),
    ...(rate && resourceVariable('MAIL_PACE_MILLISECONDS', String(rate.paceMilliseconds))),
  };
}

function settingsOf(row: FunctionRow, stage: StageConfiguration): Record<string, string> {
  const values: Partial<Record<SettingName, string>> = {
    PAYMENT_CHAINS: stage.chains.map(({ chainId }) => chainId).join(','),
    ...stage.settings,
    STAGE: stage.name,
    ALLOWED_ORIGINS: stage.allowedOrigins.join(','),
  };
  return Object.fromEntries(
    (row.settings ?? []).flatMap((name) => (values[name] ? [[name, values[name]]] : [])),
  );
}

/** Returns a variable whose name the code reads. Any other name does not compile. */
const resourceVariable = (name: ResourceName, value: string) => ({ [name]: value });
