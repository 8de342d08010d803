/** The requests of the forms by Sluice, over `introspect`, and the indexes that their rules have a use for. */

import {
  type SqlConnection,
  type SqlTables,
  checkProfile,
  introspect,
  sqlRegistry,
  sqlSource,
} from '../../src/adapters/sql/index.ts';
import { type CompiledQueryRules, defineQueryRules, runQuery } from '../../src/index.ts';
import type { PhysicalModel } from '../../src/relational/compile/physical.ts';
import { readIndexUses } from '../../src/relational/profile/index.ts';
import { cursorBinding, encodeCursor } from '../../src/rules/plan/cursor/cursor.ts';
import { planParts } from '../../src/rules/plan/plan-query.ts';
import { planScopes } from '../../src/rules/plan/scopes.ts';
import { equality, folded, order, text as exact } from '../../test/matrix/corpus/rule.ts';
import { requestOf } from './conditions.ts';
import { type Cell, type Form, type RuleSet, perPage } from './forms.ts';
import type { Opened } from './open.ts';

const shown = (...allowed: string[]) => ({ allowed, default: allowed });

const text = [...exact, ...folded] as const;

/** The tables as the catalogue has them, with the kinds that it does not tell. */
export async function tablesOf({ family, connection }: Opened): Promise<SqlTables> {
  const { tables } = await introspect(connection as SqlConnection);
  const { items } = tables;
  if (!items) throw new Error('The tables are not there.');
  const members = ['open', 'failed', 'void', 'paid', 'done'];
  const told = {
    attrs: {
      type: { pg: 'jsonb', mysql: 'json', sqlite: 'text' }[family],
      kind: 'json' as const,
      paths: { ref: 'integer', size: 'integer', color: 'string' } as const,
    },
    ...(family !== 'pg' && {
      code: { type: family === 'mysql' ? 'char(36)' : 'text', kind: 'uuid' as const },
    }),
    ...(family === 'sqlite' && {
      state: { type: 'text', kind: 'enum' as const, enumValues: members },
      createdAt: {
        type: 'integer',
        column: 'created_at',
        kind: 'datetime' as const,
        storage: 'epoch-milliseconds' as const,
      },
      deletedAt: {
        type: 'integer',
        column: 'deleted_at',
        nullable: true,
        kind: 'datetime' as const,
        storage: 'epoch-milliseconds' as const,
      },
    }),
  };
  return { ...tables, items: { ...items, columns: { ...items.columns, ...told } } };
}

type Endpoints = {
  readonly [Key in Exclude<Cell, 'after' | 'deep'>]: CompiledQueryRules;
};

