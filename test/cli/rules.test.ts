/** Pairs of rules and the changes between them, against what the rules themselves accept; and the command. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeRows } from '../../src/cli/rules/changes.ts';
import { compareDescriptions } from '../../src/cli/rules/compare.ts';
import { describeRules } from '../../src/client/index.ts';
import {
  type CompiledQueryRules,
  type FieldDescriptor,
  type FieldKind,
  type OperatorName,
  type PaginationRule,
  defineQueryRules,
  defineSchemaRegistry,
  planQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';

const field = (
  path: string,
  kind: FieldKind,
  more: Partial<FieldDescriptor> = {},
): FieldDescriptor => ({ path, kind, nullable: false, primaryKey: false, ...more });

/** The parts of rules that the pairs vary. */
interface Parts {
  readonly size: Partial<FieldDescriptor> & { readonly kind?: FieldKind };
  readonly states: readonly string[];
  readonly maker: 'one' | 'many';
  readonly filters: Readonly<Record<string, readonly OperatorName[]>>;
  readonly wholeDays: boolean;
  readonly sorts: readonly (string | { readonly path: string; readonly nulls: 'first' | 'last' })[];
  readonly allowed: readonly string[];
  readonly shown: readonly string[];
  readonly includes: readonly string[];
  readonly maxChildren: number | false;
  readonly search: readonly string[];
  readonly where?: boolean;
  readonly pagination: PaginationRule;
  readonly settings: object;
}

const usual: Parts = {
  size: {},
  states: ['new', 'used', 'gone'],
  maker: 'one',
  filters: { name: ['eq', 'in'], size: ['gte'], state: ['eq'], day: ['gte'], 'maker.name': ['eq'] },
  wholeDays: true,
  sorts: ['name', 'size', 'state'],
  allowed: ['id', 'name', 'size'],
  shown: ['id', 'name'],
  includes: ['maker', 'labels'],
  maxChildren: 20,
  search: ['name'],
  pagination: { mode: 'both' },
  settings: {},
};

function rulesWith(parts: Partial<Parts>): CompiledQueryRules {
  const all = { ...usual, ...parts };
  const id = field('id', 'integer', { primaryKey: true });
  const registry = defineSchemaRegistry([
    {
      model: 'article',
      primaryKey: ['id'],
      fields: [
        id,
        field('name', 'string'),
        field('size', all.size.kind ?? 'integer', { nullable: true, ...all.size }),
        field('state', 'enum', { enumValues: all.states }),
        field('day', 'datetime'),
      ],
      relations: [
        { path: 'maker', target: 'maker', cardinality: all.maker, nullable: false },
        { path: 'labels', target: 'label', cardinality: 'many', nullable: false },
      ],
    },
    { model: 'maker', primaryKey: ['id'], fields: [id, field('name', 'string')], relations: [] },
    { model: 'label', primaryKey: ['id'], fields: [id, field('text', 'string')], relations: [] },
  ]);
  const { maxChildren } = all;
  const relations = {
    maker: { allowed: ['id', 'name'], default: ['name'] },
    labels: { allowed: ['id', 'text'], default: ['text'], maxChildren },
  };
  const declaration = {
    filters: Object.entries(all.filters).map(([of, operators]) => ({
      path: of,
      operators,
      ...(of === 'day' && all.wholeDays && { wholeDays: true }),
    })),
    sorts: all.sorts,
    search: all.search,
    includes: all.includes,
    fields: {
      root: { allowed: all.allowed, default: all.shown },
      relations: Object.fromEntries(
        Object.entries(relations).filter(([of]) => all.includes.includes(of)),
      ),
    },
    pagination: all.pagination,
    ...(all.where && { where: true }),
  };
  const settings = { families: ['postgresql'], cursorKeys, ...all.settings };
  return defineQueryRules(registry, 'article', declaration as never, settings as never);
}

interface Pair {
  readonly name: string;
  readonly before?: Partial<Parts>;
  readonly after: Partial<Parts>;
  /** Names of the changes, with the path where there is one. */
  readonly changes: readonly string[];
  /** A request that the rules before accept, and those after refuse where the change breaks clients by a refusal. */
  readonly request?: string;
}

