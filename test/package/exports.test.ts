import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageExports, subpaths, typesVersions } from '../../tools/package/entries.ts';
import { compile } from '../../tools/tsc.ts';
import {
  type Host,
  type Imported,
  addressOf,
  importing,
  installed,
  manifest,
  specifiers,
} from './package.ts';

let host: Host;
/** The exports and loaded modules of a new process that imports each specifier. */
let imported: ReadonlyMap<string, Imported>;
beforeAll(() => {
  host = installed();
  imported = new Map(
    specifiers.map((specifier) => [specifier, host.run(importing(specifier)) as Imported]),
  );
});
afterAll(() => host.remove());

/** Packages other than Sluice that importing the specifier loads. */
function packagesOf(specifier: string): string[] {
  const loaded = imported.get(specifier)?.loaded ?? [];
  const own = addressOf(path.join(host.installed, 'dist'));
  const names = loaded
    .filter((url) => !url.startsWith(own))
    .map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url);
  return [...new Set(names)].sort();
}

describe('the tarball', () => {
  it('contains dist, documents, and the members of package.json that users need', () => {
    const outside = host.files.filter((file) => !/^(dist|docs)\//.test(file));
    expect(outside.toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'package.json',
      'skills/board/SKILL.md',
      'skills/lists/SKILL.md',
    ]);
    const kinds = new Set(host.files.filter((file) => file.startsWith('dist/')).map(extension));
    expect([...kinds].toSorted()).toEqual(['.cjs', '.d.ts', '.js', '.js.map', '.json', '.txt']);
    const packed = readFileSync(path.join(host.installed, 'package.json'), 'utf8');
    const members = Object.keys(JSON.parse(packed) as object);
    expect(members).toEqual(
      expect.arrayContaining(['repository', 'keywords', 'homepage', 'bugs', 'license']),
    );
    for (const own of ['scripts', 'overrides', 'devDependencies', 'allowScripts']) {
      expect(members).not.toContain(own);
    }
  });

  it('has no relative link to a file that is not in it', () => {
    const broken = host.files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readFileSync(path.join(host.installed, file), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
          .map(([, target = '']) => target.split('#')[0] ?? '')
          .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
          .filter((target) => !host.files.includes(path.posix.join(path.dirname(file), target)))
          .map((target) => `${file}: ${target}`),
      );
    expect(broken).toEqual([]);
  });

  it('contains no path of the build machine', () => {
    for (const file of host.files) {
      const text = readFileSync(path.join(host.installed, file), 'utf8');
      expect([file, text.includes(process.cwd()), text.includes('file://')]).toEqual([
        file,
        false,
        false,
      ]);
    }
  });

  it('has the licences of the packages inside', () => {
    const text = readFileSync(path.join(host.installed, 'dist/LICENSES.txt'), 'utf8');
    const names = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\n\n.*licen[cs]e/gim)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(
      expect.arrayContaining(['ajv', 'jose', 'openid-client', 'preact', 'uplot', 'zod']),
    );
    expect(text).toMatch(/^fast-uri .*Redistributions/ms);
  });

  it('has an executable for every command', () => {
    for (const target of Object.values(manifest.bin)) {
      const file = path.join(host.installed, target);
      expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
      expect(statSync(file).mode & 0o111).toBe(0o111);
    }
  });
});

/** Each specifier with the file of its CommonJS build. */
const commonModules = (): string[][] =>
  Object.values(subpaths).map((module, index) => [
    specifiers[index] ?? '',
    path.join(host.installed, 'dist/cjs', `${module}.js`),
  ]);

function extension(file: string): string {
  return /(\.d\.ts|\.js\.map|\.[^.]+)$/.exec(file)?.[1] ?? file;
}

