import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import type { keys } from '../../../shared/dynamo/keys.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** A replacement of text in one file of the service: a deliberate bug. */
export interface Replacement {
  file: string;
  find: string;
  replace: string;
}

/** @throws Error when the text is not there exactly once: the bug has to be written anew */
export function replaceIn(replacements: readonly Replacement[]): Plugin {
  return {
    name: 'replacements',
    setup({ onLoad }) {
      if (replacements.length === 0) return;
      const files = new Set(replacements.map(({ file }) => path.join(root, file)));
      onLoad({ filter: /\.ts$/ }, ({ path: name }) => {
        if (!files.has(name)) return undefined;
        let contents = readFileSync(name, 'utf8');
        for (const { find, replace } of replacements.filter(({ file }) => path.join(root, file) === name)) {
          if (contents.split(find).length !== 2) {
            return { errors: [{ text: `${name} does not contain exactly once: ${find}` }] };
          }
          contents = contents.replace(find, () => replace);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Packages are loaded once and shared by all instances, except two that can only be imported, not required. */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup({ onResolve }) {
    const bundled = /@middy|ical-generator/;
    onResolve({ filter: /^[^./]/ }, ({ path: name, importer }) =>
      bundled.test(name) || bundled.test(importer) || importer === '' ? undefined : { external: true },
    );
  },
};

/** What a module that may remember something has: a variable, a collection that is empty at first, or its process's settings. */
const stateful = /^let |^(export )?const .* = new (?!Interface\(|RegExp\(|(Set|Map)\(\[)|\bprocess\./m;

/**
 * Finds the modules of the service that remember nothing, and import only such ones: mostly schemas, which take most of the
 * time of loading.
 */
async function findStateless(contents: string): Promise<Set<string>> {
  const { metafile } = await build({ ...buildOptions(contents, [externalPackages]), metafile: true });
  const known = new Map<string, boolean>();
  const isStateless = (file: string): boolean => {
    const imports = metafile.inputs[file]?.imports.filter(({ external }) => !external) ?? [];
    const result =
      known.get(file) ??
      (file.startsWith('shared/') &&
        !stateful.test(readFileSync(path.join(root, file), 'utf8')) &&
        imports.every(({ path: imported }) => isStateless(imported)));
    known.set(file, result);
    return result;
  };
  return new Set(Object.keys(metafile.inputs).filter(isStateless));
}

/** Leaves modules out of a program, which then requires them by their paths in the repository. */
const externalModules = (modules: ReadonlySet<string>): Plugin => ({
  name: 'external-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path: name, resolveDir }) => {
      const file = path.relative(root, path.resolve(resolveDir, name));
      return modules.has(file) ? { external: true, path: file } : undefined;
    });
  },
});

const buildOptions = (contents: string, plugins: Plugin[]) =>
  ({
    stdin: { contents, resolveDir: root, loader: 'ts', sourcefile: 'simulation-entry.ts' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    plugins,
    define: { 'import.meta.dirname': '""', 'import.meta.url': '""' },
    logLevel: 'silent',
  }) as const satisfies BuildOptions;

/** Makes new instances of a program: each has its own memory, like a new process. */
export type Instantiate<Exports> = (process: object) => Exports;

async function compile<Exports>(
  contents: string,
  plugins: Plugin[],
  required: (name: string, real: (name: string) => unknown) => unknown,
): Promise<Instantiate<Exports>> {
  const result = await build(buildOptions(contents, [...plugins, externalPackages]));
  const code = result.outputFiles[0]?.text ?? '';
  // Otherwise each instance would copy the exports of all packages again.
  const parameters = 'require, module, exports, process, reuse';
  const script = new vm.Script(
    `(function (${parameters}) {${code}\nvar __toESM = __toESM && reuse(__toESM);})`,
    {
      filename: 'service.js',
    },
  );
  const namespaces = new WeakMap<object, object>();
  const reuse = (copy: (exports: object, isNode?: 1) => object) => (exports: object, isNode?: 1) => {
    if (!isNode) return copy(exports);
    const namespace = namespaces.get(exports) ?? copy(exports, isNode);
    namespaces.set(exports, namespace);
    return namespace;
  };
  const requireAnew = createRequire(path.join(root, 'package.json'));
  const packages = new Map<string, unknown>();
  // Finding a package takes longer than loading it again.
  const real = (name: string) => {
    if (!packages.has(name)) packages.set(name, requireAnew(name));
    return packages.get(name);
  };
  // An instance uses most schemas a few times: fewer than it takes to compile one.
  requireAnew('zod').config({ jitless: true });
  return (process) => {
    const module = { exports: {} as Exports };
    script.runInThisContext()((name: string) => required(name, real), module, module.exports, process, reuse);
    return module.exports;
  };
}

/** Recognises passwords without the work that bcrypt makes of it, which would be most of a history. */
const cheapBcrypt = {
  hash: async (password: string) => `$2b$12$${createHash('sha256').update(password).digest('base64url')}`,
  compare: async (password: string, hash: string) => (await cheapBcrypt.hash(password)) === hash,
};

/** Lists are spread over two partitions each. With as many as on AWS, reading empty ones would be most of a history. */
const twoPartitions = [
  'dueShards = 8',
  'eventOrderShards = 16',
  'waitingListShards = 4',
  'queueShards = 64',
  'doorShards = 4',
  'admissionShards = 8',
].map((text) => ({
  file: 'shared/dynamo/keys.ts',
  find: `const ${text};`,
  replace: `const ${text.replace(/\d+/, '2')};`,
}));

/** A function's handler with its definition. */
// biome-ignore lint/suspicious/noExplicitAny: handlers differ in their events
export type Handler = ((event: any, context?: any) => Promise<any>) & { definition: any };

/** Builds the service: every function of functions/, by its name. */
export async function buildService(replacements: readonly Replacement[] = []) {
  const names = globSync('**/*.ts', { cwd: path.join(root, 'functions') })
    .map((file) => file.replace(/\.ts$/, ''))
    .filter((name) => !name.startsWith('docs/'))
    .sort();
  // Required when it is first called, as a Lambda function loads its own code only.
  const contents = `const handlers = {}; exports.load = (name) => handlers[name] ??= ({
    ${names.map((name) => `'${name}': () => require('./functions/${name}.ts').handler,`).join('\n')}
  })[name](); exports.names = ${JSON.stringify(names)}; exports.keys = require('./shared/dynamo/keys.ts').keys;`;
  const replace = replaceIn([...twoPartitions, ...replacements]);
  const stateless = await findStateless(contents);
  const instantiateShared = await compile<Record<string, () => object>>(
    [...stateless].map((file) => `exports['${file}'] = () => require('./${file}');`).join('\n'),
    [replace],
    (name, real) => real(name),
  );
  const shared = instantiateShared(process);
  return compile<{ load(name: string): Handler; names: string[]; keys: typeof keys }>(
    contents,
    [replace, externalModules(stateless)],
    (name, real) => shared[name]?.() ?? (name === 'bcryptjs' ? cheapBcrypt : real(name)),
  );
}

/** Builds the payment providers of the sandbox. */
export function buildProviders() {
  const contents = `
    export { Actions } from './infra/sandbox/actions.ts';
    export { Payments, Transfers } from './infra/sandbox/payments.ts';
    export { createGatewayA } from './infra/sandbox/gateway-a.ts';
    export { createGatewayB } from './infra/sandbox/gateway-b.ts';
    export { createGatewayC } from './infra/sandbox/gateway-c.ts';`;
  // biome-ignore lint/suspicious/noExplicitAny: the types of the sandbox's classes are in infra/sandbox
  return compile<any>(contents, [], (name, real) => real(name));
}
