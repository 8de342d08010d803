/**
 * Runs the pg-boss board of the README, as printed, in an empty folder: `npm i sluice pg-boss pg express`, without an
 * ORM.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Host, installedWith, root } from '../package/package.ts';
import { type ScratchDatabase, scratchDatabase } from '../services/index.ts';
import { freePort } from '../services/server-process.ts';

let host: Host;
let database: ScratchDatabase;
let board: ChildProcess;
let origin: string;
let output = '';

/** The first TypeScript block under a heading of the README. */
function example(heading: string): string {
  const section = readFileSync(path.join(root, 'README.md'), 'utf8').split(`\n## ${heading}\n`)[1];
  const code = /```ts\n(.*?)```/s.exec(section ?? '')?.[1];
  if (code === undefined) throw new Error(`The README has no example under "${heading}".`);
  return code;
}

/** Replaces every occurrence, because the README names another database and port. */
function replaced(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replaceAll(from, to);
}

beforeAll(async () => {
  host = installedWith('express', 'pg', 'pg-boss');
  const found = await scratchDatabase('postgresql', 'newcomer');
  if ('missing' in found) throw new Error(found.advice);
  database = found;
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const printed = example('Board for pg-boss');
  const code = replaced(
    replaced(printed, 'postgres://localhost/app', database.url),
    'app.listen(3000)',
    `app.listen(${port})`,
  );
  board = spawn(process.execPath, [host.write('board.ts', code)], { cwd: host.directory });
  for (const stream of [board.stdout, board.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
});

afterAll(async () => {
  if (board?.exitCode === null) {
    const ended = new Promise((resolve) => board.once('exit', resolve));
    board.kill();
    await ended;
  }
  await database?.drop();
  host?.remove();
});

/** The response of the board once it listens. */
async function answer(route: string): Promise<Response> {
  for (;;) {
    if (board.exitCode !== null) throw new Error(`The board ended: ${output}`);
    const response = await fetch(origin + route).catch(() => undefined);
    if (response) return response;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('has no ORM installed', () => {
  const resolve = `
    const found = ['drizzle-orm', 'typeorm', '@prisma/client', 'knex', 'kysely'].filter((name) => {
      try {
        return import.meta.resolve(name);
      } catch {
        return false;
      }
    });
    console.log(JSON.stringify(found));
  `;
  expect(host.run(resolve)).toEqual([]);
});

it('runs and responds', async () => {
  const info = await answer('/admin/queues/api/pgq/info');
  expect(info.status).toBe(200);
  expect(await info.json()).toMatchObject({ installed: true, readable: true, writable: true });
  const queues = await answer('/admin/queues/api/pgq/queues');
  expect(queues.status).toBe(200);
  expect(await queues.json()).toEqual({ queues: [] });
  const page = await answer('/admin/queues/');
  expect(page.headers.get('content-type')).toContain('text/html');
});
