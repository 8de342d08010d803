/**
 * A tenant's condition is never widened: whatever a client sends, the answer is a subset. `transformPlan` limits the root
 * rows, scopes limit the rows of every model.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryError, runQuery } from '../../src/index.ts';
import type {
  CompiledQueryRules,
  ListRequestInput,
  ModelScopes,
  Predicate,
  QueryPlan,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { legalRequest } from '../matrix/legal-request.ts';
import { holds, shareOf } from '../seed.ts';
import { allEndpoints, openedCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';
import { hostileRequest } from './requests.ts';
import { hostileRules } from './rules.ts';
import { firms, labels, notes, people } from './world.ts';

const tenant = 2;
const members = people.filter(({ firmId }) => firmId === tenant);

/** A field that the client may filter by, and one that it may not name: both hold the tenant. */
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

function conditionsAreKept(cell: () => HostileCell | undefined): void {
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
}

interface Tenant {
  readonly tenant: number;
}

/** The rows of a firm: its members, their notes, and itself. */
const scopes: ModelScopes<Tenant> = {
  person: ({ tenant }) => condition('firmId', 'eq', tenant),
  firm: ({ tenant }) => condition('id', 'eq', tenant),
  note: ({ tenant }) => condition('person.firmId', 'eq', tenant),
  label: 'unscoped',
};

const ownNotes = notes.filter(({ personId }) => members.some(({ id }) => id === personId));

interface ShownPerson extends Shown {
  readonly firm?: { readonly id?: number; readonly name?: string } | null;
  readonly notes?: readonly (Shown & { readonly person?: Shown | null })[];
}

/** Whatever of an answer is not the tenant's, at any depth. */
function foreignParts({ data }: Page): unknown[] {
  return (data as readonly ShownPerson[]).flatMap((row) => [
    ...(belongs(row) ? [] : [row]),
    ...(row.firm && (row.firm.id ?? tenant) !== tenant ? [row.firm] : []),
    ...(row.firm?.name === firms[0]?.name ? [row.firm] : []),
    ...(row.notes ?? []).flatMap((note) => [
      ...(ownNotes.some(
        ({ id, text }) => (note['id'] ?? id) === id && (note['text'] ?? text) === text,
      )
        ? []
        : [note]),
      ...(note.person === undefined || (note.person && belongs(note.person)) ? [] : [note.person]),
    ]),
  ]);
}

function scopesAreKept(cell: () => HostileCell | undefined): void {
  const compiled = new WeakMap<HostileCell, CompiledQueryRules>();
  const rulesOf = (of: HostileCell): CompiledQueryRules => {
    const rules = compiled.get(of) ?? hostileRules(of.rules.registry, cursorKeys, scopes);
    compiled.set(of, rules);
    return rules;
  };
  async function within(of: HostileCell, request: ListRequestInput, as: number = tenant) {
    try {
      const scope = { tenant: as };
      return (await runQuery(of.source, request, rulesOf(of), { scope })) as unknown as Page;
    } catch (error) {
      if (error instanceof QueryError && error.status === 400) return error.code;
      throw error;
    }
  }
  const expectOwn = (page: Page | string, request: string): number => {
    if (typeof page === 'string') return 0;
    expect([request, foreignParts(page)]).toEqual([request, []]);
    expect(page.total ?? 0).toBeLessThanOrEqual(members.length);
    return page.data.length;
  };

  it('are kept by every legal and every hostile request', { timeout: 300_000 }, async (context) => {
    const here = cell() ?? context.skip('no server');
    let answered = 0;
    const requests = fc.oneof(
      legalRequest(world, here.rules),
      hostileRequest.map(({ input }) => input),
    );
    await holds(
      fc.asyncProperty(requests, async (request) => {
        answered += expectOwn(await within(here, request), fc.stringify(request));
      }),
      600,
    );
    expect(answered).toBeGreaterThan(shareOf(30));
  });

  it('are not an oracle: a filter, a sort and a search see nothing of another tenant', async (context) => {
    const here = cell() ?? context.skip('no server');
    const strangers = people.filter(({ firmId }) => firmId !== tenant);
    const totalOf = async (request: string) => {
      const page = await within(here, request);
      return typeof page === 'string' ? page : page.total;
    };
    const foreign = notes.filter((note) => !ownNotes.includes(note));
    for (const { text } of foreign) {
      const term = encodeURIComponent(text);
      expect(await totalOf(`filter[notes.text][eq]=${term}`)).toBe(0);
      expect(await totalOf(`search=${term}`)).toBe(0);
    }
    for (const { name } of firms.slice(0, tenant - 1)) {
      expect(await totalOf(`filter[firm.name][like]=${encodeURIComponent(name)}`)).toBe(0);
    }
    for (const { name, id } of strangers) {
      expect(await totalOf(`filter[name]=${encodeURIComponent(name)}`)).toBe(0);
      expect(await totalOf(`filter[id]=${id}`)).toBe(0);
    }
    expect(await totalOf('filter[firm][isNull]=true')).toBe(0);
    expect(await totalOf('')).toBe(members.length);
  });

  it('refuse cursors of another tenant, whose own pages are whole', async (context) => {
    const here = cell() ?? context.skip('no server');
    for (const sort of ['id', '-name', '-age', 'firm.name', 'seenAt']) {
      for (const own of [1, 2]) {
        const ids: unknown[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const request: string = `sort=${sort}&fields=id&perPage=1&cursor=${cursor}`;
          const page = await within(here, request, own);
          if (typeof page === 'string') throw new Error(page);
          ids.push(...page.data.map((row) => row['id']));
          cursor = page.nextCursor ?? null;
          if (cursor !== null) {
            const other = `sort=${sort}&fields=id&perPage=1&cursor=${cursor}`;
            expect(await within(here, other, 3 - own)).toBe('CURSOR_INVALID');
          }
        }
        const due = people.filter(({ firmId }) => firmId === own).map(({ id }) => id);
        expect(ids.toSorted()).toEqual(due);
      }
    }
  });

  it('are required', async (context) => {
    const here = cell() ?? context.skip('no server');
    await expect(runQuery(here.source, '', rulesOf(here))).rejects.toMatchObject({
      code: 'SCOPE_MISSING',
      status: 500,
    });
  });
}

describe.each(allEndpoints)('through $name', (endpoint) => {
  const cell = openedCell(endpoint);

  describe("a tenant's condition", () => {
    conditionsAreKept(cell);
  });
  describe('the scopes of a tenant', () => {
    scopesAreKept(cell);
  });
});
