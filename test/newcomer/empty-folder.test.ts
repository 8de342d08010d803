/** Three commands in an empty folder with a database: install, `sluice init lists`, start. */

import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type FreshFolder, freshFolder, removeTarball } from './fresh-folder.ts';

let folder: FreshFolder | undefined;
afterAll(async () => {
  await folder?.remove();
  removeTarball();
});

it.each([
  ['express', { express: '5' }],
  ['fastify', { fastify: '5' }],
  ['koa', { koa: '3' }],
  ['hono', { hono: '4', '@hono/node-server': '1' }],
])('lists a table of it with %s', async (_, packages) => {
  folder = await freshFolder(
    { ...packages, 'better-sqlite3': '13' },
    { 'package.json': '{}' },
    {
      DATABASE_URL: 'sqlite:app.db',
    },
  );
  if (!folder) return;
  const database = new DatabaseSync(path.join(folder.directory, 'app.db'));
  database.exec(`create table books (id integer primary key, title text not null unique);
    insert into books values (1, 'Pnin'), (2, 'Emma')`);
  database.close();
  expect(await folder.command('sluice', 'init', 'lists', '--yes')).toContain('node server.js');
  const origin = await folder.serve('node', 'server.js');
  const answer = await fetch(`${origin}/books?sort=title&fields=title`);
  expect(await answer.json()).toMatchObject({ data: [{ title: 'Emma' }, { title: 'Pnin' }] });
  await folder.remove();
});
