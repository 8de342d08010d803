/**
 * Every form of statement that the compiler writes, over the rows of two tenants: its answer is that of a database which
 * holds the rows of one of them alone.
 */

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SqlCustomize,
  type SqlExecutor,
  checkProfile,
  sqlRegistry,
  sqlSource,
} from '../../src/adapters/sql/index.ts';
import {
  type DatabaseFamily,
  type PaginationRule,
  type QuerySettings,
  type SchemaRegistry,
  defineQueryRules,
  planQuery,
  runQuery,
} from '../../src/index.ts';
import { encodeCursor } from '../../src/rules/plan/cursor/cursor.ts';
import { textHash } from '../../src/rules/plan/cursor/text-hash.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver } from './drivers.ts';
import { type Rows, fill, longText, models, rowsOf, schemes, tables } from './tenant-world.ts';
import { executorOf as sqlExecutor } from '../../src/adapters/sql/executors/recognise.ts';

/** A form: a request that is read in it, and what is in the text of its statement. */
interface Form {
  readonly request: string;
  /** The model of the list. Default: `person`. */
  readonly model?: 'person' | 'task' | 'shop';
  readonly pagination?: PaginationRule;
  readonly settings?: QuerySettings;
  readonly customize?: SqlCustomize;
  /** Whether clients can read and forge its cursors. */
  readonly isReadable?: true;
  /** Texts of the families that write the form. */
  readonly written: { readonly [family in DatabaseFamily]?: RegExp };
}

