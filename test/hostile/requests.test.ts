import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openedCell, otherEndpoints, sqliteCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';
import { encodeAnything } from './request-parts.ts';
import type { HostileRequest } from './request-parts.ts';
import { hostileQueryString } from './request-strings.ts';
import { hostileRequest } from './requests.ts';
import { everyText } from './values.ts';
import { answer, comparable, judge, Tally } from './verdict.ts';
import type { Outcome } from './verdict.ts';

const seed = 20_261_120;
/** A long run asks for 50,000 requests or more. */
const everything = Number(process.env['SLUICE_FUZZ_RUNS'] ?? 0) >= 50_000;

let sqlite: HostileCell;
beforeAll(async () => {
  sqlite = await sqliteCell();
});
afterAll(() => sqlite.close());

/** Every filter that the rules allow, with every hostile text; a pair has the text on both sides. */
function* everyFilter({ rules }: HostileCell): Generator<HostileRequest<string>> {
  for (const [path, { operators }] of rules.filters) {
    for (const operator of operators) {
      for (const value of everyText) {
        const operand =
          operator === 'between' ? `${encodeAnything(value)},1` : encodeAnything(value);
        yield {
          input: `filter[${path}][${operator}]=${operand}&sort=${sortOf(path)}`,
          values: [value],
        };
      }
    }
  }
}

/** A sort on the same column where there is one, so that it takes part in the order too. */
const sortOf = (path: string): string =>
  /^(firm|notes|labels|active)/.test(path) ? '-id' : `-${path}`;

describe('hostile requests', () => {
  it(
    '17,000 of them are answered or refused, and no other thing happens',
    { timeout: 300_000 },
    async () => {
      const tally = new Tally();
      await fc.assert(
        fc.asyncProperty(hostileRequest, async (request) => {
          judge(await answer(sqlite, request.input), request, tally);
        }),
        { numRuns: 17_000, seed },
      );
      expect(tally.total).toBeGreaterThanOrEqual(17_000);
      expect(tally.of('answered')).toBeGreaterThan(1000);
      for (const code of [
        'QUERY_SYNTAX_INVALID',
        'QUERY_SYNTAX_UNKNOWN_PARAM',
        'FIELD_NOT_ALLOWED',
        'OPERATOR_NOT_ALLOWED',
        'FILTER_VALUE_INVALID',
        'PAGINATION_INVALID',
        'CURSOR_INVALID',
        'SORT_CONFLICT',
      ]) {
        expect([code, tally.of(code) > 0]).toEqual([code, true]);
      }
    },
  );
});

/** Answers of Drizzle on SQLite, which the other endpoints are asked for in turn. */
const expected = new Map<string, Outcome>();

async function onSqlite(input: string): Promise<Outcome> {
  const outcome = expected.get(input) ?? comparable(await answer(sqlite, input));
  expected.set(input, outcome);
  return outcome;
}

describe.each(otherEndpoints)('hostile requests through $name', (endpoint) => {
  const cell = openedCell(endpoint);
  /** Through the first adapter all of them; through the others a third, with each filter and each value among it. */
  const share = endpoint.name.startsWith('Drizzle') || everything ? 1 : 3;

  it(
    '2,000 of them have the same answers as through Drizzle on SQLite, byte for byte',
    { timeout: 300_000 },
    async (context) => {
      const here = cell() ?? context.skip('no server');
      const tally = new Tally();
      await fc.assert(
        fc.asyncProperty(hostileQueryString, async (request) => {
          const outcome = await answer(here, request.input);
          judge(outcome, request, tally);
          expect(comparable(outcome)).toEqual(await onSqlite(request.input));
        }),
        { numRuns: 2000, seed: seed + 1 },
      );
      expect(tally.of('answered')).toBeGreaterThan(200);
    },
  );

  it(
    'every filter with hostile values has the same answer as through Drizzle on SQLite',
    { timeout: 300_000 },
    async (context) => {
      const here = cell() ?? context.skip('no server');
      const tally = new Tally();
      let at = 0;
      for (const request of everyFilter(here)) {
        at += 1;
        if (at % share !== 0) continue;
        const outcome = await answer(here, request.input);
        judge(outcome, request, tally);
        expect([request.input, comparable(outcome)]).toEqual([
          request.input,
          await onSqlite(request.input),
        ]);
      }
      expect(tally.total).toBeGreaterThan(8000 / share);
      expect(tally.of('answered')).toBeGreaterThan(3000 / share);
    },
  );
});