/** Everything that the forms of a family need. */
export async function requestsOf(opened: Opened, rows: number) {
  const { family } = opened;
  const connection = opened.connection as SqlConnection;
  const tables = await tablesOf(opened);
  const databaseFamily = ({ pg: 'postgresql', mysql: 'mysql', sqlite: 'sqlite' } as const)[family];
  const registry = sqlRegistry(tables, { families: [databaseFamily] });
  const isLast = family === 'pg';
  const amount = { asc: isLast ? 'first' : 'last', desc: isLast ? 'last' : 'first' } as const;
  const declared = (model: string, set: RuleSet, isDescending: boolean) => {
    const filters = [
      ...['name', 'code'].map((path) => ({ path, operators: [...equality, ...order, ...text] })),
      { path: 'state', operators: [...equality, ...text] },
      { path: 'amount', operators: [...equality, ...order, 'isNull'] },
      ...['big', 'price', 'score', 'day', 'createdAt'].map((path) => ({
        path,
        operators: [...equality, ...order],
      })),
      { path: 'active', operators: equality },
      { path: 'company', operators: ['isNull'] },
      { path: 'company.id', operators: ['gte'] },
      { path: 'company.name', operators: ['eq', 'like'] },
      { path: 'company.country.code', operators: ['eq', 'ne'] },
      { path: 'linesOf', operators: ['isNull'] },
      { path: 'linesOf.product', operators: ['eq', 'in'] },
      { path: 'linesOf.qty', operators: ['gte', 'ne'] },
      { path: 'tags.name', operators: ['eq'] },
      { path: 'tags.id', operators: ['gte'] },
      { path: 'attrs.ref', operators: ['eq'] },
      { path: 'attrs.size', operators: ['gte'] },
      { path: 'attrs.color', operators: ['eq', 'ne'] },
    ];
    const nulls = isDescending ? amount.desc : amount.asc;
    const ofModel = {
      items: {
        filters,
        search: ['name'],
        sorts: [
          'name',
          'big',
          'createdAt',
          'state',
          'company.name',
          set === 'nulls' ? { path: 'amount', nulls } : 'amount',
        ],
        includes: ['company', 'linesOf', 'tags'],
        fields: {
          root: shown('id', 'name', 'createdAt', 'state', 'amount', 'big'),
          relations: {
            company: shown('id', 'name'),
            linesOf: shown('id', 'product'),
            tags: shown('id', 'name'),
          },
        },
      },
      companies: {
        filters: [{ path: 'items.amount', operators: ['eq', 'gte'] }],
        includes: ['items'],
        fields: { root: shown('id', 'name'), relations: { items: shown('id', 'name') } },
      },
      linesOf: { fields: { root: shown('id', 'product') } },
    }[model];
    if (!ofModel) throw new Error(`There are no rules of ${model}.`);
    return ofModel;
  };
  const scopes = {
    items: ({ tenant }: { readonly tenant: number }) => ({
      type: 'condition' as const,
      path: 'tenantId',
      operator: 'eq' as const,
      value: tenant,
    }),
    linesOf: ({ tenant }: { readonly tenant: number }) => ({
      type: 'condition' as const,
      path: 'item.tenantId',
      operator: 'eq' as const,
      value: tenant,
    }),
    companies: 'unscoped' as const,
    countries: 'unscoped' as const,
    tags: 'unscoped' as const,
  };
  const endpoints = new Map<string, Endpoints>();
  const endpointsOf = (model: string, set: RuleSet, isDescending = false): Endpoints => {
    const key = `${model} ${set} ${isDescending}`;
    const known = endpoints.get(key);
    if (known) return known;
    const own = declared(model, set, isDescending);
    const made = (pagination: object): CompiledQueryRules =>
      defineQueryRules(
        registry as never,
        model as never,
        { ...own, pagination } as never,
        {
          cursorKeys: 'a secret that is only for benchmarks, of 32 characters',
          ...(set === 'scoped' && { scopes }),
        } as never,
      ) as unknown as CompiledQueryRules;
    const mergeBy = set === 'merged' && { mergeBy: 'state' };
    const found = {
      cursor: made({ mode: 'keyset', ...mergeBy }),
      page: made({ mode: 'offset', count: 'none' }),
      counted: made({ mode: 'offset', count: 'exact' }),
      capped: made({ mode: 'offset', count: 'capped' }),
    };
    endpoints.set(key, found);
    return found;
  };
  const restrictions: { readonly [set in RuleSet]?: PhysicalModel['restrictions'] } = {
    deleted: [{ column: 'deleted_at', isNull: true }],
    kind: [{ column: 'kind', values: ['book'] }],
  };
  const sources = new Map<string, ReturnType<typeof sqlSource>>();
  const sourceOf = (model: string, set: RuleSet) => {
    const key = `${model} ${set in restrictions ? set : ''}`;
    const known = sources.get(key);
    if (known) return known;
    // A registry of its own has descriptions of its own.
    const own = sqlRegistry(tables, { families: [databaseFamily] });
    const isOwn = set in restrictions;
    const source = sqlSource({
      connection,
      registry: (isOwn ? own : registry) as never,
      tables: isOwn ? structuredClone(tables) : tables,
      model: model as never,
    });
    // TypeORM gives a model its restrictions; they are set here as it does.
    const physical = source.describe.context.physical as Map<string, PhysicalModel>;
    const items = physical.get('items');
    if (isOwn && items) physical.set('items', { ...items, restrictions: restrictions[set] });
    sources.set(key, source as never);
    return source as unknown as ReturnType<typeof sqlSource>;
  };

  /** Creates the indexes that `sluice indexes` and `checkProfile` name, and returns their number. */
  const createIndexes = async (): Promise<number> => {
    let created = 0;
    const create = async (statement: string): Promise<void> => {
      const begun = performance.now();
      await opened.run(statement);
      created += 1;
      console.error(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${statement}`);
    };
    // An index of one list may serve another one.
    for (const model of ['items', 'companies', 'linesOf']) {
      const { cursor } = endpointsOf(model, 'plain');
      const source = sourceOf(model, 'plain');
      for (const { index, statement } of await readIndexUses(source as never, cursor)) {
        if (index === null) await create(statement);
      }
      for (const { rule, detail } of await checkProfile(source as never, cursor)) {
        if (rule === 'search-index' && /"name"/.test(detail) && model === 'items') {
          await create(detail.slice(detail.indexOf('create ext')));
        }
      }
    }
    return created;
  };

  const isDescending = ({ order: { sort } }: Form) => sort.startsWith('sort=-');

  /** The request of a cell, and what it answers. */
  const request = (form: Form, cell: Cell) => {
    const { model = 'items', rules: set = 'plain', condition, order: by } = form;
    const endpoint = endpointsOf(model, set, isDescending(form));
    const rules =
      cell === 'after' ? endpoint.cursor : cell === 'deep' ? endpoint.page : endpoint[cell];
    const fields = `fields=id,${form.shown?.join() ?? 'name'}`;
    const path = [
      form.request,
      requestOf(condition, rows),
      form.request?.includes('sort=') ? '' : by.sort,
      form.request?.includes('includes=') ? '' : fields,
      `perPage=${perPage}`,
    ];
    const base = path.filter(Boolean).join('&');
    const scope = set === 'scoped' ? { tenant: 7 } : undefined;
    let query = `${base}&page=${cell === 'deep' ? 5000 : 3}`;
    if (cell === 'cursor') query = `${base}&cursor=`;
    if (cell === 'after') {
      const first = `${base}&cursor=`;
      const { order: terms, conditions } = planParts(first, rules);
      const binding = cursorBinding(rules, terms, conditions, planScopes(rules, scope));
      const values = by.position(rows).map(({ text }) => text);
      query = `${base}&cursor=${encodeCursor(rules, binding, 'after', false, values)}`;
    }
    const source = sourceOf(model, set);
    return () =>
      runQuery(
        source as never,
        query,
        rules as never,
        {
          timeoutMs: 20_000,
          ...(scope && { scope }),
        } as never,
      ) as Promise<{
        readonly data: readonly { readonly id: number }[];
        readonly total?: number;
      }>;
  };
  return { createIndexes, request };
}
