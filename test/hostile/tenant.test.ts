/** A tenant's condition added by `transformPlan` is never widened: whatever a client sends, the answer is a subset. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryError, runQuery } from '../../src/index.ts';
import type { ListRequestInput, Predicate, QueryPlan } from '../../src/index.ts';
import { legalRequest } from '../matrix/legal-request.ts';
import { holds, shareOf } from '../seed.ts';
import { allEndpoints, openedCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';
import { hostileRequest } from './requests.ts';
import { firms, labels, notes, people } from './world.ts';

const tenant = 2;
const members = people.filter(({ firmId }) => firmId === tenant);

/** What the client may filter by, and what it may not even name: both hold the tenant. */
const conditions: { readonly [name: string]: Predicate } = {
  'a field that no rule names': condition('firmId', 'eq', tenant),
  'a path through a relation': condition('firm.id', 'in', [tenant]),
  'a tree': {
    type: 'or',
    predicates: [
      {
        type: 'and',
        predicates: [condition('firmId', 'gte', tenant), condition('firmId', 'lte', tenant)],
      },
      { type: 'or', predicates: [] },
    ],
  },
};

function condition(path: string, operator: 'eq' | 'in' | 'gte' | 'lte', value: number | number[]) {
  return { type: 'condition', path, operator, value } as const;
}

/** The hook as hosts write it: what the client asked, and the tenant's condition. */
const within =
  (added: Predicate) =>
  (plan: QueryPlan): QueryPlan => ({
    ...plan,
    where: { type: 'and', predicates: [...(plan.where ? [plan.where] : []), added] },
  });

/** Values that legal requests are made of: those of every row, other tenants' above all. */
const world = {
  rows: new Map(
    Object.entries({ person: people, firm: firms, note: notes, label: labels }).map(
      ([model, rows]) => [
        model,
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([path, value]) => [
              path,
              value === null ? null : textOf(value),
            ]),
          ),
        ),
      ],
    ),
  ),
  joins: new Map(),
};

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

type Shown = { readonly [field: string]: unknown };

/** Whether a shown row is one of the tenant's, by whatever of it is shown as it is stored. */
const belongs = (row: Shown): boolean =>
  members.some((member) =>
    (['id', 'name', 'nick', 'age', 'code', 'role', 'active', 'born'] as const).every(
      (path) => !(path in row) || row[path] === member[path],
    ),
  );

interface Page {
  readonly data: readonly Shown[];
  readonly total?: number;
  readonly nextCursor?: string | null;
}

async function ask(
  { source, rules }: HostileCell,
  request: ListRequestInput,
  added: Predicate | null,
): Promise<Page | null> {
  try {
    const options = added ? { transformPlan: within(added) } : {};
    return (await runQuery(source, request, rules, options)) as unknown as Page;
  } catch (error) {
    if (error instanceof QueryError && error.status === 400) return null;
    throw error;
  }
}

function expectTenant(page: Page, request: string): void {
  const strangers = page.data.filter((row) => !belongs(row));
  expect([request, strangers]).toEqual([request, []]);
  expect(page.data.length).toBeLessThanOrEqual(members.length);
  expect(page.total ?? 0).toBeLessThanOrEqual(members.length);
}

describe.each(allEndpoints)("a tenant's condition through $name", (endpoint) => {
  const cell = openedCell(endpoint);

  it.for(Object.keys(conditions))(
    'is kept by every legal request, as %s',
    { timeout: 300_000 },
    async (name, context) => {
      const here = cell() ?? context.skip('no server');
      const added = conditions[name] ?? null;
      let answered = 0;
      await holds(
        fc.asyncProperty(legalRequest(world, here.rules), async (request) => {
          const page = await ask(here, request, added);
          if (!page) return;
          answered += page.data.length;
          expectTenant(page, request);
        }),
        200,
      );
      expect(answered).toBeGreaterThan(shareOf(30));
    },
  );

  it('that no row meets excludes every row, and one that all rows meet excludes none', async (context) => {
    const here = cell() ?? context.skip('no server');
    const nobody: Predicate = { type: 'or', predicates: [] };
    const everybody: Predicate = {
      type: 'or',
      predicates: [{ type: 'and', predicates: [] }, condition('firmId', 'eq', tenant), nobody],
    };
    const requests = ['', 'search=a', 'filter[name][ne]=x', 'search=a&filter[role][ne]=admin'];
    for (const request of requests.flatMap((one) => [one, `${one}&cursor=`, `${one}&sort=-name`])) {
      expect([request, (await ask(here, request, nobody))?.data]).toEqual([request, []]);
      const all = await ask(here, request, null);
      expect([request, await ask(here, request, everybody)]).toEqual([request, all]);
      expect(all?.data.length).toBeGreaterThan(0);
    }
  });

  it('is kept by every hostile request', { timeout: 300_000 }, async (context) => {
    const here = cell() ?? context.skip('no server');
    const added = conditions['a field that no rule names'] ?? null;
    let answered = 0;
    await holds(
      fc.asyncProperty(hostileRequest, async ({ input }) => {
        const page = await ask(here, input, added);
        if (!page) return;
        answered += page.data.length;
        expectTenant(page, fc.stringify(input));
      }),
      600,
    );
    expect(answered).toBeGreaterThan(shareOf(30));
  });

  it('is kept behind cursors that were made outside of it', async (context) => {
    const here = cell() ?? context.skip('no server');
    const added = conditions['a field that no rule names'] ?? null;
    for (const sort of ['id', '-name', '-age', 'firm.name', 'seenAt']) {
      let cursor: string | null | undefined = '';
      while (typeof cursor === 'string') {
        const request: string = `sort=${sort}&perPage=1&cursor=${cursor}`;
        const page = await ask(here, request, added);
        if (page) expectTenant(page, request);
        cursor = (await ask(here, request, null))?.nextCursor;
      }
    }
  });
});
