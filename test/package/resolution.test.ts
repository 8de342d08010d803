/** How TypeScript and Node.js resolve the tarball: every mode of `module` in three compilers, publint and attw. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, installed, specifiers } from './package.ts';

const run = promisify(execFile);

let host: Host;
beforeAll(() => {
  host = installed([
    '@nestjs',
    'drizzle-orm',
    'express',
    'hono',
    'knex',
    'pg',
    'reflect-metadata',
    'rxjs',
    'typeorm',
    'typescript',
    'typescript-5.6',
    'typescript-5.9',
    '@types',
  ]);
  const code = `
    import { defineQueryRules, defineSchemaRegistry } from 'sluice';
    ${specifiers.map((specifier, index) => `import * as all${index} from '${specifier}';`).join('\n')}

    export const every = [${specifiers.map((_, index) => `all${index}`).join()}];
    const registry = defineSchemaRegistry([
      {
        model: 'user',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
        relations: [],
      },
    ]);
    const fields = { root: { allowed: ['id'], default: ['id'] } } as const;
    export const rules = defineQueryRules(registry, 'user', { sorts: ['id'], fields });
    // @ts-expect-error a path that the model does not have
    defineQueryRules(registry, 'user', { sorts: ['nope'], fields });
  `;
  for (const extension of ['ts', 'cts', 'mts']) host.write(`all.${extension}`, code);
  host.write('package.json', JSON.stringify({ type: 'commonjs' }));
});
afterAll(() => host.remove());

const modes = [
  ['typescript-5.6', 'commonjs', 'all.ts'],
  ['typescript-5.6', 'node16', 'all.cts'],
  ['typescript-5.6', 'nodenext', 'all.mts'],
  ['typescript-5.9', 'commonjs', 'all.ts'],
  ['typescript-5.9', 'node16', 'all.cts'],
  ['typescript-5.9', 'nodenext', 'all.cts'],
  ['typescript', 'commonjs', 'all.ts'],
  ['typescript', 'nodenext', 'all.cts'],
] as const;

describe('a project', () => {
  it.each(modes)('of %s with module %s compiles %s', async (compiler, module, file) => {
    const tsc = `node_modules/${compiler}/bin/tsc`;
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022'];
    const libraries = ['--lib', 'es2023', '--types', 'node', '--module', module, file];
    const compiled = run(process.execPath, [tsc, ...flags, ...libraries], { cwd: host.directory });
    const printed = await compiled.then(
      ({ stdout }) => stdout,
      (error: { readonly stdout?: string }) => error.stdout,
    );
    expect(printed).toBe('');
  });
});

describe('the tarball', () => {
  it('has no problem that publint knows', async () => {
    const pkgDir = host.installed;
    const { messages, pkg } = await publint({
      pkgDir,
      level: 'suggestion',
      strict: true,
      pack: false,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has no problem that attw knows, in any resolution mode', async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(host.tarball)));
    if (!result.types) throw new Error('attw found no types');
    expect(result.problems).toEqual([]);
    expect(Object.keys(result.entrypoints)).toHaveLength(specifiers.length + 1);
  });
});
