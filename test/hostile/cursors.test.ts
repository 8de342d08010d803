import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planQuery, runQuery } from '../../src/index.ts';
import type { CompiledQueryRules, QueryError } from '../../src/index.ts';
import type { CursorValue } from '../../src/rules/plan/cursor/cursor-value.ts';
import { encodeCursor } from '../../src/rules/plan/cursor/cursor.ts';
import { readableCursors } from '../../src/rules/plan/cursor/readable-cursor.ts';
import { hostileRules } from './rules.ts';
import { anyText } from '../any-text.ts';
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

/** The same endpoint without keys: what anyone could write as its cursor is put to its checks of values. */
const unsealed = (cell: HostileCell): HostileCell => ({
  ...cell,
  rules: { ...cell.rules, cursors: readableCursors },
});

/** A readable cursor that hashes right and holds values of the client's choice; the hash is not secret. */
function forged(cell: HostileCell, request: string, values: readonly CursorValue[]): string {
  const { page } = planQuery(`${request}&cursor=`, cell.rules);
  const binding = page.mode === 'keyset' ? page.binding : '';
  return encodeCursor(cell.rules, binding, 'after', false, values);
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

/** Texts like those of stored values that no request can contain. */
const storedTexts =
  `infinity,-infinity,0044-03-15 BC,4000-02-29 BC,5000-01-01 BC,0000-01-01,0000-00-00,2024-00-00,2024-02-31,
2024-99-99,294276-12-31,999999-01-01,0044-03-15 12:00:00+00 BC,20000-01-01 24:00:00+00,20000-01-01 23:59:60+00,
20000-01-01 00:00:00+15:59:59,20000-01-01 00:00:00+16,2024-00-00 25:61:61.5,NaN,Infinity,-Infinity,1e400,2,-1,
18446744073709551615,99999999999999999999,-9223372036854775809,9007199254740993,0.${'1'.repeat(999)},${'9'.repeat(1000)}`.split(
    /,\n?/,
  );

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
    expect(tally.of('CURSOR_INVALID')).toBe(tally.total);
    expect(tally.total).toBeGreaterThan((genuine.length - 1) * 3);
  });

  it(
    'that were tampered with, cut or borrowed are refused, each of them',
    { timeout: 300_000 },
    async () => {
      const { source, rules } = sqlite;
      const [key, other] = [
        'one secret, which seals the cursors here',
        'another secret, which is of another host',
      ];
      const compiled = (cursorKeys: string, change: object = {}) =>
        ({ ...hostileRules(source.registry, cursorKeys), ...change }) as CompiledQueryRules;
      const here = compiled(key);
      const foreign = [compiled(other), compiled(key, { fingerprint: 'another endpoint' }), rules];
      const windowOf = (request: string, of: CompiledQueryRules, cursorScope?: string) => {
        const { page } = planQuery(`${request}&cursor=`, of, { cursorScope });
        return page.mode === 'keyset' ? page.binding : '';
      };
      const made = (request: string, of: CompiledQueryRules, scope?: string) =>
        encodeCursor(of, windowOf(request, of, scope), 'after', false, ['Ada', '3']);
      const codeOf = (cursor: string, request: string) => {
        const params = new URLSearchParams(request);
        params.set('cursor', cursor);
        try {
          planQuery(params, here, { cursorScope: 'north' });
          return 'accepted';
        } catch (error) {
          return (error as QueryError).code;
        }
      };
      const request = 'sort=name&filter[id][gt]=0';
      const genuine = made(request, here, 'north');
      const second = made(request, here, 'north');
      expect(codeOf(genuine, request)).toBe('accepted');
      const at = fc.nat(genuine.length - 1);
      const character = fc.oneof(
        fc.constantFrom(...'ABCXYZabcxyz0189-_+/=. '),
        anyText({ minLength: 1, maxLength: 2 }),
      );
      const part = (from: number, to: number) =>
        genuine.slice(Math.min(from, to), Math.max(from, to));
      const altered = fc.oneof(
        fc
          .tuple(at, character)
          .map(([i, text]) => genuine.slice(0, i) + text + genuine.slice(i + 1)),
        fc.tuple(at, character).map(([i, text]) => genuine.slice(0, i) + text + genuine.slice(i)),
        fc.tuple(at, at).map(([from, to]) => part(from, to)),
        at.map((i) => genuine.slice(0, i) + second.slice(i)),
        fc.tuple(at, at).map(([i, j]) => genuine.slice(0, i) + second.slice(j)),
        anyText({ minLength: 1, maxLength: 90 }),
        fc
          .uint8Array({ minLength: 1, maxLength: 90 })
          .map((bytes) => Buffer.from(bytes).toString('base64url')),
        fc
          .uint8Array({ minLength: 28, maxLength: 90 })
          .map((bytes) => Buffer.from([2, ...bytes]).toString('base64url')),
      );
      const borrowed = fc.oneof(
        fc.constantFrom(...foreign).map((of) => made(request, of, 'north')),
        fc
          .constantFrom(
            'sort=-name&filter[id][gt]=0',
            'sort=nick&filter[id][gt]=0',
            'sort=name',
            'sort=name&filter[id][gt]=1',
            `${request}&search=a`,
          )
          .map((asked) => made(asked, here, 'north')),
        fc
          .option(fc.string(), { nil: undefined })
          .filter((scope) => scope !== 'north')
          .map((scope) => made(request, here, scope)),
        fc.constant('').map(() => made(request, { ...here, cursors: readableCursors }, 'north')),
      );
      const cursors = fc
        .oneof({ weight: 3, arbitrary: altered }, { weight: 1, arbitrary: borrowed })
        // An empty cursor asks for the first page.
        .filter((cursor) => cursor !== '' && cursor !== genuine && cursor !== second);
      const isRefused = (cursor: string) => {
        if (codeOf(cursor, request) !== 'CURSOR_INVALID')
          throw new Error(`${cursor} is not refused.`);
      };
      await holds(fc.property(cursors, isRefused), 100_000);
    },
  );

  it('are made of long keys, and not beyond the length that an endpoint takes back', () => {
    const cursorOf = (key: string) => encodeCursor(sqlite.rules, 'binding', 'after', false, [key]);
    const long = 'é'.repeat(90_000);
    expect(cursorOf(long).length).toBeGreaterThan(long.length);
    expect(() => cursorOf('é'.repeat(200_000))).toThrow(
      expect.objectContaining({ code: 'CAPABILITY_UNAVAILABLE' }),
    );
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
    const here = unsealed(sqlite);
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
          const cursor = encodeURIComponent(forged(here, request, values));
          const input = `${request}&cursor=${cursor}`;
          judge(await answer(here, input), { input, values: values.map(String) }, tally);
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
    const here = unsealed(cell() ?? context.skip('no server'));
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
        const expected = comparable(await answer(unsealed(sqlite), input));
        expect([path, text, comparable(outcome)]).toEqual([path, text, expected]);
      }
    });
    expect(tally.of('answered')).toBeGreaterThan(shareOf(200) * 0.8);
  }, 120_000);

  it('with any text marked as a stored value are refused or answered', async (context) => {
    const here = unsealed(cell() ?? context.skip('no server'));
    const tally = new Tally();
    const every = sorts.flatMap((path) => {
      const texts = tenthOf(everyText, otherEndpoints.indexOf(endpoint));
      return [...storedTexts, ...texts].map((text) => ({ path, text }));
    });
    await repeatable(async () => {
      for (const { path, text } of every) {
        const request = `sort=${path}`;
        const input = `${request}&cursor=${forged(here, request, [[text], '3'])}`;
        judge(await answer(here, input), { input, values: [text] }, tally);
      }
    });
    expect(tally.of('answered')).toBeGreaterThan(0);
  }, 120_000);
});
