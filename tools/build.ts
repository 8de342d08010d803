/**
 * Builds `dist` from `src`: declarations, one module per subpath with shared code in chunks, and the same as CommonJS in
 * `dist/cjs`. An import of the core then opens two files instead of sixty. Arguments are options of the compiler.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Plugin, build } from 'esbuild';
import { buildDashboard } from './build-dashboard.ts';
import { arrangeDeclarations } from './package/declarations.ts';
import { commands, subpaths } from './package/entries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
await buildDashboard();
const compiler = process.argv.slice(2);
const tsc = [`${root}tools/tsc.ts`, '-p', `${root}tsconfig.build.json`, ...compiler];
execFileSync(process.execPath, tsc, { stdio: 'inherit' });
arrangeDeclarations(dist, Object.values(subpaths));

const sources = (modules: readonly string[]): string[] =>
  modules.map((module) => `${root}src/${module}.ts`);

/** Empties lines that are comments of SQL or Lua in a text, which esbuild keeps. */
const withoutComments: Plugin = {
  name: 'texts without comments',
  setup(setup) {
    setup.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: module }) => {
      const source = readFileSync(module, 'utf8');
      return { contents: source.replaceAll(/^ *-- .*$/gm, ''), loader: 'ts' };
    });
  },
};

const options: BuildOptions = {
  plugins: [withoutComments],
  outdir: dist,
  outbase: `${root}src`,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  minifySyntax: true,
  platform: 'neutral',
  packages: 'external',
  external: ['node:*'],
  chunkNames: 'chunks/[name]-[hash]',
  // A module of CommonJS stays one: as a part of an ES module its `require` would fail.
  loader: { '.cjs': 'copy' },
  assetNames: 'chunks/[name]-[hash]',
  // Lines of `src` in a stack trace without a copy of `src`.
  sourcemap: true,
  sourcesContent: false,
};

await build({
  ...options,
  entryPoints: sources([...Object.values(subpaths), ...Object.values(commands)]),
});

/** Takes `x.browser.ts` in place of `x.ts` where there is one: modules that need a database, Node.js or a framework. */
const browserModules: Plugin = {
  name: 'browser modules',
  setup(setup) {
    const names = globSync('src/**/*.browser.ts', { cwd: root }).map((module) =>
      path.basename(module, '.browser.ts'),
    );
    setup.onResolve(
      { filter: new RegExp(`/(?:${names.join('|')})\\.ts$`) },
      ({ path: module, resolveDir }) => ({
        path: `${resolveDir}/${module.replace(/\.ts$/, '.browser.ts')}`,
      }),
    );
  },
};

await build({
  ...options,
  entryPoints: {
    browser: `${root}src/index.ts`,
    'browser-client': `${root}src/client/index.ts`,
  },
  splitting: false,
  platform: 'browser',
  plugins: [withoutComments, browserModules],
});

/** Leaves packages to the host, except those that exist as ES modules only, which CommonJS loaders cannot load. */
const bundledModules: Plugin = {
  name: 'bundled modules',
  setup(setup) {
    setup.onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || /^(jose|oauth4webapi|openid-client)(\/|$)/.test(name)
        ? undefined
        : { path: name, external: true },
    );
  },
};

// esbuild shares chunks between ES modules only: those are built first, and then written as CommonJS one by one.
const common = path.join(dist, 'cjs');
const { packages: _, ...commonOptions } = options;
await build({
  ...commonOptions,
  entryPoints: sources(Object.values(subpaths)),
  outdir: common,
  platform: 'node',
  plugins: [withoutComments, bundledModules],
  sourcemap: false,
});
await build({
  entryPoints: globSync('**/*.js', { cwd: common }).map((file) => path.join(common, file)),
  outdir: common,
  outbase: common,
  allowOverwrite: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  // Jest runs `require` in CommonJS, and no `import`.
  supported: { 'dynamic-import': false },
});
// There, an awaited import is a `require`: in its `try`, by which bundlers know that a package is optional.
const awaited =
  /(?<=await )Promise\.resolve\(\)\.then\(\(\) => (__toESM\(require\("[^"]+"\)(?:, 1)?\))\)/g;
/** The name of a source before its part of a module, of which the source map tells. */
const sourceName = /^\/\/ src\/.*$/gm;
for (const file of globSync('**/*.js', { cwd: dist }).map((name) => path.join(dist, name))) {
  const text = readFileSync(file, 'utf8');
  const isCommon = file.startsWith(common);
  writeFileSync(file, isCommon ? text.replaceAll(awaited, '$1') : text.replaceAll(sourceName, ''));
}
writeFileSync(path.join(common, 'package.json'), '{ "type": "commonjs" }\n');

for (const command of Object.values(commands)) chmodSync(path.join(dist, `${command}.js`), 0o755);