const all = (text: RegExp) => ({ postgresql: text, mysql: text, sqlite: text });
const keyset = { mode: 'keyset' } as const;
const capped = { count: { capped: 600 } } as const;
const unlimited = { maxChildren: false } as const;
const few = 'filter[tasks.title]=t9';
const most = 'filter[tasks.kind]=all';
const rowsOrSets = /^select case when .* then \(select count\(\*\) .* else \(select count\(\*\) /;
const probe = / limit 1 offset 1000\)/;
/** A page that begins at a row of the other tenant, as a client supposes its text to be. */
const forged = 'forged';

const forms: { readonly [form: string]: Form } = {
  'a list by number': { request: 'perPage=100&page=2', written: all(/ limit .* offset /) },
  'a count': { request: 'perPage=1', written: all(/count\(\*\).* from \S+ as/) },
  'a capped count': {
    request: 'perPage=1',
    pagination: capped,
    written: all(/count\(\*\).* from \(select 1/),
  },
  'a capped count of few': {
    request: `perPage=1&${few}`,
    pagination: capped,
    written: { mysql: /count\(\*\).* union all /, sqlite: rowsOrSets },
  },
  'a capped count of most': {
    request: `perPage=1&${most}`,
    pagination: capped,
    written: { mysql: /count\(\*\).* union all /, sqlite: rowsOrSets },
  },
  'a count by rows or by sets': {
    request: `perPage=1&${most}`,
    written: { sqlite: rowsOrSets },
  },
  'a count of rows without a relation': {
    request: 'perPage=1&filter[firm][isNull]=true',
    written: { sqlite: / in \(select .* from \(select distinct / },
  },
  'a count by sets': {
    request: 'perPage=1&filter[tasks.labels.name]=l3',
    written: { sqlite: /select count.* in \(select / },
  },
  'a complete list': {
    request: 'paginate=false&filter[firm.name]=f3',
    written: { ...all(/ left join /), sqlite: / inner join .firm/ },
  },
  'pages by cursor': {
    request: 'sort=-name&perPage=90&cursor=',
    pagination: keyset,
    written: all(/ order by .*name. desc/),
  },
  'a deep page': {
    request: 'sort=name&perPage=100&page=11',
    written: { postgresql: / cross join .person/, mysql: / cross join .person/ },
  },
  'a late lookup': {
    request: 'sort=firm.name&perPage=30',
    written: { mysql: / cross join .person/ },
  },
  'an order through a relation': {
    request: 'sort=-firm.name&perPage=30',
    written: all(/ join .firm/),
  },
  'an order through an enforced key': {
    request: 'sort=person.name&perPage=60&cursor=',
    model: 'task',
    pagination: keyset,
    written: all(/ join .person/),
  },
  'parts by null, by cursor': {
    request: 'sort=-score&perPage=200&cursor=',
    pagination: keyset,
    written: { postgresql: /"first part"/, mysql: / union all /, sqlite: / union all / },
  },
  'parts by the first value, in both directions': {
    request: 'sort=name,-firm.name&perPage=20&cursor=',
    pagination: keyset,
    written: { postgresql: /"second part".*\(select count\(\*\) from "first part"\) < / },
  },
  'parts by null, by number': {
    request: 'sort=-score&perPage=100&page=8',
    written: { postgresql: / as passed\)/ },
  },
  'parts by null, of which none tells the other its limit': {
    request: 'sort=score&perPage=100&page=3',
    written: { mysql: / as .o0., / },
  },
  'a probed page in parts by null': {
    request: `sort=-score&${most}&perPage=20&cursor=`,
    pagination: keyset,
    written: { mysql: / union all .* union all /, sqlite: / - \(select count\(\*\) from / },
  },
  'a probed page of few': {
    request: `sort=name&${few}&perPage=20`,
    written: { mysql: probe, sqlite: probe },
  },
  'a probed page of a text': {
    request: 'sort=score&filter[name][like]=n&perPage=20',
    written: { mysql: /sluice found/, sqlite: /sluice found/ },
  },
  'a probed page of rows that have a relation': {
    request: 'sort=name&filter[tasks][isNull]=false&perPage=20',
    written: { mysql: probe },
  },
  'a probed page of most': {
    request: `sort=name&${most}&perPage=20`,
    written: { mysql: probe, sqlite: probe },
  },
  'a probed page that its first rows may fill': {
    request: `sort=name&${most}&perPage=10`,
    written: { sqlite: / where met limit 1 offset / },
  },
  'a probed page deep in the list': {
    request: 'sort=score&filter[name][like]=n&perPage=100&page=11',
    written: { sqlite: /select count\(met\) from / },
  },
  'an empty list of exclusions, which rows without the relation meet': {
    request: 'sort=name&filter[firm.name][notIn]=&perPage=100',
    written: all(/ join .firm/),
  },
  'a merged page': {
    request: 'sort=-name&perPage=30&cursor=',
    pagination: { mode: 'keyset', mergeBy: 'state' },
    written: all(/ union all .* as .p2/),
  },
  'the first children': {
    request: 'includes=tasks&perPage=60',
    settings: { maxChildren: 3 },
    written: { postgresql: / cross join lateral /, mysql: / union all /, sqlite: / union all / },
  },
  'all children': {
    request: 'includes=tasks&perPage=60',
    settings: unlimited,
    written: {
      postgresql: / = any\(/,
      mysql: / in \(\?/,
      sqlite: / in \(select value from json_each/,
    },
  },
  'children of children, by two columns': {
    request: 'includes=tasks,tasks.steps&perPage=60',
    settings: unlimited,
    written: all(/lane.\) in \((?:values )?\(/),
  },
  'children through a join table': {
    request: 'includes=tasks,tasks.labels&perPage=60',
    written: all(/ inner join .tagged/),
  },
  'children by keys that are equal for the database alone': {
    request: 'includes=stock',
    model: 'shop',
    settings: unlimited,
    written: all(/ inner join \(select distinct /),
  },
  'children as asked for': {
    request:
      'include[tasks][filter][labels.name][like]=l&include[tasks][sort]=-title&include[tasks][perPage]=2&perPage=90',
    written: { ...all(/ like .* order by .*title/), sqlite: /order by .*title.* desc/ },
  },
  'values over a relation': {
    request:
      'fields=id,tasks.$count,tasks.$max.title.all&filter[tasks.$count][gte]=1&sort=-tasks.$count&perPage=90',
    written: all(/\(select count\(\*\) .* >= .* order by /),
  },
  'an include of one': { request: 'includes=firm&perPage=60', written: all(/ left join .firm/) },
  'an include of the first': {
    request: 'includes=contact&perPage=60&filter[contact.email][notLike]=e9',
    written: all(/ = \(select .* limit (?:1|\+\?)\)/),
  },
  'filters through one and many': {
    request: 'perPage=60&filter[firm.name]=f3&filter[tasks.title][like]=t1',
    written: all(/ exists \(select 1/),
  },
  'an alternative by the key of a related row': {
    request: `perPage=60&${[1, 2, 3, 4].map((id) => `filter[$or][${id}][firm.id]=${id}`).join('&')}`,
    written: all(/ = \(select \S+ from .firm. as .* limit 1\)/),
  },
  'filters through relations that are more than a planner can order': {
    request: `perPage=60&${Array.from({ length: 9 }, (_, at) => `filter[tasks.labels.name][notIn]=x${at}`).join('&')}`,
    written: { mysql: /\(select 1 .* limit 1\) is not null/ },
  },
  'a relation without a row': {
    request: 'perPage=60&filter[tasks][isNull]=true&filter[contact][isNull]=false',
    written: all(/not exists \(select 1/),
  },
  'a search': { request: 'perPage=60&search=f3', written: all(/ or /) },
  'a condition of the host': {
    request: 'perPage=60&filter[state]=new',
    customize: () => '1 = 0 or 1 = 1',
    written: all(/\(1 = 0 or 1 = 1\)/),
  },
  'the long text of a position': {
    request: forged,
    pagination: keyset,
    isReadable: true,
    written: all(/(?:select|\*\/) .person...note. from .person. as/),
  },
};

const filters = [
  'name',
  'state',
  'firm.name',
  'contact.email',
  'tasks.title',
  'tasks.kind',
  'tasks.labels.name',
].map((path) => ({
  path,
  operators: ['eq', 'in', 'notIn', ...(path === 'state' ? [] : ['like', 'notLike'])] as (
    | 'eq'
    | 'in'
  )[],
}));
const shown = (path: string) => ({ allowed: [path], default: [path] });
const declarations = {
  person: {
    filters: [
      ...filters,
      { path: 'tasks', operators: ['isNull'] },
      { path: 'contact', operators: ['isNull'] },
      { path: 'firm', operators: ['isNull'] },
      { path: 'firm.id', operators: ['eq'] },
      { path: 'tasks.$count', operators: ['gte'] },
    ],
    groups: { depth: 1, terms: 4 },
    aggregates: {
      tasks: {
        count: true,
        max: ['title'],
        where: { all: { type: 'condition', path: 'kind', operator: 'eq', value: 'all' } },
      },
    },
    children: {
      tasks: { filters: [{ path: 'labels.name', operators: ['like'] }], sorts: ['title'] },
    },
    sorts: ['name', 'firm.name', { path: 'score', nulls: 'last' }, 'tasks.$count'],
    search: ['name', 'firm.name', 'tasks.title'],
    fields: {
      root: { allowed: ['id', 'tasks.$count', 'tasks.$max.title.all'], default: ['id'] },
      relations: {
        firm: shown('id'),
        contact: shown('id'),
        tasks: shown('id'),
        'tasks.steps': shown('id'),
        'tasks.labels': shown('id'),
      },
    },
    includes: ['firm', 'contact', 'tasks', 'tasks.steps', 'tasks.labels'],
  },
  readable: { sorts: ['note'], fields: { root: { allowed: ['id', 'note'], default: ['id'] } } },
  task: { sorts: ['person.name'], fields: { root: shown('id') } },
  shop: {
    fields: { root: shown('tenant'), relations: { stock: shown('id') } },
    includes: ['stock'],
  },
} as const;

interface Page {
  readonly data: readonly unknown[];
  readonly nextCursor?: string | null;
  readonly prevCursor?: string | null;
}

/** A database with the statements that were sent to it. */
interface World {
  readonly opened: Opened;
  readonly sent: string[];
  answers(form: Form, registry: SchemaRegistry): Promise<unknown[]>;
}

/** The database of one tenant has no scopes. */
function worldOn(opened: Opened, scheme: (typeof schemes)[string], isWhole: boolean): World {
  const { family, connection } = opened;
  const sent: string[] = [];
  const inner = sqlExecutor(connection, { namedStatements: false });
  const heard: SqlExecutor = {
    family,
    channel: inner.channel,
    concurrent: false,
    server: inner.server,
    transaction: (body, timeoutMs) => inner.transaction(body, timeoutMs),
    run: (statement, values, stop) => {
      sent.push(statement.text);
      return inner.run(statement, values, stop);
    },
  };
  const declared = tables(family);
  return {
    opened,
    sent,
    async answers(
      { request, model = 'person', pagination = {}, settings = {}, customize, isReadable },
      registry,
    ) {
      const source = sqlSource({
        connection: heard,
        registry,
        tables: declared,
        model,
      });
      if (isWhole) await checkProfile(source);
      const rules = defineQueryRules(
        registry,
        model,
        { ...declarations[isReadable ? 'readable' : model], pagination },
        {
          families: [family],
          limits: { cost: 10_000 },
          ...(!isReadable && { cursorKeys }),
          ...settings,
          scopes: isWhole
            ? scheme.scopes
            : Object.fromEntries(models.map((each) => [each, 'unscoped'])),
        } as QuerySettings,
      );
      const ask = async (text: string): Promise<Page> =>
        (await runQuery(source, text, rules, {
          scope: { tenant: 1 },
          ...(customize && { customize }),
        })) as Page;
      const answers: unknown[] = [];
      const add = ({ nextCursor: _next, prevCursor: _prev, ...page }: Page) => answers.push(page);
      sent.length = 0;
      if (request === forged) {
        const { page } = planQuery('sort=note', rules, { scope: { tenant: 1 } });
        const binding = page.mode === 'keyset' ? page.binding : '';
        for (const supposed of [`${longText}1`, `${longText}1?`, `${longText}9`]) {
          const values = [[supposed.slice(0, 900), textHash(supposed)], '1'];
          const cursor = encodeCursor(rules, binding, 'after', false, values as never);
          add(await ask(`sort=note&perPage=20&cursor=${cursor}`));
        }
        return answers;
      }
      const first = await ask(request);
      add(first);
      // Two pages on, and back.
      let page = first;
      for (const way of ['nextCursor', 'nextCursor', 'prevCursor', 'prevCursor'] as const) {
        const cursor = page[way];
        if (typeof cursor !== 'string') break;
        page = await ask(request.replace(/cursor=$/, `cursor=${cursor}`));
        add(page);
      }
      return answers;
    },
  };
}

const usual = Object.values(schemes)[0];
const families = ['postgresql', 'mysql', 'sqlite'] as const;

describe.each(families)('the statements on %s', (family) => {
  describe.each(Object.keys(schemes))('for a tenant known by %s', (name) => {
    const scheme = schemes[name] as (typeof schemes)[string];
    let whole: World | undefined;
    let alone: World | undefined;

    beforeAll(async () => {
      const rows = rowsOf(family);
      const own = Object.fromEntries(
        models.map((model) => [
          model,
          (rows as Rows)[model].filter((row) => scheme.sees(model, row, rows)),
        ]),
      );
      for (const isWhole of [true, false]) {
        const database = await scratchDatabase(family, isWhole ? 'tenants' : 'tenant');
        if ('missing' in database) {
          if (everyServiceRequired()) throw new Error(database.advice);
          return;
        }
        const opened = openDriver(family, database);
        const world = worldOn(opened, scheme, isWhole);
        if (isWhole) whole = world;
        else alone = world;
        await fill(opened, isWhole ? rows : { ...own, tagged: rows.tagged }, isWhole);
      }
    });
    afterAll(async () => {
      await whole?.opened.close();
      await alone?.opened.close();
    });

    it.each(Object.keys(forms))('show no row, key or number of another one: %s', async (of) => {
      if (!whole || !alone) return;
      const form = forms[of] as Form;
      const registry: SchemaRegistry = sqlRegistry(tables(family), { families: [family] });
      const seen = await whole.answers(form, registry);
      const text = form.written[family];
      // Families may have another form for scopes with more relations.
      if (text && scheme === usual)
        expect(whole.sent.filter((sent) => text.test(sent))).not.toEqual([]);
      const meant = await alone.answers(form, registry);
      expect(meant[0]).not.toMatchObject({ data: [] });
      expect(seen).toEqual(meant);
    });
  });
});

/** The forms that each SELECT of the compiler's sources is a part of. */
const selects: { readonly [file: string]: readonly string[] } = {
  'aggregate-value.ts': ['values over a relation'],
  'child-statements.ts': [
    'children by keys that are equal for the database alone',
    'the first children',
    'all children',
  ],
  'compile-plan.ts': [
    'a capped count',
    'a list by number',
    'a capped count of few',
    'a capped count of most',
  ],
  'count-form.ts': ['a count by rows or by sets'],
  'first-row.ts': ['an include of the first'],
  'first-rows.ts': ['a probed page that its first rows may fill', 'a probed page deep in the list'],
  'merged-table.ts': ['a merged page'],
  'null-parts.ts': [
    'parts by null, by number',
    'parts by null, by number',
    'parts by null, by cursor',
    'parts by null, by cursor',
    'parts by null, by cursor',
    'parts by the first value, in both directions',
  ],
  'page-table.ts': [
    'parts by null, of which none tells the other its limit',
    'a probed page in parts by null',
  ],
  'predicate.ts': [
    'an alternative by the key of a related row',
    'a count by sets',
    'a count of rows without a relation',
    'a count of rows without a relation',
    'filters through relations that are more than a planner can order',
    'filters through one and many',
  ],
  'probed-parts.ts': [
    'a probed page of few',
    'a probed page of a text',
    'a probed page of rows that have a relation',
  ],
  'select-part.ts': ['a probed page of most'],
};

/** SELECTs over the members of one array, which read no table. */
const ofValues: { readonly [file: string]: number } = { 'array-members.ts': 2 };

/** SELECTs for joins of TypeORM, which the suites of scopes hold against the rows of a tenant on its entities. */
const ofEntities: { readonly [file: string]: number } = { 'asked-children.ts': 2 };

it('are all there are: each SELECT of the compiler belongs to a form', () => {
  const directory = new URL('../../src/relational/compile/', import.meta.url);
  const files = globSync('**/*.ts', { cwd: fileURLToPath(directory) }).toSorted();
  const found = files.flatMap((file) => {
    const source = readFileSync(new URL(file, directory), 'utf8');
    const count = source.match(/\bselect (?=['$*(1]|count|distinct)/g)?.length ?? 0;
    return count === 0 ? [] : [[basename(file), count]];
  });
  const known = [
    ...Object.entries(selects).map(([file, of]) => [file, of.length]),
    ...Object.entries(ofValues),
    ...Object.entries(ofEntities),
  ];
  expect(found.toSorted()).toEqual(known.toSorted());
  for (const form of Object.values(selects).flat()) expect(Object.keys(forms)).toContain(form);
});
