/** The contenders on each database. */

import { type Contender, type Group, groups } from './contender.ts';
import { drizzlePostgres } from './drizzle-pg.ts';
import { drizzleSqlite } from './drizzle-sqlite.ts';
import { drizzleMysql, rawMysql } from './mysql.ts';
import { drizzleEndpointPostgres, drizzleEndpointSqlite } from './endpoint-drizzle.ts';
import { endpointPostgres } from './endpoint-pg.ts';
import { endpointSqlite } from './endpoint-sqlite.ts';
import { nestjsPaginate } from './nestjs-paginate.ts';
import { prismaByHand, prismaWhere } from './prisma.ts';
import { rawPostgres } from './raw-pg.ts';
import { rawSqlite } from './raw-sqlite.ts';
import type { RequestValues } from './requests.ts';
import type { Family } from './services.ts';
import { nestedByHand } from './nested/by-hand.ts';
import { nestedDrizzle } from './nested/drizzle.ts';
import { nestedPrisma } from './nested/prisma.ts';
import { nestedTypeorm } from './nested/typeorm.ts';
import {
  sluiceOnDrizzleMysql,
  sluiceOnDrizzlePostgres,
  sluiceOnDrizzleSqlite,
} from './sluice-drizzle.ts';
import { sluiceOnDriver, sluiceStatements } from './sluice-sql.ts';
import { sluiceOnPrisma } from './sluice-prisma.ts';
import { sluiceOnTypeorm } from './sluice-typeorm.ts';
import { typeormByHand, typeormTuned } from './typeorm.ts';

type Opening = (values: readonly RequestValues[]) => Contender | Promise<Contender>;

/** A possible contender; opened only if its group is selected. */
interface Entry {
  /** Sluice on an ORM belongs to both. */
  readonly groups: readonly Group[];
  readonly open: Opening;
}

function entry(groups: readonly Group[], open: Opening): Entry {
  return { groups, open };
}

/** The driver on the nested requests, with whose answers the others are compared. */
const nested = (family: Family): Entry => entry(groups, () => nestedByHand(family));

/** The contenders that PostgreSQL and SQLite have in common. */
function onTypeormAndPrisma(family: 'pg' | 'sqlite'): Entry[] {
  return [
    entry(['typeorm'], () => typeormByHand(family)),
    entry(['typeorm'], () => typeormTuned(family)),
    entry(['nestjs-paginate'], () => nestjsPaginate(family, false)),
    entry(['nestjs-paginate'], () => nestjsPaginate(family, true)),
    entry(['prisma'], () => prismaByHand(family)),
    entry(['prisma'], () => prismaWhere(family)),
    entry(['typeorm'], () => nestedTypeorm(family)),
    entry(['prisma'], () => nestedPrisma(family)),
    entry(['sluice', 'typeorm'], (values) => sluiceOnTypeorm(family, false, values)),
    entry(['sluice', 'typeorm'], (values) => sluiceOnTypeorm(family, true, values)),
    entry(['sluice', 'prisma'], (values) => sluiceOnPrisma(family, values)),
  ];
}

/** Sluice on the driver of a family, with sealed cursors as well, and its statements. */
const onDriver = (family: 'pg' | 'sqlite'): Entry[] => [
  entry(['sluice', 'sql'], (values) => sluiceOnDriver(family, values)),
  entry(['sluice', 'sql'], (values) => sluiceOnDriver(family, values, true)),
  entry(['sluice', 'sql'], (values) => sluiceStatements(family, values)),
];

const entries: Readonly<Record<Family, readonly Entry[]>> = {
  pg: [
    entry(['raw'], () => rawPostgres(false)),
    nested('pg'),
    entry(['drizzle'], () => nestedDrizzle('pg')),
    entry(['raw'], () => rawPostgres(true)),
    entry(['raw'], (values) => endpointPostgres(values)),
    entry(['drizzle'], () => drizzlePostgres()),
    entry(['drizzle'], (values) => drizzleEndpointPostgres(values)),
    ...onTypeormAndPrisma('pg'),
    entry(['sluice', 'drizzle'], (values) => sluiceOnDrizzlePostgres(values)),
    entry(['sluice', 'drizzle'], (values) => sluiceOnDrizzlePostgres(values, true)),
    ...onDriver('pg'),
  ],
  sqlite: [
    entry(['raw'], () => rawSqlite(false)),
    nested('sqlite'),
    entry(['drizzle'], () => nestedDrizzle('sqlite')),
    entry(['raw'], () => rawSqlite(true)),
    entry(['raw'], (values) => endpointSqlite(values)),
    entry(['drizzle'], () => drizzleSqlite()),
    entry(['drizzle'], (values) => drizzleEndpointSqlite(values)),
    ...onTypeormAndPrisma('sqlite'),
    entry(['sluice', 'drizzle'], (values) => sluiceOnDrizzleSqlite(values)),
    entry(['sluice', 'drizzle'], (values) => sluiceOnDrizzleSqlite(values, true)),
    ...onDriver('sqlite'),
  ],
  mysql: [
    entry(['raw'], () => rawMysql()),
    nested('mysql'),
    entry(['drizzle'], () => nestedDrizzle('mysql')),
    entry(['drizzle'], () => drizzleMysql()),
    entry(['sluice', 'drizzle'], sluiceOnDrizzleMysql),
    entry(['sluice', 'sql'], (values) => sluiceOnDriver('mysql', values)),
    entry(['sluice', 'sql'], (values) => sluiceStatements('mysql', values)),
  ],
};

/**
 * Opens the contenders of a family that belong to one of the groups. The first one always takes part: it is the raw
 * driver, and the others must give the same answers.
 */
export async function openContenders(
  family: Family,
  asked: readonly Group[],
  values: readonly RequestValues[],
): Promise<Contender[]> {
  const opened: Contender[] = [];
  for (const [index, { groups: own, open }] of entries[family].entries()) {
    if (index > 0 && !own.some((group) => asked.includes(group))) continue;
    opened.push(await open(values));
  }
  return opened;
}
