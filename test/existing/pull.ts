/** Runs the tools of ORMs on an existing database, as their users do: `drizzle-kit pull` and `prisma db pull`. */

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** A folder of this run within the project, where its packages are found. */
async function folderFor(name: string): Promise<string> {
  const folder = `${root}.scratch/pulled/${name}-${process.pid}`;
  await mkdir(folder, { recursive: true });
  return folder;
}

/** The module that `drizzle-kit pull` writes, tables and relations, by its exports. */
export async function drizzlePull(
  name: string,
  dialect: 'postgresql' | 'sqlite',
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

/** The models that `prisma db pull` writes for a SQLite file. It runs Prisma 6 on a driver adapter, which needs no binary. */
export async function prismaPull(name: string, file: string): Promise<string> {
  const folder = await folderFor(`prisma-${name}`);
  await writeFile(
    `${folder}/prisma.config.ts`,
    `import * as adapters from '@prisma/adapter-better-sqlite3-6';
const Adapter = Object.values(adapters)[0] as new (options: object) => object;
export default { schema: 'schema.prisma', experimental: { adapter: true }, engine: 'js',
  adapter: async () => new Adapter({ url: ${JSON.stringify(`file:${file}`)} }) };`,
  );
  const datasource = 'datasource db {\n  provider = "sqlite"\n  url = "file:unused"\n}\n';
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
