/** Builds the two entries for browsers: of the core, and of the client. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildResult, type Plugin, build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Takes `src/rules/browser.ts` in place of modules that need a database or Node.js, or that a server has run at its boot, and
 * names alone for the tables of options.
 */
const browserModules: Plugin = {
  name: 'browser modules',
  setup(setup) {
    const replaced =
      /\/(?:body-request|check-configuration|check-source|compile-children|compile-quantifiers|cost|counted-rows|cursor-value|expressions|extended-time|fixed-times|iso-text|kept-parts|known-paths|long-text|nearest-name|observed|open-api|operation|option-tables|parse-object|resolve-children|resolve-groups|run-one|schema-form|scopes|sealed-cursor|transform-plan|ways-out|where-text)\.ts$/;
    setup.onResolve({ filter: replaced }, () => ({ path: `${root}src/rules/browser.ts` }));
    const tables = /\/(?:check-options|option-rows)\.ts$/;
    setup.onResolve({ filter: tables }, () => ({ path: `${root}src/lib/browser-options.ts` }));
  },
};

/** Leaves out of a client what shows rows and checks compiled rules: it has neither. */
const clientModules: Plugin = {
  name: 'client modules',
  setup(setup) {
    setup.onLoad({ filter: /\/(?:schema\/kinds\/\w+|assert-compiled)\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      const contents = file.endsWith('assert-compiled.ts')
        ? 'export function assertCompiled() {}'
        : source.replaceAll(/^  present: .*,$/gm, '  present: String,');
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Builds `browser.js` and `browser-client.js`.
 *
 * @throws {Error} when a stand-in lacks a name of its module, which a browser would call while it loads the package
 */
export async function buildBrowser(options: BuildOptions): Promise<BuildResult[]> {
  const results: BuildResult[] = [];
  for (const [name, module, more] of [
    ['browser', 'index.ts', []],
    ['browser-client', 'client/index.ts', [clientModules]],
  ] as const) {
    const plugins = [...more, ...(options.plugins ?? []), browserModules];
    const entryPoints = { [name]: `${root}src/${module}` };
    const logOverride = { 'import-is-undefined': 'error' } as const;
    results.push(
      await build({ ...options, entryPoints, platform: 'browser', plugins, logOverride }),
    );
  }
  return results;
}
