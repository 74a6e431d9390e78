import { functions } from '../functions.ts';
import { deployedFunctionName } from '../names.ts';
import type { StageName } from '../stages.ts';
import type { Emulator } from './emulator.ts';
import { listDifferences } from './list-differences.ts';

interface DeployedFunction {
  FunctionName: string;
  Runtime: string;
  Handler: string;
  Timeout: number;
  MemorySize: number;
  Environment?: { Variables: Record<string, string> };
}

export async function listFunctionDifferences(emulator: Emulator, stage: StageName): Promise<string[]> {
  const deployed: DeployedFunction[] = [];
  for (let marker: string | undefined = ''; marker !== undefined; ) {
    const query: string = marker && `?Marker=${encodeURIComponent(marker)}`;
    const page = (await emulator.get('lambda', `/2015-03-31/functions/${query}`)) as {
      Functions: DeployedFunction[];
      NextMarker?: string;
    };
    deployed.push(...page.Functions);
    marker = page.NextMarker;
  }
  return functions.flatMap((row) => {
    const name = deployedFunctionName(stage, row);
    const found = deployed.find(({ FunctionName }) => FunctionName === name);
    return listDifferences(
      {
        runtime: 'nodejs24.x',
        handler: 'index.handler',
        timeout: row.timeoutSeconds,
        memory: row.memoryMegabytes,
        // A function's environment contains only the ARN of a secret.
        secrets: (row.secrets ?? []).map((secret) => `${secret}_ARN`).sort(),
      },
      {
        runtime: found?.Runtime,
        handler: found?.Handler,
        timeout: found?.Timeout,
        memory: found?.MemorySize,
        secrets: Object.keys(found?.Environment?.Variables ?? {})
          .filter((variable) => (row.secrets ?? []).some((secret) => variable.startsWith(secret)))
          .sort(),
      },
      name,
    );
  });
}
