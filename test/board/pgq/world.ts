/** A database with pg-boss, and boards on it that serve HTTP. */

import express from 'express';
import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { type BoardOptions, openBoard } from '../../../src/board/core/index.ts';
import { type PgqOptions, pgqEngine } from '../../../src/board/pgq/index.ts';
import { ExpressAdapter } from '../../../src/http/express/board.ts';
import { listen } from '../../http/serve.ts';
import { filledDatabase } from '../../services/index.ts';
import type { Library } from './libraries.ts';

/** A response of a board. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body; tests access it freely. */
  readonly body: Body;
}

/** A JSON body, indexed without type checks. */
export interface Body {
  readonly [member: string]: Body;
}

/** A board that listens on a port. */
export interface BoardUnderTest {
  readonly origin: string;
  /** Its log entries. */
  readonly log: string[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** A database with the schema of the library. */
export interface World {
  readonly url: string;
  readonly library: Library;
  readonly boss: PgBoss;
  readonly admin: pg.Pool;
  board(pgq?: Partial<PgqOptions>, options?: BoardOptions): Promise<BoardUnderTest>;
  close(): Promise<void>;
}

async function ask(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = (isJson ? JSON.parse(text) : {}) as Body;
  return { status: response.status, headers: response.headers, text, body };
}

/** Serves a board under Express, with every response validated against its schema. */
export async function serveBoard(
  pgq: PgqOptions,
  options: BoardOptions = {},
): Promise<BoardUnderTest> {
  const log: string[] = [];
  const note = (message: string, details?: unknown): void => {
    log.push(
      details instanceof Error ? `${message}: ${details.stack ?? details.message}` : message,
    );
  };
  const serverAdapter = new ExpressAdapter();
  const board = openBoard(
    // Tests change the tables beside the board.
    pgqEngine({ snapshotMs: 0, ...pgq }),
    serverAdapter,
    {
      validateResponses: true,
      logger: { error: note, warn: note },
      closeGraceMs: 100,
      ...options,
    },
    false,
  );
  const app = express();
  app.use('/', serverAdapter.getRouter());
  const server = await listen(app);
  const origin = `http://127.0.0.1:${server.port}`;
  let closed: Promise<void> | undefined;
  return {
    origin,
    log,
    get: (path, headers = {}) => ask(`${origin}${path}`, { headers }),
    send: (method, path, body) =>
      ask(`${origin}${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
    close: () => {
      closed ??= board.close().then(() => server.close());
      return closed;
    },
  };
}

/** An instance of the library, which installs its schema where there is none. */
async function started(library: Library, connectionString: string): Promise<PgBoss> {
  const options = { connectionString, supervise: false, schedule: false, max: 4 };
  const boss = new library.module.PgBoss(options);
  boss.on('error', () => undefined);
  return boss.start();
}

/** Installs the schema alone: an instance also notes itself. */
async function install(library: Library, connectionString: string): Promise<void> {
  await (await started(library, connectionString)).stop({ graceful: false });
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(`select 1 where to_regclass('pgboss.instance') is not null`);
  if (rows.length > 0) await client.query('delete from pgboss.instance');
  await client.end();
}

/** Creates a database with the schema of the library, unless one is given. */
export async function makeWorld(
  library: Library,
  suite: string,
  given?: { readonly url: string },
): Promise<World> {
  const database = given
    ? undefined
    : await filledDatabase(suite, `pgboss_${library.schemaVersion}`, (empty) =>
        install(library, empty.url),
      );
  if (database && !('url' in database)) throw new Error('These tests need PostgreSQL.');
  const { url } = given ?? (database as { url: string });
  const boss = await started(library, url);
  const admin = new pg.Pool({ connectionString: url, max: 2 });
  admin.on('error', () => undefined);
  const boards: BoardUnderTest[] = [];
  return {
    url,
    library,
    boss,
    admin,
    async board(pgq = {}, options = {}) {
      const made = await serveBoard({ connection: url, library: library.module, ...pgq }, options);
      boards.push(made);
      return made;
    },
    async close() {
      for (const made of boards) await made.close();
      await boss.stop({ graceful: false });
      await admin.end();
      await database?.drop();
    },
  };
}

/** The index that the board recommends for its listings. */
export async function createListingIndexes(admin: pg.Pool, schema = 'pgboss'): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = '${schema}.job'::regclass`,
  );
  for (const { name } of rows) {
    await admin.query(
      `create index on "${schema}"."${name}" (name, state, created_on desc, id desc)`,
    );
    await admin.query(`analyze "${schema}"."${name}"`);
  }
}
