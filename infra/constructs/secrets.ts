import { Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ChainRpcName, SecretName } from '../../shared/runtime/config.ts';
import type { FunctionRow } from '../functions.ts';
import { frontRegion, secretName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { removalPolicy } from './retention.ts';

/** Keys that no other system shares: the stack generates them. All others come from payment providers and chains. */
const generated: readonly string[] = [
  'JWT_ACCESS_SECRET',
  'JWT_REFRESH_SECRET',
  'CHECK_IN_SECRET',
  'ORIGIN_SECRET',
] satisfies SecretName[];

/**
 * One secret for each name that a row reads, called `boxoffice/<stage>/<name>`. A secret that is not generated has no
 * value until an operator sets one, and counts as not configured until then. `CfnSecret`, since `Secret` always
 * generates a value, which would count as configured.
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
        'Payment providers and chains issue these keys by hand; JWT keys rotate as key lists (docs/operations.md)',
    });
  }

  arn(name: SecretName | ChainRpcName): string {
    const arn = this.#arns.get(name);
    if (!arn) throw new Error(`No row reads ${name}`);
    return arn;
  }

  #create(name: string, stage: StageConfiguration): CfnSecret {
    const secret = new CfnSecret(this, name, {
      name: secretName(stage.name, name),
      // The front's stack is in another region, and can read only what is there.
      ...(name === 'ORIGIN_SECRET' &&
        stage.front &&
        stage.region !== frontRegion && { replicaRegions: [{ region: frontRegion }] }),
      ...(generated.includes(name) && {
        // Commas separate the keys of a list, so a key must not contain one.
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
      }),
    });
    secret.applyRemovalPolicy(removalPolicy(stage));
    return secret;
  }
}

/** The secrets that a row reads, including the RPC endpoints of the stage's chains when the row names chains. */
export function secretsOf(row: FunctionRow, stage: StageConfiguration): (SecretName | ChainRpcName)[] {
  const chains = row.chains
    ? stage.chains.map(({ chainId }): ChainRpcName => `CHAIN_${chainId}_RPC_URLS`)
    : [];
  return [...(row.secrets ?? []), ...chains];
}
