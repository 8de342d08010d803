/** The hostile endpoint through Prisma. */

import type { PrismaClientLike } from '../../src/adapters/prisma/index.ts';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { hostileDatabase } from './database.ts';
import type { OpenHostile } from './hostile-cell.ts';
import { hostileModels } from './prisma-schema.ts';
import { hostileRules } from './rules.ts';

/** A client whose models only the run knows. */
interface AnyClient extends PrismaClientLike {
  readonly [model: string]: unknown;
}

/** Opens the endpoint through Prisma. */
export const prismaHostile: OpenHostile = async (family) => {
  const database = await hostileDatabase(family, 'offset-text');
  if ('missing' in database) return database;
  const generated = await generatePrisma({ family, models: hostileModels(family) });
  const { registry } = generated;
  let statements = 0;
  const client = await clientOn(generated, database, 7, () => void (statements += 1));
  return {
    rules: hostileRules(registry),
    source: prismaSource({ client: client as object as AnyClient, registry, model: 'person' }),
    statements: () => statements,
    // A statement for every relation and every join table.
    mostStatements: 7,
    close: async () => {
      await client.$disconnect();
      await database.drop();
    },
  };
};