describe('the subpaths', () => {
  it('are those that the build writes, with files in the tarball', () => {
    expect(manifest.exports).toEqual(packageExports());
    expect(manifest.typesVersions).toEqual(typesVersions());
    const files = [manifest.exports, manifest.typesVersions]
      .flatMap((member) => JSON.stringify(member).match(/"\.\/[^"]*\.[^"/]+"/g) ?? [])
      .map((text) => JSON.parse(text) as string)
      .filter((file) => file.startsWith('./dist/'));
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => !existsSync(path.join(host.installed, file)))).toEqual([]);
  });

  it('are one instance for import and require, and export the same names to CommonJS loaders', () => {
    const code = `
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const found = [];
      for (const [name, common] of ${JSON.stringify(commonModules())}) {
        const names = (module) => Object.keys(module).filter((key) => key !== '__esModule').sort();
        const own = await import(name);
        found.push([name, require(name) === own || require(name).default === own,
          String(names(require(common))) === String(names(own))]);
      }
      console.log(JSON.stringify(found));
    `;
    expect(host.run(code)).toEqual(specifiers.map((specifier) => [specifier, true, true]));
  });

  it('work as CommonJS, with the packages inside', () => {
    const file = host.write(
      'common.cjs',
      `
      const common = Object.fromEntries(${JSON.stringify(commonModules())}.map(([name, file]) => [name, require(file)]));
      const { defineSchemaRegistry, defineQueryRules, planQuery, QueryError } = common.sluice;
      const registry = defineSchemaRegistry([{ model: 'user', primaryKey: ['id'], relations: [],
        fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }] }]);
      const rules = defineQueryRules(registry, 'user', { fields: { root: { allowed: ['id'], default: ['id'] } } });
      let code;
      try { planQuery('sort=nope', rules); } catch (error) { code = error instanceof QueryError && error.code; }
      const { createAuthMiddleware } = common['sluice/auth'];
      createAuthMiddleware({ strategy: 'token', tokens: ['a-token-of-more-than-32-characters-4f8a1c'] }, { basePath: '/admin' });
      const { bullmqQueue } = common['sluice/board'];
      console.log(JSON.stringify([code, typeof bullmqQueue,
        Object.keys(require.cache).filter((key) => /node_modules.(jose|openid-client|zod)/.test(key))]));
    `,
    );
    const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(['FIELD_NOT_ALLOWED', 'function', []]);
  });

  it('give workers the whole core, and browsers the part without Node.js', () => {
    const code = `console.log(JSON.stringify(import.meta.resolve('sluice')));`;
    const resolved = (condition: string): unknown => {
      const file = host.write('resolve.mjs', code);
      const args = ['--conditions', condition, file];
      return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    };
    expect(resolved('workerd')).toMatch(/\/dist\/index\.js$/);
    expect(resolved('browser')).toMatch(/\/dist\/browser\.js$/);
  });

  it('can be imported in a new process, and no other file of the package can', () => {
    const names = Object.fromEntries(
      [...imported].map(([specifier, { names }]) => [specifier, names]),
    );
    expect(names['sluice']).toEqual([
      'QueryError',
      'assertSource',
      'bodyRequest',
      'buildQuery',
      'defineQueryRules',
      'defineQuerySchema',
      'defineSchemaRegistry',
      'explainCost',
      'foldText',
      'openApiOperation',
      'openApiParameters',
      'planQuery',
      'portableOrderKey',
      'runOne',
      'runQuery',
      'truncatedIn',
    ]);
    expect(names['sluice/drizzle']).toEqual(
      expect.arrayContaining(['drizzleRegistry', 'drizzleSource']),
    );
    expect(names['sluice/typeorm']).toEqual(
      expect.arrayContaining(['QueryField', 'foldedColumns', 'typeormRegistry', 'typeormSource']),
    );
    expect(names['sluice/sql']).toEqual(
      expect.arrayContaining(['relationalSource', 'sqlRegistry', 'sqlSource', 'sqlTables']),
    );
    expect(names['sluice/express']).toEqual(
      expect.arrayContaining(['listEndpoint', 'queryErrorHandler']),
    );
    const file = host.write('deep.mjs', "await import('sluice/dist/index.js');");
    const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('load only the packages of their purpose', () => {
    expect(packagesOf('sluice')).toEqual([]);
    expect(packagesOf('sluice/drizzle').filter((name) => !name.startsWith('node:'))).toEqual([
      'drizzle-orm',
    ]);
    expect(packagesOf('sluice/typeorm')).toContain('typeorm');
    expect(packagesOf('sluice/typeorm')).not.toContain('drizzle-orm');
    expect(packagesOf('sluice/sql').filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(packagesOf('sluice/express').filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(packagesOf('sluice/nestjs')).not.toContain('@nestjs/swagger');
    expect(packagesOf('sluice/companions').filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(packagesOf('sluice/auth').filter((name) => !name.startsWith('node:'))).toEqual([]);
    // Engines load their drivers when a board is created.
    expect(packagesOf('sluice/board').filter((name) => !name.startsWith('node:'))).toEqual([]);
  });
});

describe('the declarations', () => {
  const consumer = `
    import { defineQueryRules, defineSchemaRegistry, planQuery, runQuery, buildQuery } from 'sluice';
    import type { ListResult, QueryPlan, QuerySource } from 'sluice';

    const registry = defineSchemaRegistry([
      {
        model: 'user',
        primaryKey: ['id'],
        fields: [
          { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
          { path: 'name', kind: 'string', nullable: false, primaryKey: false },
        ],
        relations: [],
      },
    ]);
    const rules = defineQueryRules(registry, 'user', {
      filters: [{ path: 'name', operators: ['eq'] }],
      fields: { root: { allowed: ['id', 'name'], default: ['id'] } },
    });
    export const plan: QueryPlan = planQuery('filter[name]=a', rules);
    export const query: string = buildQuery(rules, { filter: { name: { eq: 'a' } } });
    export const list = (source: QuerySource<{ id: number }>): Promise<ListResult<{ id: number }>> =>
      runQuery(source, '', rules);
    // @ts-expect-error a path that the model does not have
    defineQueryRules(registry, 'user', { sorts: ['nope'], fields: { root: { allowed: ['id'], default: ['id'] } } });
  `;

  /** Compiler errors of a consumer in its own file or in the declarations of the package. */
  async function errorsOf(name: string, code: string, options: object): Promise<string[]> {
    host.write(`${name}.ts`, code);
    const config = {
      compilerOptions: {
        module: 'nodenext',
        target: 'es2023',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        ...options,
      },
      files: [`${name}.ts`],
    };
    host.write(`tsconfig.${name}.json`, JSON.stringify(config));
    return (await compile(host.directory, '-p', `tsconfig.${name}.json`))
      .split('\n')
      .filter((line) => /^\S.*error TS/.test(line))
      .filter((line) => !/^\S*node_modules\/(?!sluice\/)/.test(line));
  }

  it('of the core compile without peers, strictly, in a browser project', async () => {
    const options = { types: [], lib: ['es2023', 'dom'], skipLibCheck: false };
    expect(await errorsOf('browser', consumer, options)).toEqual([]);
  });

  it('of the core compile in a Node project without DOM', async () => {
    const options = { types: ['node'], lib: ['es2023'], skipLibCheck: false };
    expect(await errorsOf('node', consumer, options)).toEqual([]);
  });

  it('of every subpath compile with their peers', async () => {
    const code = `
      import { drizzleRegistry, drizzleSource } from 'sluice/drizzle';
      import { listEndpoint, queryErrorHandler } from 'sluice/express';
      import express from 'express';
      import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
      import { drizzle } from 'drizzle-orm/sqlite-proxy';
      import { defineQueryRules, planQuery, runQuery } from 'sluice';
      ${specifiers.map((specifier, index) => `import * as all${index} from '${specifier}';`).join('\n')}

      const users = sqliteTable('users', { id: integer().primaryKey(), name: text().notNull() });
      export const registry = drizzleRegistry({ user: users });
      export const rules = defineQueryRules(registry, 'user', {
        fields: { root: { allowed: ['id', 'name'], default: ['id'] } },
      });
      // @ts-expect-error unknown field
      defineQueryRules(registry, 'user', { fields: { root: { allowed: ['nope'], default: ['id'] } } });
      export const app = express().use(queryErrorHandler());
      export type Endpoint = typeof listEndpoint;
      // A library of a host can name the types of its exports in its own declarations.
      export const source = drizzleSource({ db: drizzle(async () => ({ rows: [] })), registry, tables: { user: users }, model: 'user' });
      export const plan = planQuery('', rules);
      export const list = runQuery(source, '', rules);
      export const endpoint = listEndpoint({ source, rules });
      export type Source = typeof drizzleSource;
      export const every = [${specifiers.map((_, index) => `all${index}`).join()}];
    `;
    const options = { types: ['node'], lib: ['es2023'], skipLibCheck: false, declaration: true };
    expect(await errorsOf('subpaths', code, options)).toEqual([]);
  });

  it('report a mistake of a consumer', async () => {
    const wrong = `import { nope } from 'sluice'; export const n: number = nope;`;
    expect(await errorsOf('wrong', wrong, { types: [], lib: ['es2023', 'dom'] })).toHaveLength(1);
  });
});

describe('the command', () => {
  it('runs from the package', () => {
    const bin = path.join(host.installed, manifest.bin['sluice'] ?? '');
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--help'], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout + stderr).toContain('companions');
  });
});
