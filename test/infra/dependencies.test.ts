import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  inBundle?: boolean;
}

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const manifest = read('package.json');
const locked = Object.entries<Locked>(read('package-lock.json').packages)
  .filter(([place]) => place !== '')
  .map(([place, one]) => ({ name: place.replace(/^.*node_modules\//, ''), place, ...one }));

describe('dependencies', () => {
  it('are pinned, and locked by integrity without registry addresses', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
    expect(locked.filter(({ integrity, inBundle }) => !integrity && !inBundle)).toEqual([]);
    expect(locked.filter(({ resolved }) => resolved)).toEqual([]);
  });

  it('run no install script except those listed in package.json', () => {
    const scripts = locked.filter(({ hasInstallScript }) => hasInstallScript);
    expect(scripts.map(({ name }) => name).sort()).toEqual(Object.keys(manifest.allowScripts).sort());
    // None of them is part of what is deployed.
    expect(scripts.filter(({ dev }) => !dev)).toEqual([]);
    expect(readFileSync(path.join(root, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true');
  });

  // npm's --omit dev also leaves out a deployed package that a package for development uses as well.
  it('are listed by npm run sbom, those for development alone with a mark', () => {
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
