/** The TypeORM cells: DataSources on the three databases, filled with the dataset. */

import type { DataSource, DataSourceOptions, EntityManager, Logger } from 'typeorm';
import {
  checkProfile,
  typeormRegistry,
  typeormSource,
  withComputedFields,
} from '../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';
import type { Scratch, ScratchDatabase } from '../services/index.ts';
import type { DatabaseCell, OpenCell, StatementLogger } from './cell.ts';
import { computedFields } from './fixtures/computed.ts';
import { loadedDatabase } from './fixtures/loaded-database.ts';
import { shownSource } from './shown-entities.ts';

/** A TypeORM cell, with the parts that it was made from. */
export interface TypeormCell extends DatabaseCell {
  readonly dataSource: DataSource;
}

/** The options of a DataSource for each family. */
const optionsFor: {
  readonly [family in DatabaseFamily]: (database: ScratchDatabase) => DataSourceOptions;
} = {
  postgresql: (on) => ({ type: 'postgres', ...addressOf(on), extra: { max: 4 } }),
  mysql: (on) => ({
    type: 'mariadb',
    // Without it, mysql2 removes a node after some errors, and ends the process as it does so.
    ...addressOf(on, { restoreNodeTimeout: 1000 }),
    extra: { connectionLimit: 4 },
  }),
  sqlite: ({ url }) => ({ type: 'better-sqlite3', database: url }),
};

/** One server, or a primary with replicas. */
function addressOf({ url, replicas }: ScratchDatabase, settings: object = {}) {
  if (!replicas) return { url };
  const slaves = replicas.map((each) => ({ url: each }));
  return { replication: { master: { url }, slaves, ...settings } };
}

/** One column of a row of mysql2, not read yet. */
interface RawColumn {
  readonly type: string;
  string(): string | null;
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** Settings under which the drivers give TypeORM exact values: its entities have what the driver reads. */
export const exactFor: { readonly [family in DatabaseFamily]: object } = {
  postgresql: {},
  mysql: {
    extra: {
      connectionLimit: 4,
      // By itself the driver takes the year 1 for 1901 or 2001, and reads some numbers of 16 digits as their neighbour.
      typeCast: (column: RawColumn, next: () => unknown) => {
        if (column.type === 'DOUBLE') return numberOf(column.string());
        if (!/^(?:DATE|DATETIME|TIMESTAMP)$/.test(column.type)) return next();
        const text = column.string();
        return column.type === 'DATE' ? text : text && new Date(`${text.replace(' ', 'T')}Z`);
      },
    },
  },
  sqlite: {},
};

/** Entities on SQLite have 64-bit integers as its driver gives them: as numbers, which hold 53 bits. */
function roundedIntegers(registry: SchemaRegistry): (answer: string) => string {
  const fields = [...registry.values()].flatMap((schema) => schema.fields);
  // Computed ones come from a statement of Sluice.
  const paths = fields
    .filter(({ kind, sql }) => kind === 'bigint' && sql === undefined)
    .map(({ path }) => path);
  const integers = new RegExp(`"(${[...new Set(paths)].join('|')})":"(-?\\d{16,19})"`, 'g');
  return (answer) =>
    answer.replaceAll(
      integers,
      (_, path: string, digits: string) => `"${path}":"${Number(digits)}"`,
    );
}

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

/** Opens a TypeORM cell on a separate scratch database, or returns instructions for a missing server. */
export async function typeormCell(
  family: DatabaseFamily,
  suite: string,
  logger?: StatementLogger,
  hydrate = false,
  scratch?: Scratch,
): Promise<TypeormCell | string> {
  const database = await loadedDatabase(family, suite, 'blank-text', scratch);
  if ('missing' in database) return database.advice;
  // Decorators are for Vitest to compile; who only asks for the cell's name does not load them.
  const { DataSource } = await import('typeorm');
  const { entitiesFor } = await import('./fixtures/typeorm/entities.ts');
  const entities = entitiesFor(family);
  const registry = withComputedFields(
    typeormRegistry(Object.values(entities), { families: [family] }),
    computedFields,
  );
  const dataSource = await new DataSource({
    ...optionsFor[family](database),
    ...(hydrate && exactFor[family]),
    entities: Object.values(entities),
    ...(logger && { logger: loggerFor(logger) }),
  } as DataSourceOptions).initialize();
  const sourceOn = (manager: EntityManager, model: string) =>
    typeormSource(manager.getRepository<object>(entities[model as keyof typeof entities]), {
      registry,
      hydrate,
    });
  const shownOn = (manager: EntityManager, model: string): QuerySource => {
    const source = sourceOn(manager, model) as QuerySource;
    return hydrate ? shownSource(source) : source;
  };
  const sources = new Map<string, QuerySource>();
  const cell: TypeormCell = {
    name: `typeorm ${hydrate ? 'hydrate ' : ''}on ${family}`,
    family,
    about: database.about,
    database,
    registry,
    dataSource,
    ...(hydrate && family === 'sqlite' && { asGiven: roundedIntegers(registry) }),
    source: (model) => {
      const known = sources.get(model) ?? shownOn(dataSource.manager, model);
      sources.set(model, known);
      return known;
    },
    violations: () => checkProfile(sourceOn(dataSource.manager, 'user')),
    transaction: (model, work) =>
      dataSource.transaction((manager) => work(shownOn(manager, model))),
    dispose: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
  return cell;
}

/** Plain rows. */
export const plainCell: OpenCell = (family, suite, logger, scratch) =>
  typeormCell(family, suite, logger, false, scratch);

/** The same with `hydrate: true`: entities, shown as plain rows for the comparison. */
export const hydrateCell: OpenCell = (family, suite, logger, scratch) =>
  typeormCell(family, `${suite}_entities`, logger, true, scratch);
