/**
 * Builds `dist` from `src`: declarations, one module per subpath with shared code in chunks, and the same as CommonJS in
 * `dist/cjs`. An import of the core then opens two files instead of sixty. The packages that Sluice needs of itself are
 * parts of it. Arguments are options of the compiler.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type OnResolveResult, type Plugin, build } from 'esbuild';
import { buildDashboard } from './build-dashboard.ts';
import { buildBrowser } from './package/browser.ts';
import { arrangeDeclarations } from './package/declarations.ts';
import { bundledPackage, commands, subpaths } from './package/entries.ts';
import { licencesOf, packageFolders } from './package/licences.ts';

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

/** Leaves packages to the host, except those that are parts of the build, with what they import. */
const hostPackages: Plugin = {
  name: 'packages of the host',
  setup(setup) {
    setup.onResolve({ filter: /^[^./]/ }, ({ path: name, importer }) =>
      importer === '' || importer.includes('/node_modules/') || bundledPackage.test(name)
        ? undefined
        : { path: name, external: true },
    );
  },
};

/** Leaves packages out of the source maps, but for the beginning of each file, by giving them maps of that alone. */
const ownMaps: Plugin = {
  name: 'maps of own sources',
  setup(setup) {
    const map = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');
    setup.onLoad({ filter: /\/node_modules\/.*\.js$/ }, ({ path: module }) => {
      const source = readFileSync(module, 'utf8');
      return { contents: `${source}\n//# sourceMappingURL=data:application/json;base64,${map}` };
    });
  },
};

const plugins = [withoutComments, hostPackages, ownMaps];
const options: BuildOptions = {
  plugins,
  outdir: dist,
  outbase: `${root}src`,
  bundle: true,
  format: 'esm',
  target: 'es2023',
  minifySyntax: true,
  platform: 'neutral',
  // Lines of `src` in a stack trace without a copy of `src`.
  sourcemap: true,
  sourcesContent: false,
};

// Modules that are large and loaded late are CommonJS, which both formats can load, so that there is one of each.
const shared = [
  'board/core/page/dashboard-assets.generated.ts',
  'board/kvq/queue/ajv.cjs',
  'board/kvq/queue/ajv-drafts.cjs',
  'cli/init/parser.cjs',
];
const chunks = path.join(dist, 'chunks');

/** Takes the shared modules as they are built. */
const sharedModules = (resolved: (file: string) => OnResolveResult): Plugin => ({
  name: 'shared modules',
  setup(setup) {
    for (const { base, name } of shared.map((module) => path.parse(module))) {
      setup.onResolve({ filter: new RegExp(`^\\..*/${base}$`) }, () => resolved(`${name}.cjs`));
    }
  },
});

const sharedBuild = await build({
  ...options,
  metafile: true,
  entryPoints: shared.map((module) => `${root}src/${module}`),
  entryNames: '[name]',
  plugins: [...plugins, sharedModules((file) => ({ path: `./${file}`, external: true }))],
  outdir: chunks,
  outExtension: { '.js': '.cjs' },
  minify: true,
  format: 'cjs',
  platform: 'node',
  sourcemap: false,
});

const modules: BuildOptions = {
  ...options,
  plugins: [...plugins, sharedModules((file) => ({ path: path.join(chunks, file) }))],
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  loader: { '.cjs': 'copy' },
  assetNames: 'chunks/[name]',
  // The shared modules are where they belong.
  allowOverwrite: true,
};

const nativeBuild = await build({
  ...modules,
  metafile: true,
  entryPoints: sources([...Object.values(subpaths), ...Object.values(commands)]),
});

await buildBrowser(options);

// esbuild shares chunks between ES modules only: those are built first, and then written as CommonJS one by one.
const common = path.join(dist, 'cjs');
await build({
  ...modules,
  entryPoints: Object.fromEntries(
    Object.values(subpaths).map((module) => [`cjs/${module}`, `${root}src/${module}.ts`]),
  ),
  chunkNames: `cjs/${modules.chunkNames}`,
  platform: 'node',
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
  // It has no source maps: short lines and the names of functions tell where an error is, in a fifth less.
  minifyWhitespace: true,
  lineLimit: 100,
  // Jest runs `require` in CommonJS, and no `import`.
  supported: { 'dynamic-import': false },
});
// There, an awaited import is a `require`: in its `try`, by which bundlers know that a package is optional.
const awaited =
  /(?<=await )Promise\.resolve\(\)\.then\(\(\)=>\n?(__toESM\(require\("[^"]+"\)(?:,1)?\))\)/g;
/** The name of a source before its part of a module, of which the source map tells. */
const sourceName = /^\/\/ src\/.*$/gm;
for (const file of globSync('**/*.js', { cwd: dist }).map((name) => path.join(dist, name))) {
  const text = readFileSync(file, 'utf8');
  const isCommon = file.startsWith(common);
  writeFileSync(file, isCommon ? text.replaceAll(awaited, '$1') : text.replaceAll(sourceName, ''));
}
const inputs = [sharedBuild, nativeBuild].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const { packages: ofDashboard } = (await import(
  `${root}src/board/core/page/dashboard-assets.generated.ts`
)) as { readonly packages: readonly string[] };
const parts = packageFolders([...inputs, ...ofDashboard]);
writeFileSync(path.join(dist, 'LICENSES.txt'), licencesOf(root, parts));
for (const command of Object.values(commands)) chmodSync(path.join(dist, `${command}.js`), 0o755);
// The last file: a build that has it is whole.
writeFileSync(path.join(common, 'package.json'), '{ "type": "commonjs" }\n');
