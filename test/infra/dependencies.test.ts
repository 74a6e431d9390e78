import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  inBundle?: boolean;
}

const root = path.resolve(import.meta.dirname, '..', '..');
const readJson = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const manifest = readJson('package.json');
const lockedPackages = Object.entries<LockedPackage>(readJson('package-lock.json').packages)
  .filter(([location]) => location !== '')
  .map(([location, locked]) => ({ name: location.replace(/^.*node_modules\//, ''), location, ...locked }));

describe('dependencies', () => {
  it('have exact versions, and are locked by their hash without registry addresses', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
    expect(lockedPackages.filter(({ integrity, inBundle }) => !integrity && !inBundle)).toEqual([]);
    expect(lockedPackages.filter(({ resolved }) => resolved)).toEqual([]);
  });

  it('have no install scripts but those that package.json allows', () => {
    const withScript = lockedPackages.filter(({ hasInstallScript }) => hasInstallScript);
    expect(withScript.map(({ name }) => name).sort()).toEqual(Object.keys(manifest.allowScripts).sort());
    // Only packages for development have install scripts.
    expect(withScript.filter(({ dev }) => !dev)).toEqual([]);
    expect(readFileSync(path.join(root, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true');
  });

  // npm's `--omit dev` is not used, since it omits deployed packages on which development packages also depend.
  it('are listed by `npm run sbom`, with a property on those that are for development only', () => {
    const bom = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' }));
    type Component = { group?: string; name: string; properties?: { name: string }[] };
    const isForDevelopment = ({ properties = [] }: Component) =>
      properties.some(({ name }) => name === 'cdx:npm:package:development');
    const deployed = (bom.components as Component[]).filter((component) => !isForDevelopment(component));
    const names = deployed.map(({ group, name }) => (group ? `${group}/${name}` : name));
    expect(bom.bomFormat).toBe('CycloneDX');
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(names).not.toContain('vitest');
  });
});
