/** The Prisma client of the benchmark's tables, generated when it is first asked for. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import { databaseName, postgresUrl, sqliteFile } from './services.ts';

/** The families that the benchmark runs Prisma on. */
export type PrismaFamily = 'pg' | 'sqlite';

/** The part of the generated client that the benchmark calls; its types come with the generation. */
export interface BenchClient {
  readonly user: {
    findMany(args: object): Promise<object[]>;
    count(args: object): Promise<number>;
  };
  $disconnect(): Promise<void>;
}

interface ClientModule {
  readonly PrismaClient: new (options: object) => BenchClient;
}

const providers = { pg: 'postgresql', sqlite: 'sqlite' } as const;

function schema(family: PrismaFamily): string {
  return `generator client {
  provider               = "prisma-client"
  output                 = "client"
  moduleFormat           = "esm"
  generatedFileExtension = "ts"
  importFileExtension    = "ts"
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
  name        String
  email       String
  age         Int
  active      Boolean
  createdAt   DateTime @map("created_at") ${family === 'pg' ? '@db.Timestamptz(6)' : ''}
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

/** Generates where the schema is new, and gives the folder of what was generated. */
function generated(family: PrismaFamily): string {
  // Inside the repository, so that the client finds its runtime; outside of node_modules, so that Node.js runs its TypeScript.
  const folder = join(import.meta.dirname, '../../.scratch/bench-prisma', family);
  const file = join(folder, 'schema.prisma');
  const text = schema(family);
  const isCurrent =
    existsSync(join(folder, 'client/client.ts')) && readFileSync(file, 'utf8') === text;
  if (isCurrent) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
  execFileSync(
    process.execPath,
    [join(dirname(manifest), 'build/index.js'), 'generate', '--schema', file],
    // Generating needs no schema engine, only the name of a program.
    {
      stdio: 'pipe',
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
      },
    },
  );
  return folder;
}

/** A client with connections of its own. */
export async function prismaClient(family: PrismaFamily): Promise<BenchClient> {
  const module: ClientModule = await import(
    pathToFileURL(join(generated(family), 'client/client.ts')).href
  );
  const adapter =
    family === 'pg'
      ? new PrismaPg({ connectionString: postgresUrl(databaseName), max: 4 })
      : new PrismaBetterSqlite3({ url: `file:${sqliteFile('prisma')}` });
  // As in production: without it each call looks up the line of code it came from.
  return new module.PrismaClient({ adapter, errorFormat: 'minimal' });
}
