/** The modules of the package: what `exports` and `bin` of package.json name, by subpath. */

/** Module in `src` of each subpath, without its extension. */
export const subpaths = {
  '.': 'index',
  './client': 'client/index',
  './drizzle': 'adapters/drizzle/index',
  './typeorm': 'adapters/typeorm/index',
  './prisma': 'adapters/prisma/index',
  './sql': 'adapters/sql/index',
  './express': 'http/express/index',
  './fastify': 'http/fastify/index',
  './koa': 'http/koa/index',
  './hono': 'http/hono/index',
  './next': 'http/next/index',
  './fetch': 'http/fetch/index',
  './node': 'http/node/index',
  './nestjs': 'http/nestjs/index',
  './companions': 'relational/companions/index',
  './auth': 'auth/index',
  './board': 'http/board/index',
  './metrics': 'metrics/index',
  './board/fastify': 'http/fastify/board',
  './board/koa': 'http/koa/board',
  './board/hono': 'http/hono/board',
  './board/next': 'http/next/board',
  './board/node': 'http/node/board',
  './migrate': 'migrate/index',
  './migrate/bull-board': 'migrate/bull-board/index',
} as const;

/** Module in `src` of each command. */
export const commands = {
  sluice: 'cli/main',
  'sluice-prisma': 'adapters/prisma/generator/main',
} as const;

/** The packages that are parts of the build, so that nobody installs them: their names at the start of a specifier. */
export const bundledPackage =
  /^(@babel\/parser|ajv|ajv-draft-04|ajv-formats|diff|jose|openid-client|zod)(\/|$)/;

/**
 * The conditions of a subpath. Declarations differ between ES modules and CommonJS. At run time Node.js takes the ES
 * module for `import` and `require` alike (`module-sync`), so that a process never holds two copies of a class or a
 * cache; Jest and other loaders that cannot require an ES module take the CommonJS build.
 */
export function conditionsOf(module: string): object {
  const native = `./dist/${module}.js`;
  const common = `./dist/cjs/${module}.js`;
  const types = `./dist/${module}.d.ts`;
  return {
    ...(module === 'client/index' && { browser: { types, default: './dist/browser-client.js' } }),
    // Workers bundle with the condition `browser` as well, and have what the whole core needs.
    ...(module === 'index' && {
      workerd: { types, default: native },
      'edge-light': { types, default: native },
      browser: { types, default: './dist/browser.js' },
    }),
    types: { require: `./dist/cjs/${module}.d.ts`, default: types },
    'module-sync': native,
    import: native,
    require: common,
    default: native,
  };
}

/** `exports` of package.json. */
export const packageExports = (): { readonly [subpath: string]: object | string } => ({
  ...Object.fromEntries(
    Object.entries(subpaths).map(([subpath, module]) => [subpath, conditionsOf(module)]),
  ),
  './package.json': './package.json',
});

/** `typesVersions` of package.json: declarations for `moduleResolution: node10`, which does not know `exports`. */
export const typesVersions = (): object => ({
  '*': Object.fromEntries(
    Object.entries(subpaths)
      .filter(([subpath]) => subpath !== '.')
      .map(([subpath, module]) => [subpath.slice(2), [`./dist/cjs/${module}.d.ts`]]),
  ),
});
