import { Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ChainRpcName } from '../../shared/runtime/config.ts';
import { generatedSecrets, type SecretName } from '../../shared/runtime/settings.ts';
import { type FunctionRow, isBehindFront } from '../functions.ts';
import { frontRegion, secretName } from '../names.ts';
import { type StageConfiguration, usesGatewayOf } from '../stages.ts';
import { removalPolicy } from './retention.ts';

/**
 * The secrets that the rows of infra/functions.ts read, named `boxoffice/<stage>/<name>`. A secret that the stack does
 * not generate has no value, and counts as not configured, until an operator sets its value. The class uses
 * `CfnSecret`, since `Secret` always generates a value.
 */
export class Secrets extends Construct {
  readonly #arns = new Map<string, string>();

  constructor(scope: Construct, stage: StageConfiguration, rows: readonly FunctionRow[]) {
    super(scope, 'Secrets');
    const names = new Set(rows.flatMap((row) => secretsOf(row, stage)));
    for (const name of names) this.#arns.set(name, this.#create(name, stage).ref);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'No automatic rotation: operators get keys from providers, and rotate JWT keys as lists (docs/operations.md)',
    });
  }

  /** @throws Error when no row reads the secret */
  arn(name: SecretName | ChainRpcName): string {
    const arn = this.#arns.get(name);
    if (!arn) throw new Error(`No row of infra/functions.ts reads the secret ${name}`);
    return arn;
  }

  #create(name: string, stage: StageConfiguration): CfnSecret {
    const secret = new CfnSecret(this, name, {
      name: secretName(stage.name, name),
      // CloudFront's stack (infra/front) is in another region, and can read secrets of that region only.
      ...(name === 'ORIGIN_SECRET' &&
        stage.front &&
        stage.region !== frontRegion && { replicaRegions: [{ region: frontRegion }] }),
      ...((generatedSecrets as string[]).includes(name) && {
        // A secret can be a list of keys separated by commas, so a key must not contain a comma.
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
      }),
    });
    secret.applyRemovalPolicy(removalPolicy(stage));
    return secret;
  }
}

/** Returns the secrets that a row may read, with the RPC endpoints of the stage's chains when its function uses chains. */
export function secretsOf(row: FunctionRow, stage: StageConfiguration): (SecretName | ChainRpcName)[] {
  const chains = row.chains
    ? stage.chains.map(({ chainId }): ChainRpcName => `CHAIN_${chainId}_RPC_URLS`)
    : [];
  return [...(row.secrets ?? []), ...chains];
}

/**
 * Returns the secrets that a row's function reads on a stage: none of a gateway that the stage does not use, and CloudFront's
 * where requests have to come through it.
 */
export function configuredSecretsOf(
  row: FunctionRow,
  stage: StageConfiguration,
): (SecretName | ChainRpcName)[] {
  const names = new Set(secretsOf(row, stage).filter((name) => usesGatewayOf(name, stage)));
  if (stage.front && isBehindFront(row)) names.add('ORIGIN_SECRET');
  return [...names];
}
