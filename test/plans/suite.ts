/**
 * The plans of lists on a million rows: each order with each filter on each page, by the statements that a source sends.
 * No table is read from end to end, no more rows than those of a page are sorted, and the answers are right; `limits.ts`
 * names the cells in which a database does more.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SqlConnection, introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { executorOf } from '../../src/adapters/sql/executors/recognise.ts';
import type { SqlExecutor } from '../../src/adapters/sql/executors/executor.ts';
import {
  type CompiledQueryRules,
  type DatabaseFamily,
  type KeysetResult,
  type QuerySource,
  type Row,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { table } from '../../bench/markdown.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { filtered, idsOf, itemOf, orderedIds } from './expected.ts';
import { type Cell, exceptions, limitOf } from './limits.ts';
import { type Filter, type Order, filters, orders, pagesOf, perPage } from './requests.ts';
import type { Sent, Told } from './told.ts';
import { worldOf } from './world.ts';

/** A connection of a driver. */
export interface Opened {
  readonly connection: SqlConnection;
  run(sql: string): Promise<unknown>;
  /** Runs a statement once more; a page behind a position is told to be so. */
  explained(sent: Sent, isBehind: boolean): Promise<readonly Told[]>;
  close(): Promise<unknown>;
}

/** The connection as an executor that adds each statement to `sent`. */
function heard(connection: SqlConnection): {
  readonly executor: SqlExecutor;
  readonly sent: Sent[];
} {
  const inner = executorOf(connection, {});
  const sent: Sent[] = [];
  const executor: SqlExecutor = {
    family: inner.family,
    concurrent: false,
    server: inner.server,
    channel: inner.channel,
    run(statement, values, stop) {
      const isSteered = statement.slots.some(({ steersPlan }) => steersPlan);
      // The statement begins with its time limit.
      const text = statement.text.replace(/^.*?(?=\(?select )/, '');
      sent.push({ text, values, isSteered });
      return inner.run(statement, values, stop);
    },
    transaction: (body, timeoutMs) => inner.transaction(body, timeoutMs),
  };
  return { executor, sent };
}

const nameOf = ({ sort, direction, nulls }: Order): string =>
  `${direction === 'asc' ? '' : '-'}${sort}${nulls ? `, nulls ${nulls}` : ''}`;

/** The rows of a page as the world has them. */
const rowsOf = (ids: readonly number[], withMarks: boolean): Row[] =>
  ids.map((id) => {
    if (!withMarks) return { id };
    const { label } = itemOf(id);
    const first = id / 2 - 1;
    const marks = label === null ? [] : [{ id: first === 0 ? 500_000 : first, label }];
    return { id, marks, ...(label !== null && { $truncated: ['marks'] }) };
  });

export async function testPlans(
  family: DatabaseFamily,
  open: (url: string) => Promise<Opened>,
): Promise<void> {
  const database = await scratchDatabase(family, 'plans');
  const isMissing = 'missing' in database;
  describe.skipIf(isMissing && !everyServiceRequired())(`plans on ${family}`, () => {
    if (isMissing) throw new Error(database.advice);
    let opened: Opened;
    let sent: Sent[];
    let source: QuerySource;
    const rules = new Map<Order['nulls'], CompiledQueryRules>();

    beforeAll(async () => {
      opened = await open(database.url);
      for (const sql of worldOf(family)) await opened.run(sql);
      const registry = await introspect(opened.connection);
      const listening = heard(opened.connection);
      sent = listening.sent;
      const { tables } = registry;
      source = sqlSource({ connection: listening.executor, registry, tables, model: 'items' });
      const shown = (...fields: string[]) => ({ allowed: fields, default: fields });
      for (const nulls of [null, 'first', 'last'] as const) {
        const compiled = defineQueryRules(
          registry,
          'items',
          {
            filters: ['kind', 'company.country', 'company.name', 'marks.label'].map((path) => ({
              path,
              operators: ['eq'] as const,
            })),
            sorts: [nulls ? { path: 'seenAt', nulls } : 'createdAt'],
            fields: {
              root: { allowed: ['id', 'note'], default: ['id'] },
              relations: { marks: shown('id', 'label') },
            },
            includes: ['marks'],
            pagination: { mode: 'both', count: 'none' },
          },
          { cursorKeys, maxChildren: 1, maxPerPage: 100_000 },
        );
        rules.set(nulls, compiled);
      }
    });
    afterAll(async () => {
      console.log(
        `\n${table(
          [`cells of ${family} that do more than a page`, 'reason'],
          exceptions
            .filter(({ families }) => families.includes(family))
            .map(({ cells, reason }) => [cells, reason]),
        )}`,
      );
      await opened?.close();
      await database.drop();
    });

    describe.each(orders.map((order) => ({ name: nameOf(order), order })))('$name', ({ order }) => {
      let all: Uint32Array;
      beforeAll(() => {
        all = orderedIds(order);
      });
      const ask = (filter: Filter, rest: string) => {
        const sort = `sort=${order.direction === 'asc' ? '' : '-'}${order.sort}`;
        const request = [sort, filter.request, rest].filter((part) => part !== '').join('&');
        return runQuery(source, request, rules.get(order.nulls) as CompiledQueryRules);
      };
      /** The request of a page, behind the cursor of the rows before it. */
      async function restOf({ filter, page }: Cell): Promise<string> {
        const { after, isBackwards } = page;
        const start = `perPage=${perPage}${page.request}`;
        if (page.offset > 0) return start;
        if (after === 0) return `${start}&cursor=`;
        const before = (await ask(filter, `perPage=${after}&cursor=`)) as KeysetResult;
        const next = `${start}&cursor=${before.nextCursor}`;
        if (!isBackwards) return next;
        const { prevCursor } = (await ask(filter, next)) as KeysetResult;
        return `${start}&cursor=${prevCursor}`;
      }

      it.each(filters)('$name', async (filter) => {
        const ids = filtered(all, filter);
        expect(Math.abs(ids.length - filter.rows)).toBeLessThanOrEqual(1);
        for (const page of pagesOf(filter)) {
          const cell = { order, filter, page };
          const rest = await restOf(cell);
          sent.length = 0;
          const withMarks = page.request.includes('includes');
          const { data } = await ask(filter, `${rest}&fields=id,note`);
          const expected = rowsOf(idsOf(ids, page), withMarks).map((row) => ({
            ...row,
            note: 'a note of this item',
          }));
          expect(data, `on ${page.name}`).toEqual(expected);
          const statements = sent.splice(0);
          expect(statements).toHaveLength(withMarks ? 2 : 1);
          const limit = limitOf(family, cell);
          const { after } = page;
          const isAmong = after > 0 && itemOf(ids[after - 1] ?? 0)[order.sort] !== null;
          for (const [at, statement] of statements.entries()) {
            for (const told of await opened.explained(statement, isAmong && at === 0)) {
              const about = `${statement.text}\n${told.text}`;
              expect(told.scans, `${page.name}: ${about}`).toEqual([]);
              for (const rows of told.sorted) {
                expect(rows, `${page.name}: ${about}`).toBeLessThanOrEqual(limit.sorted);
              }
              expect(told.read, `${page.name}: ${about}`).toBeLessThanOrEqual(limit.read);
            }
          }
        }
      });
    });
  });
}