const { name: _name, ...withoutName } = usual.filters as Record<string, readonly OperatorName[]>;

const breaking: readonly Pair[] = [
  {
    name: 'a filter is gone',
    after: { filters: withoutName },
    changes: ['filter-removed name'],
    request: 'filter[name]=a',
  },
  {
    name: 'an operator is gone',
    after: { filters: { ...usual.filters, name: ['eq'] } },
    changes: ['operator-removed name'],
    request: 'filter[name][in]=a,b',
  },
  {
    name: 'a number is a text',
    after: { size: { kind: 'decimal' } },
    changes: ['kind-changed size'],
  },
  {
    name: 'a member is gone',
    after: { states: ['new', 'used'] },
    changes: ['member-removed state'],
    request: 'filter[state]=gone',
  },
  {
    name: 'members changed places under a sort',
    after: { states: ['used', 'new', 'gone'] },
    changes: ['members-reordered state'],
  },
  {
    name: 'a value may be null',
    before: { size: { nullable: false } },
    after: {},
    changes: ['null-possible size'],
  },
  {
    name: 'one related row became many',
    before: { includes: [] },
    after: { includes: [], maker: 'many' },
    changes: ['cardinality-changed maker.name'],
  },
  {
    name: 'whole days are gone',
    after: { wholeDays: false },
    changes: ['whole-days-removed day'],
    request: 'filter[day][gte]=2026-01-31',
  },
  {
    name: 'a sort is gone',
    after: { sorts: ['size', 'state'] },
    changes: ['sort-removed name'],
    request: 'sort=-name',
  },
  {
    name: 'nulls are elsewhere in the order',
    after: { sorts: ['name', { path: 'size', nulls: 'first' }, 'state'] },
    changes: ['null-order-changed size'],
  },
  {
    name: 'a field is gone',
    after: { allowed: ['id', 'name'], filters: { ...usual.filters, name: ['eq', 'in'] } },
    changes: ['field-removed size'],
    request: 'fields=size',
  },
  {
    name: 'a field is not shown unasked',
    after: { shown: ['id'] },
    changes: ['default-removed name'],
  },
  {
    name: 'an include is gone',
    after: { includes: ['maker'] },
    changes: ['include-removed labels'],
    request: 'includes=labels',
  },
  {
    name: 'rows show fewer children',
    after: { maxChildren: 5 },
    changes: ['limit-lowered labels.maxChildren'],
  },
  {
    name: 'the search looks into fewer texts',
    before: { search: ['name', 'maker.name'] },
    after: {},
    changes: ['search-removed maker.name'],
  },
  {
    name: 'filters do not come as one text any more',
    before: { where: true },
    after: {},
    changes: ['where-removed'],
    request: 'where=',
  },
  {
    name: 'cursors are gone',
    after: { pagination: { mode: 'offset' } },
    changes: ['pages-removed'],
    request: 'cursor=',
  },
  {
    name: 'a request without a cursor has a page by number',
    before: { pagination: { mode: 'keyset' } },
    after: {},
    changes: ['first-page-changed'],
  },
  {
    name: 'totals stop at a cap',
    after: { pagination: { mode: 'both', count: 'capped' } },
    changes: ['total-removed'],
  },
  {
    name: 'answers have a total in place of hasNextPage',
    before: { pagination: { mode: 'both', count: 'none' } },
    after: {},
    changes: ['next-page-removed'],
  },
  {
    name: 'all rows at once are refused',
    after: { settings: { allowUnpaginated: false } },
    changes: ['unpaginated-removed'],
    request: 'paginate=false',
  },
  {
    name: 'pages are smaller',
    after: { settings: { maxPerPage: 100 } },
    changes: ['limit-lowered maxPerPage', 'limit-lowered maxUnpaginatedRows'],
    request: 'perPage=500',
  },
  {
    name: 'fewer filters are taken',
    after: { settings: { limits: { maxFilters: 1 } } },
    changes: ['limit-lowered limits.maxFilters'],
    request: 'filter[name]=a&filter[size][gte]=1',
  },
];

