import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stackName } from '../names.ts';
import type { StageName } from '../stages.ts';

/** Services whose resources the emulator can't create from a template. */
const unsupportedServices = [
  'AWS::ApiGatewayV2::',
  'AWS::SecretsManager::',
  'AWS::CloudWatch::',
  'AWS::SES::',
];

interface Template {
  Resources: Record<string, { Type: string; Properties?: { Parameters?: Record<string, unknown> } }>;
  Outputs: Record<string, unknown>;
}

/**
 * Removes the resources that the emulator does not support from a synthesized assembly. References to them in functions'
 * parameters get a placeholder, since the functions are not invoked.
 * @returns the types of the removed resources
 */
export function removeUnsupported(assembly: string, stage: StageName): string[] {
  const file = path.join(assembly, `${stackName(stage)}.template.json`);
  const template: Template = JSON.parse(readFileSync(file, 'utf8'));
  const missing = Object.entries(template.Resources).filter(([, { Type }]) => isUnsupported(Type));
  const names = missing.map(([name]) => name);
  for (const name of names) delete template.Resources[name];
  for (const { Properties } of Object.values(template.Resources)) {
    for (const [parameter, value] of Object.entries(Properties?.Parameters ?? {})) {
      if (refersTo(value, names))
        Object.assign(Properties?.Parameters ?? {}, { [parameter]: 'not-emulated' });
    }
  }
  for (const [output, value] of Object.entries(template.Outputs)) {
    if (refersTo(value, names)) delete template.Outputs[output];
  }
  writeFileSync(file, JSON.stringify(template));
  return [...new Set(missing.map(([, { Type }]) => Type))];
}

const isUnsupported = (type: string) => unsupportedServices.some((service) => type.startsWith(service));

const refersTo = (value: unknown, names: string[]) =>
  names.some((name) => JSON.stringify(value).includes(`"${name}"`));
