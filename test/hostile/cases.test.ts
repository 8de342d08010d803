import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runQuery } from '../../src/index.ts';
import type { ListRequestInput } from '../../src/index.ts';
import { harmlessCases, hostileCases } from './cases.ts';
import { sqliteCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';

let cell: HostileCell;
beforeAll(async () => {
  cell = await sqliteCell();
});
afterAll(() => cell.close());

const run = (request: ListRequestInput) => runQuery(cell.source, request, cell.rules);

describe.each(Object.entries(hostileCases))('hostile requests refused by %s', (_check, cases) => {
  it.each(cases)('$name', async ({ request, code, details = {} }) => {
    const before = cell.statements();
    await expect(run(request)).rejects.toMatchObject({
      name: 'QueryError',
      status: 400,
      code,
      details,
    });
    expect(cell.statements()).toBe(before);
  });
});

describe('requests that only look hostile', () => {
  it.each(harmlessCases)('$name', async ({ request, ids }) => {
    const { data } = await run(request);
    expect(data.map((row) => (row as { id: number }).id)).toEqual(ids);
  });
});

it('gives the same answer for a path that does not exist and one that is not allowed', async () => {
  const refusal = async (path: string) => {
    const error: unknown = await run(`filter[${path}]=1`).catch((thrown: unknown) => thrown);
    return JSON.stringify(error).replaceAll(path, 'path');
  };
  expect(await refusal('secret')).toBe(await refusal('nothing'));
  expect(await refusal('nameFolded')).toBe(await refusal('nothing'));
  expect(await refusal('firm.people')).toBe(await refusal('firm.nothing'));
});
