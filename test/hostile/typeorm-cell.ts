/** The hostile endpoint through TypeORM. */

import type { DataSourceOptions, Logger } from 'typeorm';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { hostileDatabase } from './database.ts';
import type { OpenHostile } from './hostile-cell.ts';
import { hostileRules } from './rules.ts';

const optionsFor: { readonly [family in DatabaseFamily]: (url: string) => DataSourceOptions } = {
  postgresql: (url) => ({ type: 'postgres', url }),
  mysql: (url) => ({ type: 'mariadb', url }),
  sqlite: (url) => ({ type: 'better-sqlite3', database: url }),
};

class StatementCounter implements Logger {
  count = 0;
  logQuery(): void {
    this.count += 1;
  }
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}

/** Opens the endpoint through TypeORM. */
export const typeormHostile: OpenHostile = async (family) => {
  const database = await hostileDatabase(family, 'blank-text');
  if ('missing' in database) return database;
  const { DataSource } = await import('typeorm');
  const { hostileEntities } = await import('./typeorm-entities.ts');
  const entities = hostileEntities(family);
  const registry = typeormRegistry(Object.values(entities));
  const logger = new StatementCounter();
  const dataSource = await new DataSource({
    ...optionsFor[family](database.url),
    entities: Object.values(entities),
    logger,
  }).initialize();
  return {
    rules: hostileRules(registry),
    source: typeormSource(dataSource.getRepository(entities.person), { registry }),
    statements: () => logger.count,
    mostStatements: 4,
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
};
