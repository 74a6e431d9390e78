import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Builds the functions and the storefront once for all stacks of a run, unless BOXOFFICE_FUNCTIONS names a build. */
export default function setup(): void {
  if (process.env.BOXOFFICE_FUNCTIONS) return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  process.env.BOXOFFICE_FUNCTIONS = path.join(root, 'dist', 'functions');
  process.env.BOXOFFICE_STOREFRONT = path.join(root, 'dist', 'storefront');
}
