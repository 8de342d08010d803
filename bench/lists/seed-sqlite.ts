/** Creates and fills the benchmark's SQLite files, one for each way to store an instant. */

import Database from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';
import { companies, dataVersion, posts, users } from './data.ts';
import { sqliteFile } from './services.ts';
import type { StoredInstants } from './services.ts';

/** The column type for each ORM, and the value that the ORM writes. */
const instants: Readonly<
  Record<StoredInstants, { readonly type: string; readonly store: (at: Date) => number | string }>
> = {
  milliseconds: { type: 'integer', store: (at) => at.getTime() },
  typeorm: { type: 'datetime', store: (at) => at.toISOString().replace('T', ' ').slice(0, -1) },
  prisma: { type: 'datetime', store: (at) => at.toISOString().replace('Z', '+00:00') },
};

const tables = (stored: StoredInstants): string => `
  create table companies (
    id integer primary key,
    name text not null,
    country text not null
  );
  create table users (
    id integer primary key,
    name text not null,
    email text not null,
    age integer not null,
    active integer not null,
    created_at ${instants[stored].type} not null,
    company_id integer not null references companies (id),
    name_folded text not null,
    email_folded text not null
  );
  create table posts (
    id integer primary key,
    user_id integer not null references users (id),
    title text not null
  );
  create index users_created_at on users (created_at);
  create index users_company_id on users (company_id);
  create index users_name_id on users (name, id);
  create index posts_user_id on posts (user_id);
`;

function fill(db: Database.Database, stored: StoredInstants): void {
  const { store } = instants[stored];
  db.exec(tables(stored));
  db.transaction(() => {
    const company = db.prepare('insert into companies values (?, ?, ?)');
    for (const row of companies()) company.run(row.id, row.name, row.country);
    const user = db.prepare('insert into users values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    for (const row of users()) {
      user.run(
        row.id,
        row.name,
        row.email,
        row.age,
        row.active ? 1 : 0,
        store(row.createdAt),
        row.companyId,
        row.nameFolded,
        row.emailFolded,
      );
    }
    const post = db.prepare('insert into posts values (?, ?, ?)');
    for (const row of posts()) post.run(row.id, row.userId, row.title);
    db.pragma(`user_version = ${dataVersion}`);
  })();
  db.exec('analyze');
}

/** Fills the file, unless it is filled already. */
export function seedSqlite(stored: StoredInstants, reseed: boolean): void {
  const file = sqliteFile(stored);
  if (existsSync(file)) {
    const current = new Database(file, { readonly: true });
    const version = current.pragma('user_version', { simple: true });
    current.close();
    if (!reseed && version === dataVersion) return;
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const db = new Database(file);
  db.pragma('journal_mode = wal');
  fill(db, stored);
  db.pragma('wal_checkpoint(truncate)');
  db.close();
}