const compatible: readonly Pair[] = [
  {
    name: 'nothing',
    after: {},
    changes: [],
    request: 'filter[name]=a&sort=-size&includes=labels&paginate=false',
  },
  {
    name: 'a filter and an operator are new',
    after: { filters: { ...usual.filters, name: ['eq', 'in', 'ne'], id: ['eq'] } },
    changes: ['operator-added name', 'filter-added id'],
    request: 'filter[name][in]=a,b',
  },
  {
    name: 'a member is new, between the others',
    after: { states: ['new', 'fair', 'used', 'gone'] },
    changes: ['member-added state'],
    request: 'filter[state]=gone',
  },
  {
    name: 'members that are not ordered changed places',
    before: { sorts: ['name'] },
    after: { sorts: ['name'], states: ['gone', 'used', 'new'] },
    changes: [],
  },
  {
    name: 'a value is never null',
    after: { size: { nullable: false } },
    changes: ['null-impossible size'],
    request: 'sort=size',
  },
  {
    name: 'a fixed place of nulls in an order without nulls',
    after: { sorts: [{ path: 'name', nulls: 'first' }, 'size', 'state'] },
    changes: [],
    request: 'sort=name',
  },
  {
    name: 'a field is shown, a sort, an include and a search are new',
    before: { includes: ['maker'], sorts: ['name'], search: [] },
    after: { includes: ['maker', 'labels'], sorts: ['name', 'id'], shown: ['id', 'name', 'size'] },
    changes: ['sort-added id', 'default-added size', 'include-added labels', 'search-added name'],
    request: 'sort=name&includes=maker',
  },
  {
    name: 'filters may come as one text',
    after: { where: true },
    changes: ['where-added'],
    request: 'filter[name]=a',
  },
  {
    name: 'pages by cursor, and limits are higher',
    before: { pagination: { mode: 'offset', count: 'capped' }, maxChildren: 5 },
    after: { maxChildren: false, settings: { maxPerPage: 900, defaultPerPage: 25 } },
    changes: [
      'limit-raised labels.maxChildren',
      'pages-added',
      'total-added',
      'limit-raised defaultPerPage',
      'limit-raised maxPerPage',
      'limit-raised maxUnpaginatedRows',
    ],
    request: 'page=2&perPage=500',
  },
];

const told = ({ before = {}, after }: Pair) =>
  compareDescriptions(describeRules(rulesWith(before)), describeRules(rulesWith(after)));
const named = (pair: Pair) =>
  told(pair).map((change) => [change.change, change.path].filter(Boolean).join(' '));
const accepts = (request: string, parts: Partial<Parts>) => () =>
  planQuery(request, rulesWith(parts));

