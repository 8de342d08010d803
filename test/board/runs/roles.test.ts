/** Runs of a role that may change jobs and not create a table: in memory, with a warning; and in a table once it exists. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestLibrary } from '../pgq/libraries.ts';
import { type Answer, type BoardUnderTest, type World, makeWorld } from '../pgq/world.ts';

const role = `sluice_runs_${process.pid}`;

let world: World;
let url: string;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'runs_roles');
  await world.boss.createQueue('mail');
  for (const statement of [
    `create role ${role} login`,
    `grant usage on schema pgboss to ${role}`,
    `grant select, insert, update, delete on all tables in schema pgboss to ${role}`,
  ]) {
    await world.admin.query(statement);
  }
  const address = new URL(world.url);
  address.username = role;
  url = address.href;
});

afterAll(async () => {
  await world?.admin.query(`drop owned by ${role}`);
  await world?.admin.query(`drop role ${role}`);
  await world?.close();
});

const runOf = (answer: Answer): string => {
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return String(answer.body['run']?.['id']);
};

const start = async (board: BoardUnderTest): Promise<string> => {
  await world.boss.insert('mail', [{ data: {} }]);
  const body = { queueName: 'mail', action: 'cancel', filter: { state: 'created' } };
  const id = runOf(await board.send('POST', '/api/bulk', body));
  const read = async () => (await board.get(`/api/bulk/${id}`)).body['run'];
  await expect.poll(read).toMatchObject({ state: 'completed', changed: 1 });
  return id;
};

it('are kept in memory with a warning, and shown by others once there is a table', async () => {
  const board = await world.board({ connection: url });
  const own = await start(board);
  await expect
    .poll(() => board.log.join(), { timeout: 30_000 })
    .toMatch(/may not create the table/);
  const other = await world.board();
  expect((await other.get(`/api/bulk/${own}`)).status).toBe(404);
  const shared = await start(other);
  expect((await board.get(`/api/bulk/${shared}`)).status).toBe(404);
  await world.admin.query(
    `grant select, insert, update, delete on pgboss.sluice_pgq_runs, pgboss.sluice_pgq_runs_undo to ${role}`,
  );
  expect((await board.get(`/api/bulk/${shared}`)).status).toBe(200);
  const next = await start(board);
  expect((await other.get(`/api/bulk/${next}`)).status).toBe(200);
  const { body } = await board.get('/api/bulk');
  expect(body['runs']?.['length']).toBe(3);
  expect((await board.get('/api/bulk/none:spec')).status).toBe(404);
}, 60_000);
