/** The Prisma cells: generated clients on the three databases, filled with the dataset. */

import { readReplicas } from '@prisma/extension-read-replicas';
import type { PrismaClientLike } from '../../src/adapters/prisma/index.ts';
import { checkProfile, prismaSource, withComputedFields } from '../../src/adapters/prisma/index.ts';
import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import type { Scratch } from '../services/index.ts';
import type { DatabaseCell, OpenCell, StatementLogger } from './cell.ts';
import { computedFields } from './fixtures/computed.ts';
import { loadedDatabase } from './fixtures/loaded-database.ts';
import { clientOn } from './fixtures/prisma/clients.ts';
import type { PrismaVersion } from './fixtures/prisma/generate.ts';
import { generatePrisma } from './fixtures/prisma/generate.ts';
import { prismaModels } from './fixtures/prisma/schema.ts';

/** A Prisma cell, with its client. */
export interface PrismaCell extends DatabaseCell {
  readonly client: Awaited<ReturnType<typeof clientOn>>;
  readonly ownQueries: (model: string) => QuerySource;
}

interface Hook {
  readonly args: object;
  readonly query: (args: object) => Promise<unknown>;
}

/** A client whose models only the run knows. */
interface AnyClient extends PrismaClientLike {
  readonly [model: string]: unknown;
}

/** Opens a Prisma cell on a separate scratch database, or returns instructions for a missing server. */
export async function prismaCell(
  family: DatabaseFamily,
  suite: string,
  logger?: StatementLogger,
  version: PrismaVersion = 7,
  scratch?: Scratch,
): Promise<PrismaCell | string> {
  const database = await loadedDatabase(family, suite, 'offset-text', scratch);
  if ('missing' in database) return database.advice;
  const generated = await generatePrisma({ family, models: prismaModels(family), version });
  const registry = withComputedFields(generated.registry, computedFields);
  const open = (url: string) =>
    clientOn(generated, { family, url }, version, (query) => logger?.logQuery(query));
  const client = await open(database.url);
  const replicas = await Promise.all((database.replicas ?? []).map(open));
  const reading = replicas.length === 0 ? client : client.$extends(readReplicas({ replicas }));
  const sourceOn = (on: object, model: string) =>
    prismaSource({ client: on as AnyClient, registry, model });
  // An extension that lists may bypass; those of the client's own queries must not.
  const pass = ({ args, query }: Hook) => query(args);
  const extended = client.$extends({ query: { $allOperations: pass } });
  const sources = new Map<string, QuerySource>();
  return {
    name: `prisma on ${family}`,
    family,
    about: database.about,
    database,
    client,
    registry,
    source: (model) => {
      const known = sources.get(model) ?? sourceOn(reading, model);
      sources.set(model, known);
      return known;
    },
    ownQueries: (model) =>
      prismaSource({ client: extended as AnyClient, registry, model, bypassQueryExtensions: true }),
    violations: () => checkProfile(sourceOn(reading, 'user')),
    transaction: (model, work) => client.$transaction((tx) => work(sourceOn(tx, model))),
    dispose: async () => {
      for (const each of [client, ...replicas]) await each.$disconnect();
      await database.drop();
    },
  };
}

/** The same, as every adapter opens its cells. */
export const currentPrismaCell: OpenCell = (family, suite, logger, scratch) =>
  prismaCell(family, suite, logger, 7, scratch);

/** The same on the older version. */
export const olderPrismaCell: OpenCell = (family, suite, logger, scratch) =>
  prismaCell(family, `${suite}6`, logger, 6, scratch);

/** The cell whose sources ask the client's own queries wherever those express a plan exactly. */
export async function ownQueriesCell(
  ...of: Parameters<typeof prismaCell>
): Promise<PrismaCell | string> {
  const cell = await prismaCell(...of);
  if (typeof cell === 'string') return cell;
  return { ...cell, source: cell.ownQueries, ...(of[0] === 'postgresql' && withEmptyLists) };
}

/** Prisma's own client reads a list of PostgreSQL that is null as an empty one. */
export const withEmptyLists = {
  asGiven: (answer: string): string => answer.replaceAll(/"(labels|sizes)":null/g, '"$1":[]'),
};
