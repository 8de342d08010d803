/**
 * The corpus on further servers: the embedded PostgreSQL, a current MySQL and a current MariaDB, through every adapter.
 * With the cells of `corpus.test.ts` that makes 24.
 */

import { writeSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { type DatabaseFamily, runQuery } from '../../src/index.ts';
import {
  type MissingService,
  type Service,
  findEmbeddedPostgresql,
  findFurtherMysql,
  onMysql,
  onPostgresql,
} from '../services/index.ts';
import { createConnection } from 'mysql2/promise';
import { series } from '../../tools/mysql-server.ts';
import { adapters } from './cells.ts';
import type { Outcome } from './closing-table.ts';
import { compileEndpoints } from './corpus/index.ts';
import { runCorpus } from './run-corpus.ts';
import { schemes } from './scopes.ts';
import { hydrateCell } from './typeorm-cell.ts';

/** A server that the cells of all adapters share. */
interface Server {
  readonly name: string;
  readonly family: DatabaseFamily;
  readonly find: () => Promise<Service | MissingService>;
  readonly version?: string;
}

const servers: readonly Server[] = [
  { name: 'embedded PostgreSQL', family: 'postgresql', find: findEmbeddedPostgresql },
  {
    name: 'MySQL 9',
    family: 'mysql',
    find: () => findFurtherMysql('mysql'),
    version: series.mysql,
  },
  {
    name: 'MariaDB 11',
    family: 'mysql',
    find: () => findFurtherMysql('mariadb'),
    version: series.mariadb,
  },
];

const outcomes: Outcome[] = [];
const started: Service[] = [];

for (const { name, family, find, version } of servers) {
  let finding: ReturnType<Server['find']> | undefined;
  const found = async () => {
    finding ??= find();
    const service = await finding;
    if (!('missing' in service) && !started.includes(service)) started.push(service);
    return service;
  };
  const scratch = async (of: DatabaseFamily, suite: string) => {
    const service = await found();
    if ('missing' in service) return service;
    const shared: Service = { ...service, dispose: async () => {} };
    return of === 'postgresql' ? onPostgresql(shared, suite) : onMysql(shared, suite);
  };
  it.runIf(version)(`${name} is of the version that the documents name`, async (context) => {
    const service = await found();
    if ('missing' in service) return context.skip(service.advice);
    const connection = await createConnection({ uri: service.url });
    const [rows] = await connection
      .query('select version() as version')
      .finally(() => connection.end());
    expect(JSON.stringify(rows)).toContain(`"${version}.`);
  });

  // MySQL 9 loses conditions of a semijoin inside an outer join, and would show rows of other tenants.
  it.runIf(family === 'mysql')(
    `entities on ${name} include only rows of the scope`,
    async (context) => {
      const cell = await hydrateCell(family, 'further', undefined, scratch);
      if (typeof cell === 'string') return context.skip(cell);
      const scopes = schemes['paths through relations'];
      const { users } = compileEndpoints(cell.registry, { ...(scopes && { scopes }) });
      const scope = {
        regions: [],
        teams: [1, 2, 6],
        companies: [6, 5009],
        countries: [],
        limit: 3,
        text: '',
      };
      const answer = await runQuery(cell.source(users.model), 'includes=teams&perPage=2', users, {
        scope,
      });
      await cell.dispose();
      expect(answer.data).toMatchObject([
        { id: 1, teams: [] },
        { id: 2, teams: [] },
      ]);
    },
  );
  // Entities are a matter of TypeORM and not of the server.
  for (const adapter of adapters.filter((each) => each.name !== 'typeorm hydrate')) {
    runCorpus(
      `${adapter.name} on ${name}`,
      () => adapter.open(family, 'further', undefined, scratch),
      (outcome) => void outcomes.push(outcome),
    );
  }
}

afterAll(async () => {
  await Promise.all(started.map((service) => service.dispose()));
  const lines = outcomes.map(({ name, about, missing, passed, failed }) => {
    const cases = [...passed.values()].reduce((all, one) => all + one, 0);
    return about === null
      ? `${name} was left out. ${missing ?? ''}`
      : `${name} (${about}): ${cases} of ${cases + failed} cases passed`;
  });
  writeSync(1, `\n${lines.join('\n')}\n`);
});
