import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planQuery, runQuery } from '../../src/index.ts';
import { encodeCursor } from '../../src/rules/plan/cursor.ts';
import { holds, repeatable, shareOf, tenthOf } from '../seed.ts';
import { openedCell, otherEndpoints, sqliteCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';
import { answer, comparable, judge, Tally } from './verdict.ts';
import { everyText, hostileText } from './values.ts';

let sqlite: HostileCell;
beforeAll(async () => {
  sqlite = await sqliteCell();
});
afterAll(() => sqlite.close());

async function nextCursor({ source, rules }: HostileCell, request: string): Promise<string> {
  const page = await runQuery(source, `${request}&perPage=2&cursor=`, rules);
  expect(page).toHaveProperty('nextCursor', expect.any(String));
  return (page as { nextCursor: string }).nextCursor;
}

/** No decimal that SQLite holds as a number has more than 15 digits, so no cursor made there has. */
const beyondSqlite = (text: string | null): boolean => (text ?? '').replace(/\D/g, '').length > 15;

/** A cursor that hashes right and holds values of the client's choice; the hash is no secret. */
function forged(cell: HostileCell, request: string, values: readonly (string | null)[]): string {
  const { page } = planQuery(`${request}&cursor=`, cell.rules);
  const binding = page.mode === 'keyset' ? page.binding : '';
  return encodeCursor(binding, 'after', false, values);
}

const sorts = [
  'name',
  'nick',
  'code',
  'role',
  'age',
  'visits',
  'balance',
  'born',
  'seenAt',
  'firm.name',
] as const;

describe('hostile cursors', () => {
  it('that were changed by a character are refused', async () => {
    const genuine = await nextCursor(sqlite, 'sort=-name');
    const tally = new Tally();
    for (let at = 0; at < genuine.length; at += 1) {
      for (const char of ['A', 'z', '-', '.', '%00']) {
        if (genuine[at] === char) continue;
        const cursor = genuine.slice(0, at) + char + genuine.slice(at + 1);
        const outcome = await answer(sqlite, `sort=-name&cursor=${cursor}`);
        judge(outcome, { input: cursor, values: [cursor] }, tally);
      }
    }
    // The last character carries bits that no byte takes; some changes of it change nothing.
    expect(tally.of('CURSOR_INVALID')).toBeGreaterThan((genuine.length - 1) * 3);
    expect(tally.of('answered')).toBeLessThan(4);
  });

  it('are made of any text a row may hold', () => {
    const long = 'é'.repeat(200_000);
    expect(encodeCursor('binding', 'after', false, [long]).length).toBeGreaterThan(long.length);
  });

  it('of another sort, filter or direction are refused', async () => {
    const cursor = await nextCursor(sqlite, 'sort=-name&filter[id][gt]=0');
    for (const request of [
      '',
      'sort=-name',
      'sort=name&filter[id][gt]=0',
      'sort=-name&filter[id][gt]=1',
    ]) {
      const outcome = await answer(sqlite, `${request}&cursor=${cursor}`);
      expect([request, JSON.parse(outcome.body)]).toMatchObject([
        request,
        { code: 'CURSOR_INVALID' },
      ]);
    }
  });

  it('that are forged with any values are refused or answered', { timeout: 120_000 }, async () => {
    const tally = new Tally();
    const value = fc.option(hostileText, { nil: null });
    await holds(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.constantFrom('', '-'),
        fc.oneof(
          { weight: 4, arbitrary: fc.tuple(value, fc.constantFrom('3', '-1', '2147483647')) },
          { weight: 1, arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }) },
        ),
        async (path, sign, values) => {
          const request = `sort=${sign}${path}`;
          const cursor = encodeURIComponent(forged(sqlite, request, values));
          const input = `${request}&cursor=${cursor}`;
          judge(await answer(sqlite, input), { input, values: values.map(String) }, tally);
        },
      ),
      3000,
    );
    expect(tally.of('CURSOR_INVALID')).toBeGreaterThan(shareOf(1000));
    expect(tally.of('answered')).toBeGreaterThan(shareOf(100));
  });
});

describe.each(otherEndpoints)('forged cursors on $name', (endpoint) => {
  const cell = openedCell(endpoint);

  it('with every hostile value in every column have the same answer as on SQLite', async (context) => {
    const here = cell() ?? context.skip('no server');
    const tally = new Tally();
    const every = sorts
      .flatMap((path) => [...everyText, null].map((text) => ({ path, text })))
      .filter(({ path, text }) => path !== 'balance' || !beyondSqlite(text));
    await repeatable(async () => {
      for (const { path, text } of tenthOf(every, otherEndpoints.indexOf(endpoint))) {
        const request = `sort=${path}`;
        const input = `${request}&cursor=${forged(here, request, [text, '3'])}`;
        const outcome = await answer(here, input);
        judge(outcome, { input, values: [String(text)] }, tally);
        const expected = comparable(await answer(sqlite, input));
        expect([path, text, comparable(outcome)]).toEqual([path, text, expected]);
      }
    });
    expect(tally.of('answered')).toBeGreaterThan(shareOf(200) * 0.8);
  }, 120_000);
});
