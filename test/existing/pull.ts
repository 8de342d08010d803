/** Runs the tools of ORMs on an existing database, as their users do: `drizzle-kit pull` and `prisma db pull`. */

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { ScratchDatabase } from '../services/index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** The folder of a tool's files: of this run, and within the project, where its packages are found. */
const folderOf = (name: string): string => `${root}.scratch/pulled/${name}-${process.pid}`;

async function folderFor(name: string): Promise<string> {
  await mkdir(folderOf(name), { recursive: true });
  return folderOf(name);
}

/** The folder that `drizzle-kit pull` has written. */
export const drizzleFiles = (name: string): string => `${folderOf(`drizzle-${name}`)}/out`;

/** The module that `drizzle-kit pull` writes, tables and relations, by its exports. */
export async function drizzlePull(
  name: string,
  dialect: 'postgresql' | 'mysql' | 'sqlite',
  url: string,
): Promise<{ readonly [name: string]: unknown }> {
  const folder = await folderFor(`drizzle-${name}`);
  const config = { dialect, dbCredentials: { url }, out: `${folder}/out` };
  await writeFile(`${folder}/drizzle.config.json`, JSON.stringify(config));
  const kit = [`${root}node_modules/drizzle-kit/bin.cjs`, 'pull', '--config=drizzle.config.json'];
  await run(process.execPath, kit, { cwd: folder });
  const file = `${folder}/out/schema.ts`;
  const written = await readFile(file, 'utf8');
  // For types that it does not know, drizzle-kit writes "unknown" and leaves a TODO to its user.
  const types = `import { customType } from 'drizzle-orm/pg-core';
const unknown = customType({ dataType: () => 'bytea' });\n`;
  if (written.includes('unknown(')) await writeFile(file, types + written);
  // It does not import the types of small keys.
  const missing = ['tinyint', 'mediumint'].filter(
    (type) => written.includes(` ${type}(`) && !new RegExp(`import .*\\b${type}\\b`).test(written),
  );
  if (missing.length > 0) {
    await writeFile(
      file,
      `import { ${missing.join()} } from 'drizzle-orm/mysql-core';\n${written}`,
    );
  }
  await build({
    stdin: {
      contents: `export * from './schema';\nexport * from './relations';`,
      resolveDir: `${folder}/out`,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile: `${folder}/pulled.mjs`,
  });
  const module: unknown = await import(pathToFileURL(`${folder}/pulled.mjs`).href);
  return module as { readonly [name: string]: unknown };
}

/** The driver adapters of Prisma 6, which need no binary, as a configuration makes them. */
const prismaAdapters = {
  // The schema engine asks for columns of the types `char` and `name`, which this adapter reads as text only if told so. It
  // does not know the constraints for not null, which PostgreSQL has from 18 on.
  postgresql: (url: string) => `import { PrismaPg } from '@prisma/adapter-pg-6';
import pg from 'pg';
class Pool extends pg.Pool {
  async query(...parameters: never[]) {
    const result: any = await (super.query as any)(...parameters);
    for (const field of result.fields) if (field.dataTypeID === 18 || field.dataTypeID === 19) field.dataTypeID = 25;
    const at = result.fields.findIndex(({ name }: any) => name === 'constraint_type');
    if (at >= 0) result.rows = result.rows.filter((row: any) => row[at] !== 'n');
    return result;
  }
}
const adapter = async () => new PrismaPg(new Pool({ connectionString: ${JSON.stringify(url)} }) as never);`,
  sqlite: (url: string) => `import { PrismaBetterSQLite3 } from '@prisma/adapter-better-sqlite3-6';
const adapter = async () => new PrismaBetterSQLite3({ url: ${JSON.stringify(`file:${url}`)} });`,
} as const;

/** The models that `prisma db pull` writes for a database. */
export async function prismaPull(name: string, { family, url }: ScratchDatabase): Promise<string> {
  if (family === 'mysql') throw new Error('Without a binary, Prisma pulls PostgreSQL and SQLite.');
  const folder = await folderFor(`prisma-${name}-${family}`);
  await writeFile(
    `${folder}/prisma.config.ts`,
    `${prismaAdapters[family](url)}
export default { schema: 'schema.prisma', experimental: { adapter: true }, engine: 'js', adapter };`,
  );
  const datasource = `datasource db {\n  provider = "${family}"\n  url = "file:unused"\n}\n`;
  await writeFile(`${folder}/schema.prisma`, datasource);
  // Prisma looks for engines that this command does not run.
  const engine = path.join(folder, 'unused-engine');
  await writeFile(engine, '');
  await run(process.execPath, [`${root}node_modules/prisma-6/build/index.js`, 'db', 'pull'], {
    cwd: folder,
    env: {
      ...process.env,
      PRISMA_QUERY_ENGINE_LIBRARY: engine,
      PRISMA_SCHEMA_ENGINE_BINARY: engine,
      CHECKPOINT_DISABLE: '1',
    },
  });
  const text = await readFile(`${folder}/schema.prisma`, 'utf8');
  return text.replace(/datasource db \{[^}]*\}\n/, '').trim();
}
