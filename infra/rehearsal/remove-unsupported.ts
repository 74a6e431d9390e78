import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stackName } from '../names.ts';
import type { StageName } from '../stages.ts';

/** Prefixes of the resource types that the emulator can't create from a template. */
const unsupportedTypes = [
  'AWS::ApiGatewayV2::',
  'AWS::SecretsManager::',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::SES::',
];

interface Template {
  Resources: Record<string, { Type: string; Properties?: object }>;
  Outputs: Record<string, unknown>;
}

/**
 * Removes the unsupported resources from a synthesized assembly, and replaces references to them with a placeholder.
 * The rehearsal is not affected, since it does not invoke the functions.
 * @returns the types of the removed resources
 */
export function removeUnsupported(assembly: string, stage: StageName): string[] {
  const file = path.join(assembly, `${stackName(stage)}.template.json`);
  const template: Template = JSON.parse(readFileSync(file, 'utf8'));
  const unsupported = Object.entries(template.Resources).filter(([, { Type }]) => isUnsupported(Type));
  const names = unsupported.map(([name]) => name);
  for (const name of names) delete template.Resources[name];
  for (const resource of Object.values(template.Resources)) {
    if (resource.Properties) resource.Properties = withoutReferences(resource.Properties, names);
  }
  for (const [output, value] of Object.entries(template.Outputs)) {
    if (JSON.stringify(withoutReferences(value, names)) !== JSON.stringify(value)) {
      delete template.Outputs[output];
    }
  }
  writeFileSync(file, JSON.stringify(template));
  return [...new Set(unsupported.map(([, { Type }]) => Type))];
}

const isUnsupported = (type: string) => unsupportedTypes.some((prefix) => type.startsWith(prefix));

/** Replaces each `Ref` and `Fn::GetAtt` of these resources, at any depth. */
function withoutReferences<Value>(value: Value, names: readonly string[]): Value {
  return JSON.parse(JSON.stringify(value), (_, part) => {
    const name = part?.Ref ?? part?.['Fn::GetAtt']?.[0];
    return names.includes(name) ? 'not-emulated' : part;
  });
}