describe('the changes between two descriptions', () => {
  it.each(breaking)('break clients where $name', (pair) => {
    expect(named(pair)).toEqual(pair.changes);
    expect(told(pair).every((change) => change.breaking)).toBe(true);
    if (pair.request === undefined) return;
    expect(accepts(pair.request, pair.before ?? {})).not.toThrow();
    expect(accepts(pair.request, pair.after)).toThrow();
  });

  it.each(compatible)('break none where $name', (pair) => {
    expect(named(pair)).toEqual(pair.changes);
    expect(told(pair).filter((change) => change.breaking)).toEqual([]);
    if (pair.request === undefined) return;
    expect(accepts(pair.request, pair.before ?? {})).not.toThrow();
    expect(accepts(pair.request, pair.after)).not.toThrow();
  });

  it('are on the page of compatibility, each with its effect', () => {
    const page = readFileSync(path.join(root, 'docs/compatibility.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (breaking|compatible) \| (.*) \|$/gm)];
    expect(rows.map(([, name, effect, meaning]) => [name, effect, meaning])).toEqual(
      Object.entries(changeRows).map(([name, [effect, meaning]]) => [
        name,
        effect,
        meaning.replace(/\b(paginate=false|hasNextPage)\b/g, '`$1`'),
      ]),
    );
  });
});

const root = path.join(import.meta.dirname, '../..');
const command = (...args: readonly string[]) =>
  spawnSync(process.execPath, [path.join(root, 'src/cli/main.ts'), 'rules', ...args], {
    encoding: 'utf8',
  });

describe('sluice rules', () => {
  let folder: string;
  const inFolder = (name: string) => path.join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sluice-rules-'));
    const own = JSON.stringify(pathToFileURL(path.join(root, 'src/index.ts')).href);
    const write = (file: string, operators: string) =>
      writeFileSync(
        inFolder(file),
        `import { defineQueryRules, defineSchemaRegistry } from ${own};
        const fields = [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }];
        const registry = defineSchemaRegistry([{ model: 'a', primaryKey: ['id'], fields, relations: [] }]);
        const of = (operators) => defineQueryRules(registry, 'a', {
          filters: [{ path: 'id', operators }],
          fields: { root: { allowed: ['id'], default: ['id'] } },
        });
        export const users = of(${operators});
        export const orders = of(['eq']);
        export const settings = { users };
        export const close = () => console.error('closed');`,
      );
    write('old.mjs', `['eq', 'gte']`);
    write('new.mjs', `['eq', 'in']`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes the rules that a module exports, and closes it', () => {
    const printed = command('export', inFolder('old.mjs'));
    expect([printed.stderr, printed.status]).toEqual(['closed\n', 0]);
    const written = JSON.parse(printed.stdout) as Record<string, { readonly filters: unknown[] }>;
    expect(Object.keys(written)).toEqual(['orders', 'users']);
    expect(written['users']?.filters).toEqual([
      expect.objectContaining({ path: 'id', operators: ['eq', 'gte'] }),
    ]);
    for (const name of ['old', 'new']) {
      const file = inFolder(`${name}.json`);
      expect(command('export', inFolder(`${name}.mjs`), '--out', file).status).toBe(0);
    }
    expect(JSON.parse(readFileSync(inFolder('old.json'), 'utf8'))).toEqual(written);
  });

  it('ends with 1 where a change breaks clients, and with 0 where none does', () => {
    const [before, after] = [inFolder('old.json'), inFolder('new.json')];
    const changes = command('diff', before, after);
    expect([changes.stderr, changes.status]).toEqual(['', 1]);
    expect(changes.stdout).toBe(
      `breaking    operator-removed    users id: gte (the operator is gone from the path)
compatible  operator-added      users id: in (the path takes the operator)
2 changes, 1 of them breaking.
`,
    );
    const { users, orders } = JSON.parse(readFileSync(before, 'utf8')) as Record<string, object>;
    writeFileSync(inFolder('users.json'), JSON.stringify({ users }));
    const json = command('diff', before, inFolder('users.json'), '--json');
    expect([JSON.parse(json.stdout), json.status]).toEqual([
      { breaking: true, changes: [{ list: 'orders', change: 'list-removed', breaking: true }] },
      1,
    ]);
    const added = command('diff', inFolder('users.json'), before);
    expect([added.status, added.stdout]).toEqual([0, expect.stringContaining('list-added')]);
    writeFileSync(inFolder('one.json'), JSON.stringify(orders));
    const same = command('diff', inFolder('one.json'), inFolder('one.json'), '--json');
    expect([JSON.parse(same.stdout), same.status]).toEqual([{ breaking: false, changes: [] }, 0]);
  });

  it.each([
    { args: [] },
    { args: ['diff', 'old.json'] },
    { args: ['diff', 'package.json', 'package.json'] },
    { args: ['diff', 'none.json', 'none.json'] },
    { args: ['diff', 'old.json', 'new.json', '--out', 'x'] },
    { args: ['export', 'none.mjs'] },
    { args: ['export', 'old.mjs', '--json'] },
    { args: ['export', 'old.mjs', '--colour'] },
    { args: ['export', 'empty.mjs'] },
  ])('refuses $args', ({ args }) => {
    writeFileSync(inFolder('package.json'), '{"name":"x"}');
    writeFileSync(inFolder('empty.mjs'), 'export const rules = {};');
    const files = args.map((arg) => (/\.\w+$/.test(arg) ? inFolder(arg) : arg));
    const refused = command(...files);
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/^sluice rules: /);
  });
});
