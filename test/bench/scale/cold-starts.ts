import { type FunctionRow, functions } from '../../../infra/functions.ts';
import { type StageConfiguration, usesGatewayOf } from '../../../infra/stages.ts';
import type { Random } from '../../support/random.ts';
import { Bucket, SimulatedClock } from './simulated-clock.ts';

/** The quota of GetSecretValue in an account and region, which AWS does not raise. */
const readsPerSecond = 10_000;
const readMilliseconds = 30;
/** The SDK's attempts at a read, and its longest pauses between them: shared/runtime/secrets.ts. */
const attempts = 3;
const sdkPauses = [1_000, 2_000];

/** Returns the secrets that an execution environment of a function reads when it starts. */
export function countSecrets(row: FunctionRow, stage: StageConfiguration): number {
  const secrets = (row.secrets ?? []).filter((name) => usesGatewayOf(name, stage));
  return secrets.length + (row.chains ? stage.chains.length : 0);
}

export interface ColdStarts {
  environments: number;
  secretsEach: number;
  reads: number;
  /** The largest number of reads within a second. */
  busiestSecond: number;
  throttledReads: number;
  /** Environments that answered 503, since all attempts at a secret were throttled. */
  withoutSecrets: number;
}

/** Simulates environments of the function with most secrets that start evenly within a time. */
export async function simulateColdStarts(
  environments: number,
  milliseconds: number,
  stage: StageConfiguration,
  random: Random,
): Promise<ColdStarts> {
  const clock = new SimulatedClock();
  const quota = new Bucket(readsPerSecond);
  const secretsEach = Math.max(...functions.map((row) => countSecrets(row, stage)));
  const readsBySecond: number[] = [];
  const result = { reads: 0, throttledReads: 0, withoutSecrets: 0 };

  const read = async (): Promise<boolean> => {
    for (let attempt = 1; ; attempt++) {
      const second = Math.floor(clock.now / 1_000);
      readsBySecond[second] = (readsBySecond[second] ?? 0) + 1;
      result.reads++;
      const isAnswered = quota.take(1, clock.now);
      await clock.wait(readMilliseconds);
      if (isAnswered) return true;
      result.throttledReads++;
      if (attempt === attempts) return false;
      await clock.wait(random.next() * (sdkPauses[attempt - 1] ?? 0));
    }
  };
  const start = async () => {
    await clock.wait(random.next() * milliseconds);
    const answers = await Promise.all(Array.from({ length: secretsEach }, read));
    if (answers.includes(false)) result.withoutSecrets++;
  };
  const all = Array.from({ length: environments }, start);
  await clock.run();
  await Promise.all(all);
  return { environments, secretsEach, busiestSecond: Math.max(...readsBySecond.filter(Boolean)), ...result };
}
