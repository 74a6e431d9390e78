import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ChainRpcName, SecretName } from '../../shared/runtime/config.ts';
import type { FunctionRow } from '../functions.ts';
import { secretName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';

/** Keys that nobody outside needs to know: the stack makes them up. All others come from somebody else. */
const generated: readonly string[] = [
  'JWT_ACCESS_SECRET',
  'JWT_REFRESH_SECRET',
  'CHECK_IN_SECRET',
] satisfies SecretName[];

/**
 * One secret for each name that a row reads, called `boxoffice/<stage>/<name>`. Those that are not generated have
 * no value until an operator gives them one, and read as "not configured" so long: a made-up value, which the
 * higher-level construct insists on, would read as a configured one.
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
      ...(generated.includes(name) && {
        // Lists of keys are separated by commas, so that a key must have none.
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
      }),
    });
    secret.applyRemovalPolicy(stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
    return secret;
  }
}

/** The secrets a row reads, with the RPC endpoints of the stage's chains where it asks for them. */
export function secretsOf(row: FunctionRow, stage: StageConfiguration): (SecretName | ChainRpcName)[] {
  const chains = row.chains
    ? stage.chains.map(({ chainId }): ChainRpcName => `CHAIN_${chainId}_RPC_URLS`)
    : [];
  return [...(row.secrets ?? []), ...chains];
}
