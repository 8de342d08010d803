/** Included lists stop at their limit: an index on the reference is read no further than one row beyond it. */

import Sqlite from 'better-sqlite3';
import mysql2, { type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { expect, it } from 'vitest';
import {
  type SqlConnection,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import {
  type DatabaseFamily,
  type QuerySource,
  type Row,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { explained, heard, rowsRead } from './heard.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { openDriver } from './drivers.ts';

/** Authors of the page, posts of each, comments of each post, and the limit of both lists. */
const [authors, posts, comments, maxChildren] = [20, 200, 10, 5];
/** Rows that a list reads for each of its parents, and one for the parent. */
const mostRead = maxChildren + 2;

interface Opened {
  readonly connection: SqlConnection;
  run(sql: string): Promise<unknown>;
  /** Forgets the statements so far. */
  forget(): Promise<unknown>;
  /** Rows that the tables have given to the statements since then; `null` where the family does not tell. */
  rowsRead(): Promise<number | null>;
  close(): Promise<unknown>;
}

const openers: Readonly<Record<DatabaseFamily, (url: string) => Promise<Opened>>> = {
  async postgresql(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { connection, sent } = heard(client);
    return {
      connection,
      run: (sql) => client.query(sql),
      forget: async () => sent.splice(0),
      async rowsRead() {
        let sum = 0;
        for (const statement of sent.splice(0)) {
          if (statement.text.startsWith('select '))
            sum += rowsRead(await explained(client, statement));
        }
        return sum;
      },
      close: () => client.end(),
    };
  },
  async mysql(url) {
    const pool = mysql2.createPool({ uri: url, connectionLimit: 1 });
    return {
      connection: pool,
      run: (sql) => pool.query(sql),
      forget: () => pool.query('flush status'),
      async rowsRead() {
        const [rows] = await pool.query<RowDataPacket[]>(
          `show session status where Variable_name in ('Handler_read_key', 'Handler_read_next', 'Handler_read_rnd', 'Handler_read_rnd_next')`,
        );
        return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
      },
      close: () => pool.end(),
    };
  },
  async sqlite(url) {
    const client = new Sqlite(url);
    const sent: string[] = [];
    const connection = Object.assign(Object.create(client) as typeof client, {
      prepare(sql: string) {
        sent.push(sql);
        return client.prepare(sql);
      },
    });
    return {
      connection,
      run: async (sql) => client.exec(sql),
      forget: async () => sent.splice(0),
      async rowsRead() {
        const steps = sent
          .splice(0)
          .filter((sql) => sql.includes('union all'))
          .flatMap((sql) =>
            client
              .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
              .all(...sql.matchAll(/\?/g)),
          );
        const details = steps.map(({ detail }) => detail).join('\n');
        // An index that has the order ends with the limit.
        expect(details).toContain('INDEX comments_of (post_id=?)');
        expect(details).not.toMatch(/SCAN (?:posts|comments)|TEMP B-TREE/);
        return null;
      },
      close: async () => client.close(),
    };
  },
};

it.each(['postgresql', 'mysql', 'sqlite'] as const)('stop at their limit on %s', async (family) => {
  const database = await scratchDatabase(family, 'limited_children');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const { connection, run, forget, rowsRead, close } = await openers[family](database.url);
  try {
    await run('create table authors (id int primary key)');
    await run(
      'create table posts (id int primary key, author_id int not null, foreign key (author_id) references authors (id))',
    );
    await run(
      'create table comments (id int primary key, post_id int not null, foreign key (post_id) references posts (id))',
    );
    await run('create index posts_of on posts (author_id, id)');
    await run('create index comments_of on comments (post_id, id)');
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    const insert = (table: string, rows: readonly (readonly number[])[]) =>
      run(`insert into ${table} values ${rows.map((row) => `(${row.join()})`).join()}`);
    await insert(
      'authors',
      numbers(authors).map((id) => [id]),
    );
    // The last two authors have as many posts as the limit, and none.
    const few = [authors - 1, maxChildren] as const;
    const written = numbers((authors - 2) * posts).map((id) => [id, 1 + (id % (authors - 2))]);
    const last = written.length;
    await insert('posts', written);
    await insert(
      'posts',
      numbers(few[1]).map((id) => [last + id, few[0]]),
    );
    const allPosts = last + few[1];
    await insert(
      'comments',
      numbers(allPosts * comments).map((id) => [id, 1 + (id % allPosts)]),
    );
    await run(
      family === 'mysql'
        ? 'analyze table authors, posts, comments'
        : family === 'sqlite'
          ? 'analyze'
          : 'vacuum analyze authors, posts, comments',
    );
    const registry = await introspect(connection);
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'authors' });
    const shown = { allowed: ['id'], default: ['id'] };
    const rules = defineQueryRules(
      registry,
      'authors',
      {
        fields: { root: shown, relations: { posts: shown, 'posts.comments': shown } },
        includes: ['posts', 'posts.comments'],
      },
      { maxChildren },
    );
    await forget();
    const { data } = await runQuery(
      source,
      `includes=posts,posts.comments&perPage=${authors}`,
      rules,
    );
    const read = await rowsRead();
    const first = (ids: readonly number[]) => ids.slice(0, maxChildren);
    const postOf = (id: number): Row => ({
      id,
      comments: first(
        numbers(comments)
          .map((turn) => (turn - 1) * allPosts + id - 1)
          .filter((comment) => comment > 0)
          .concat(id === 1 ? [comments * allPosts] : []),
      ).map((comment) => ({ id: comment })),
      $truncated: ['comments'],
    });
    const authorOf = (id: number): Row => {
      const own = [...written, ...numbers(few[1]).map((post) => [last + post, few[0]])]
        .filter(([, author]) => author === id)
        .map(([post]) => post as number);
      return {
        id,
        posts: first(own).map(postOf),
        ...(own.length > maxChildren && { $truncated: ['posts'] }),
      };
    };
    expect(data).toEqual(numbers(authors).map(authorOf));
    if (read !== null) {
      const shownPosts = (authors - 1) * maxChildren;
      expect(read).toBeLessThanOrEqual(2 * (authors + 1) + (authors + shownPosts) * mostRead);
    }
  } finally {
    await close();
    await database.drop();
  }
});

it.each(['postgresql', 'mysql', 'sqlite'] as const)(
  'contain each row once where several parents have the same key on %s',
  async (family) => {
    const database = await scratchDatabase(family, 'shared_keys');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const { connection, run, close } = openDriver(family, database);
    try {
      await run('create table rooms (id integer not null primary key, house int)');
      await run('create table doors (id integer not null primary key, house int)');
      await run('insert into rooms values (1, 7), (2, 7), (3, 8), (4, null), (5, 7)');
      await run('insert into doors values (10, 7), (11, 7), (12, 8), (13, null), (14, 7)');
      const house = { type: 'int', nullable: true } as const;
      const tables = sqlTables({
        room: {
          table: 'rooms',
          primaryKey: 'id',
          columns: { id: 'integer', house },
          relations: { doors: { many: 'door', from: 'house', to: 'house' } },
        },
        door: { table: 'doors', primaryKey: 'id', columns: { id: 'integer', house } },
      });
      const registry = sqlRegistry(tables, { families: [family] });
      const source: QuerySource = sqlSource({ connection, registry, tables, model: 'room' });
      for (const [limit, cut] of [
        [2, true],
        [3, false],
      ] as const) {
        const shown = { allowed: ['id'], default: ['id'] };
        const rules = defineQueryRules(
          registry,
          'room',
          { fields: { root: shown, relations: { doors: shown } }, includes: ['doors'] },
          { maxChildren: limit },
        );
        const { data } = await runQuery(source, 'includes=doors', rules);
        const ofSeven = {
          doors: [{ id: 10 }, { id: 11 }, { id: 14 }].slice(0, limit),
          ...(cut && { $truncated: ['doors'] }),
        };
        expect(data).toEqual([
          { id: 1, ...ofSeven },
          { id: 2, ...ofSeven },
          { id: 3, doors: [{ id: 12 }] },
          { id: 4, doors: [] },
          { id: 5, ...ofSeven },
        ]);
      }
    } finally {
      await close();
    }
  },
);
