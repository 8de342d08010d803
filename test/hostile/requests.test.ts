import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openedCell, otherEndpoints, sqliteCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';
import { sharedOut } from '../matrix/cells.ts';
import { holds, repeatable, shareOf, tenthOf } from '../seed.ts';
import { encodeAnything } from './request-parts.ts';
import type { HostileRequest } from './request-parts.ts';
import { hostileQueryString } from './request-strings.ts';
import { hostileRequest } from './requests.ts';
import { everyText } from './values.ts';
import { answer, comparable, judge, Tally } from './verdict.ts';
import type { Outcome } from './verdict.ts';

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
    'up to 17,000 of them are answered or refused, and never fail otherwise',
    { timeout: 300_000 },
    async () => {
      const tally = new Tally();
      await holds(
        fc.asyncProperty(hostileRequest, async (request) => {
          judge(await answer(sqlite, request.input), request, tally);
        }),
        17_000,
      );
      expect(tally.total).toBeGreaterThanOrEqual(shareOf(17_000));
      expect(tally.of('answered')).toBeGreaterThan(shareOf(1000));
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

describe.each(sharedOut(otherEndpoints))('hostile requests through $name', (endpoint) => {
  const cell = openedCell(endpoint);

  it(
    'up to 2,000 of them have the same answers as through Drizzle on SQLite, byte for byte',
    { timeout: 300_000 },
    async (context) => {
      const here = cell() ?? context.skip('no server');
      const tally = new Tally();
      await holds(
        fc.asyncProperty(hostileQueryString, async (request) => {
          const outcome = await answer(here, request.input);
          judge(outcome, request, tally);
          expect(comparable(outcome)).toEqual(await onSqlite(request.input));
        }),
        2000,
      );
      expect(tally.of('answered')).toBeGreaterThan(shareOf(200));
    },
  );

  it(
    'every filter with hostile values has the same answer as through Drizzle on SQLite',
    { timeout: 300_000 },
    async (context) => {
      const here = cell() ?? context.skip('no server');
      const tally = new Tally();
      await repeatable(async () => {
        for (const request of tenthOf(everyFilter(here), otherEndpoints.indexOf(endpoint))) {
          const outcome = await answer(here, request.input);
          judge(outcome, request, tally);
          expect([request.input, comparable(outcome)]).toEqual([
            request.input,
            await onSqlite(request.input),
          ]);
        }
      });
      expect(tally.total).toBeGreaterThan(shareOf(8000));
      expect(tally.of('answered')).toBeGreaterThan(shareOf(3000) * 0.9);
    },
  );
});
