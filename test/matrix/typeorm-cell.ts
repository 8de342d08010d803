/** The TypeORM cells: DataSources on the three databases, filled with the dataset. */

import type { DataSource, DataSourceOptions, EntityManager, Logger } from 'typeorm';
import { checkProfile, typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import { scratchDatabase } from '../services/index.ts';
import type { DatabaseCell, StatementLogger } from './cell.ts';
import { loadFixtures } from './fixtures/load.ts';

/** A TypeORM cell, with what it was made from. */
export interface TypeormCell extends DatabaseCell {
  readonly dataSource: DataSource;
}

/** What a DataSource of each family is made with. */
const optionsFor: { readonly [family in DatabaseFamily]: (url: string) => DataSourceOptions } = {
  postgresql: (url) => ({ type: 'postgres', url, extra: { max: 4 } }),
  mysql: (url) => ({ type: 'mariadb', url, extra: { connectionLimit: 4 } }),
  sqlite: (url) => ({ type: 'better-sqlite3', database: url }),
};

/** TypeORM's logger with one thing to hear. */
function loggerFor(listener: StatementLogger): Logger {
  const silent = (): void => {};
  return {
    logQuery: (query) => listener.logQuery(query),
    logQueryError: silent,
    logQuerySlow: silent,
    logSchemaBuild: silent,
    logMigration: silent,
    log: silent,
  };
}

/** Opens a TypeORM cell on a scratch database of its own, or says how to get the database. */
export async function typeormCell(
  family: DatabaseFamily,
  suite: string,
  logger?: StatementLogger,
): Promise<TypeormCell | string> {
  const database = await scratchDatabase(family, suite);
  if ('missing' in database) return database.advice;
  await loadFixtures(database, 'blank-text');
  // Decorators are for Vitest to compile; who only asks for the cell's name does not load them.
  const { DataSource } = await import('typeorm');
  const { entitiesFor } = await import('./fixtures/typeorm/entities.ts');
  const entities = entitiesFor(family);
  const registry = typeormRegistry(Object.values(entities));
  const dataSource = await new DataSource({
    ...optionsFor[family](database.url),
    entities: Object.values(entities),
    ...(logger && { logger: loggerFor(logger) }),
  }).initialize();
  const sourceOn = (manager: EntityManager, model: string) =>
    typeormSource(manager.getRepository<object>(entities[model as keyof typeof entities]), {
      registry,
    });
  const sources = new Map<string, QuerySource>();
  const cell: TypeormCell = {
    name: `typeorm on ${family}`,
    family,
    about: database.about,
    database,
    registry,
    dataSource,
    source: (model) => {
      const known = sources.get(model) ?? (sourceOn(dataSource.manager, model) as QuerySource);
      sources.set(model, known);
      return known;
    },
    violations: () => checkProfile(sourceOn(dataSource.manager, 'user')),
    transaction: (model, work) =>
      dataSource.transaction((manager) => work(sourceOn(manager, model) as QuerySource)),
    dispose: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
  return cell;
}
