/** Relations on tables without a primary key, and by columns of which some may be null. */

import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlTables } from '../../src/adapters/sql/index.ts';

it('have many rows in a table whose key only the host knows', async () => {
  const client = new Sqlite(':memory:');
  client.exec(
    `create table users (id integer primary key not null, name text);
     create table logs (n integer not null, user_id integer not null references users (id));
     create table notes (id integer primary key, log integer references logs (user_id))`,
  );
  const { tables, firstRows } = await introspect(client, { keys: { logs: 'n' } });
  expect(tables['users']?.relations).toMatchObject({ logs: { many: 'logs' } });
  // No unique key follows from the absence of a primary key.
  expect(firstRows).toMatchObject([{ relation: 'notes.logs' }]);
  client.close();
});

it.each([
  [false, false, false],
  [true, false, true],
  [false, true, true],
  [true, true, true],
])('are nullable by two columns where one is: %s, %s', (isFirst, isSecond, nullable) => {
  const registry = sqlRegistry(
    sqlTables({
      shelf: { table: 'shelves', primaryKey: ['x', 'y'], columns: { x: 'int', y: 'int' } },
      book: {
        table: 'books',
        primaryKey: 'id',
        columns: {
          id: 'int',
          x: { type: 'int', nullable: isFirst },
          y: { type: 'int', nullable: isSecond },
        },
        relations: { shelf: { one: 'shelf', from: ['x', 'y'] } },
      },
    }),
    { families: ['postgresql'] },
  );
  expect(registry.get('book')?.relations).toMatchObject([{ path: 'shelf', nullable }]);
});
