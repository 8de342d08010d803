/** The Prisma client of the benchmark's tables, and Sluice's registry of them; generated at the first use. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import type { PrismaClientLike } from '../../src/adapters/prisma/index.ts';
import type { SchemaRegistry } from '../../src/index.ts';
import { databaseName, postgresUrl, sqliteFile } from './services.ts';

/** The families that the benchmark runs Prisma on. */
export type PrismaFamily = 'pg' | 'sqlite';

/** The part of the generated client that the benchmark calls; its real types are generated later. */
export interface BenchClient extends PrismaClientLike {
  readonly user: {
    findMany(args: object): Promise<object[]>;
    count(args: object): Promise<number>;
  };
  $disconnect(): Promise<void>;
}

/** The generated modules of a family. */
interface Generated {
  readonly PrismaClient: new (options: object) => BenchClient;
  readonly registry: SchemaRegistry;
}

const sources = join(import.meta.dirname, '../../src/adapters/prisma');

const providers = { pg: 'postgresql', sqlite: 'sqlite' } as const;

function schema(family: PrismaFamily): string {
  return `generator client {
  provider               = "prisma-client"
  output                 = "client"
  moduleFormat           = "esm"
  generatedFileExtension = "ts"
  importFileExtension    = "ts"
}

generator sluice {
  provider   = "${process.execPath} ${join(sources, 'generator/main.ts')}"
  output     = "registry.ts"
  importFrom = "${join(sources, 'index.ts')}"
}

datasource db {
  provider = "${providers[family]}"
}

model Company {
  id      Int    @id
  name    String
  country String
  users   User[]

  @@map("companies")
}

model User {
  id          Int      @id
  /// @sluice.folded(nameFolded)
  name        String
  /// @sluice.folded(emailFolded)
  email       String
  age         Int
  active      Boolean
  createdAt   DateTime @map("created_at") ${family === 'pg' ? '@db.Timestamptz(3)' : ''}
  companyId   Int      @map("company_id")
  nameFolded  String   @map("name_folded")
  emailFolded String   @map("email_folded")
  company     Company  @relation(fields: [companyId], references: [id])
  posts       Post[]

  @@map("users")
}

model Post {
  id     Int    @id
  userId Int    @map("user_id")
  title  String
  user   User   @relation(fields: [userId], references: [id])

  @@map("posts")
}
`;
}

async function generate(family: PrismaFamily): Promise<Generated> {
  // Inside the repository, where the client finds its runtime; outside of node_modules, where Node.js runs TypeScript.
  const folder = join(import.meta.dirname, '../../.scratch/bench-prisma', family);
  const file = join(folder, 'schema.prisma');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, schema(family));
  const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
  execFileSync(
    process.execPath,
    [join(dirname(manifest), 'build/index.js'), 'generate', '--schema', file],
    {
      stdio: 'pipe',
      // Generation does not use the schema engine, but requires the name of a program.
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
      },
    },
  );
  const load = async <T>(name: string): Promise<T> =>
    import(pathToFileURL(join(folder, name)).href);
  return {
    ...(await load<Pick<Generated, 'PrismaClient'>>('client/client.ts')),
    ...(await load<Pick<Generated, 'registry'>>('registry.ts')),
  };
}

const generations = new Map<PrismaFamily, Promise<Generated>>();

function generated(family: PrismaFamily): Promise<Generated> {
  const generation = generations.get(family) ?? generate(family);
  generations.set(family, generation);
  return generation;
}

/** Sluice's generated registry. */
export async function prismaRegistryOf(family: PrismaFamily): Promise<SchemaRegistry> {
  const { registry } = await generated(family);
  return registry;
}

/** A client with its own connections. */
export async function prismaClient(family: PrismaFamily): Promise<BenchClient> {
  const { PrismaClient } = await generated(family);
  const adapter =
    family === 'pg'
      ? new PrismaPg({ connectionString: postgresUrl(databaseName), max: 4 })
      : new PrismaBetterSqlite3({ url: `file:${sqliteFile('prisma')}` });
  // As in production: otherwise each call searches for its line of code.
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}
