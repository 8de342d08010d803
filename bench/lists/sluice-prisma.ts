/** Sluice on Prisma. */

import { prismaSource, withComputedFields } from '../../src/adapters/prisma/index.ts';
import { sluice } from './contender.ts';
import type { Contender } from './contender.ts';
import { prismaClient, prismaRegistryOf } from './prisma-client.ts';
import type { PrismaFamily } from './prisma-client.ts';
import type { RequestValues } from './requests.ts';
import { computed, sluiceContender } from './sluice.ts';

/** Sluice on its own client. */
export async function sluiceOnPrisma(
  family: PrismaFamily,
  values: readonly RequestValues[],
): Promise<Contender> {
  const client = await prismaClient(family);
  const registry = withComputedFields(await prismaRegistryOf(family), computed);
  const source = prismaSource({ client, registry, model: 'user' });
  return sluiceContender(sluice.prisma, source, registry, values, () => client.$disconnect());
}
