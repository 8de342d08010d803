/**
 * Builds `dist` from `src`: one declaration file per source file, one module per subpath, and shared code in chunks.
 * An import of the core then opens two files instead of sixty.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Plugin, build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });
const tsc = [`${root}tools/tsc.ts`, '-p', `${root}tsconfig.build.json`];
execFileSync(process.execPath, tsc, { stdio: 'inherit' });

/** The modules in `exports` and `bin` of package.json. */
const entries = [
  'index',
  'adapters/drizzle/index',
  'adapters/typeorm/index',
  'adapters/prisma/index',
  'adapters/sql/index',
  'adapters/prisma/generator/main',
  'http/express/index',
  'relational/companions/index',
  'auth/index',
  'board/index',
  'cli/main',
];

const options: BuildOptions = {
  outdir: `${root}dist`,
  bundle: true,
  format: 'esm',
  target: 'es2023',
  sourcemap: true,
};

await build({
  ...options,
  entryPoints: entries.map((entry) => `${root}src/${entry}.ts`),
  outbase: `${root}src`,
  splitting: true,
  platform: 'neutral',
  packages: 'external',
  external: ['node:*'],
  chunkNames: 'chunks/[name]-[hash]',
});
/** Takes `x.browser.ts` for modules that need a database, Node.js or a framework. */
const browserModules: Plugin = {
  name: 'browser modules',
  setup(setup) {
    setup.onResolve(
      {
        filter:
          /\/(check-source|counted-rows|cursor-value|long-text|parse-object|scopes|sealed-cursor)\.ts$/,
      },
      ({ path, resolveDir }) => ({
        path: `${resolveDir}/${path.replace(/\.ts$/, '.browser.ts')}`,
      }),
    );
  },
};

await build({
  ...options,
  entryPoints: { browser: `${root}src/index.ts` },
  platform: 'browser',
  plugins: [browserModules],
});
for (const bin of ['cli/main', 'adapters/prisma/generator/main']) {
  chmodSync(`${root}dist/${bin}.js`, 0o755);
}
