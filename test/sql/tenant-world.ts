/** Tables with the rows of two tenants, who refer to each other's rows, and what one of them may see. */

import { sqlTables } from '../../src/adapters/sql/index.ts';
import type { DatabaseFamily, ModelScopes, Predicate } from '../../src/index.ts';
import type { Opened } from './drivers.ts';

type Cell = string | number | null;
export interface StoredRow {
  readonly [column: string]: Cell;
}
/** The rows of all models, by model. */
export type Rows = { readonly [model in ModelName]: readonly StoredRow[] };

/** People of each tenant: more than a probe counts, and than a page deep in a list skips. */
export const people = 1_010;
/** Longer than what a cursor contains of a text. */
export const longText = 'x'.repeat(1_500);
export const states = ['new', 'open', 'done'] as const;

const text = {
  postgresql: 'varchar(1600) collate "C"',
  mysql: 'varchar(1600) collate utf8mb4_nopad_bin',
  sqlite: 'text',
} as const;
const general = 'varchar(9) character set utf8mb4 collate utf8mb4_general_ci';
/** Types of a key and of its references, and two texts that the database takes for equal. */
const codes = {
  postgresql: { types: ['numeric(6, 2)', 'numeric(6, 3)'], alike: ['1.50', '1.5'] },
  mysql: { types: [general, general], alike: ['Acme', 'ACME'] },
  sqlite: { types: ['text collate nocase', 'text collate nocase'], alike: ['Acme', 'ACME'] },
} as const;

export const models = [
  'firm',
  'person',
  'task',
  'step',
  'contact',
  'shop',
  'stock',
  'label',
] as const;
export type ModelName = (typeof models)[number];

/** Statements that create the tables; those of one tenant alone refer to rows that are not there. */
const tablesOf = (family: DatabaseFamily, refers: string): Record<ModelName | 'tagged', string> => {
  const [key, reference] = codes[family].types;
  const string = text[family];
  return {
    firm: `id integer not null primary key, tenant int not null, name ${string} not null`,
    person: `id integer not null primary key, tenant int not null, firm_id int, name ${string} not null, state ${string} not null, score int, note ${string}`,
    task: `id integer not null primary key, tenant int not null, person_id int not null ${refers}, lane int not null, title ${string} not null, kind ${string} not null`,
    step: `id integer not null primary key, tenant int not null, task_id int not null, lane int not null`,
    contact: `id integer not null primary key, tenant int not null, firm_id int, email ${string} not null`,
    shop: `code ${key} not null primary key, tenant int not null`,
    stock: `id integer not null primary key, tenant int not null, code ${reference} not null`,
    label: `id integer not null primary key, tenant int not null, name ${string} not null`,
    tagged: 'task_id int not null, label_id int not null',
  };
};

export const tables = (family: DatabaseFamily) => {
  const code = family === 'postgresql' ? 'numeric' : 'text';
  const firmId = { type: 'int', column: 'firm_id', nullable: true } as const;
  return sqlTables({
    firm: {
      table: 'firm',
      primaryKey: 'id',
      columns: { id: 'integer', tenant: 'int', name: 'text' },
    },
    person: {
      table: 'person',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        tenant: 'int',
        firmId,
        name: 'text',
        state: { type: 'text', kind: 'enum', enumValues: states },
        score: { type: 'int', nullable: true },
        note: { type: 'text', nullable: true },
      },
      relations: {
        firm: { one: 'firm', from: 'firmId' },
        contact: { one: 'contact', from: 'firmId', to: 'firmId' },
        tasks: { many: 'task', to: 'personId' },
      },
    },
    task: {
      table: 'task',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        tenant: 'int',
        personId: { type: 'int', column: 'person_id' },
        lane: 'int',
        title: 'text',
        kind: 'text',
      },
      relations: {
        person: { one: 'person', from: 'personId' },
        steps: { many: 'step', from: ['id', 'lane'], to: ['taskId', 'lane'] },
        labels: { many: 'label', through: { table: 'tagged', from: 'task_id', to: 'label_id' } },
      },
    },
    step: {
      table: 'step',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        tenant: 'int',
        taskId: { type: 'int', column: 'task_id' },
        lane: 'int',
      },
    },
    contact: {
      table: 'contact',
      primaryKey: 'id',
      columns: { id: 'integer', tenant: 'int', firmId, email: 'text' },
      relations: { firm: { one: 'firm', from: 'firmId' } },
    },
    shop: {
      table: 'shop',
      primaryKey: 'code',
      columns: { code, tenant: 'int' },
      relations: { stock: { many: 'stock', to: 'code' } },
    },
    stock: {
      table: 'stock',
      primaryKey: 'id',
      columns: { id: 'integer', tenant: 'int', code },
    },
    label: {
      table: 'label',
      primaryKey: 'id',
      columns: { id: 'integer', tenant: 'int', name: 'text' },
    },
  });
};

/** Tenants are 1 and 2; the rows of both alternate, and each seventh refers to a row of the other. */
const tenantOf = (id: number): number => 1 + (id % 2);
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

export function rowsOf(family: DatabaseFamily): Rows & { readonly tagged: readonly StoredRow[] } {
  const both = range(2 * people);
  const firms = 20;
  const near = (id: number, of: number): number => ((id - 1) % of) + 1;
  const crossing = (id: number, of: number): number => near(id % 7 ? id : id + 1, of);
  const [code, other] = codes[family].alike;
  return {
    firm: range(firms).map((id) => ({ id, tenant: tenantOf(id), name: `f${Math.ceil(id / 2)}` })),
    person: both.map((id) => ({
      id,
      tenant: tenantOf(id),
      firm_id: id % 11 ? crossing(id, firms) : null,
      name: `n${Math.ceil(id / 2) % 100}`,
      state: states[Math.ceil(id / 2) % 3] as string,
      score: Math.ceil(id / 2) % 3 ? Math.ceil(id / 2) % 50 : null,
      note: id <= 8 ? longText + id : null,
    })),
    task: both.map((id) => ({
      id,
      tenant: tenantOf(id),
      person_id: crossing(id, 60),
      lane: id % 3,
      title: `t${Math.ceil(id / 2)}`,
      kind: 'all',
    })),
    step: both.map((id) => ({
      id,
      tenant: tenantOf(id),
      task_id: crossing(id, 200),
      lane: id % 3,
    })),
    // The first contact of each firm belongs to the other tenant.
    contact: range(2 * firms).map((id) => ({
      id,
      tenant: tenantOf(id),
      firm_id: id <= firms ? near(id + 1, firms) : id === 2 * firms ? null : near(id, firms),
      email: `e${id}`,
    })),
    shop: [{ code, tenant: 1 }],
    stock: range(6).map((id) => ({ id, tenant: tenantOf(id), code: id > 2 ? other : code })),
    label: range(10).map((id) => ({ id, tenant: tenantOf(id), name: `l${Math.ceil(id / 2)}` })),
    tagged: both.map((id) => ({ task_id: id, label_id: crossing(id, 10) })),
  };
}

export interface Tenant {
  readonly tenant: number;
}
const is = (
  path: string,
  operator: 'eq' | 'isNull' | 'notIn',
  value: number | boolean | readonly string[],
) => ({ type: 'condition', path, operator, value }) as const;
const any = (...predicates: Predicate[]): Predicate => ({ type: 'or', predicates });

interface Scheme {
  readonly scopes: ModelScopes<Tenant>;
  /** Whether tenant 1 sees a row. */
  sees(model: string, row: StoredRow, all: Rows): boolean;
}

const ownColumn = ({ tenant }: Tenant) => is('tenant', 'eq', tenant);
const found = (rows: readonly StoredRow[], id: Cell | undefined): StoredRow | undefined =>
  rows.find((row) => row['id'] === id);

/** Ways of saying which rows are those of a tenant. */
export const schemes: { readonly [name: string]: Scheme } = {
  'columns of their own': {
    scopes: Object.fromEntries(models.map((model) => [model, ownColumn])),
    sees: (_model, row) => row['tenant'] === 1,
  },
  'relations, absent ones too': {
    scopes: {
      ...Object.fromEntries(models.map((model) => [model, ownColumn])),
      person: ({ tenant }: Tenant) => ({
        type: 'and',
        predicates: [
          any(is('firm.tenant', 'eq', tenant), is('firm', 'isNull', true)),
          is('firm.name', 'notIn', []),
        ],
      }),
      task: ({ tenant }: Tenant) =>
        any(is('person.firm.tenant', 'eq', tenant), is('person.firm', 'isNull', true)),
      contact: ({ tenant }: Tenant) => ({
        type: 'and',
        predicates: [is('tenant', 'eq', tenant), is('firm.name', 'notIn', [])],
      }),
    },
    sees(model, row, all) {
      const person = model === 'task' ? found(all.person, row['person_id']) : row;
      if (model !== 'task' && model !== 'person') return row['tenant'] === 1;
      const firm = found(all.firm, person?.['firm_id'] ?? undefined);
      return !firm || firm['tenant'] === 1;
    },
  },
};

const literal = (cell: Cell): string => (typeof cell === 'string' ? `'${cell}'` : String(cell));

/** Creates the tables with the rows; `refers` is the reference of tasks to people, which is enforced. */
export async function fill(
  { family, run }: Opened,
  rows: { readonly [table: string]: readonly StoredRow[] },
  isWhole: boolean,
): Promise<void> {
  const definitions = tablesOf(
    family,
    isWhole && family !== 'mysql' ? 'references person (id)' : '',
  );
  for (const [table, columns] of Object.entries(definitions)) {
    await run(`create table ${table} (${columns})`);
    const written = (rows[table] ?? []).map((row) => `(${Object.values(row).map(literal).join()})`);
    if (written.length > 0) await run(`insert into ${table} values ${written.join()}`);
  }
  for (const [table, column] of [
    ['task', 'person_id'],
    ['step', 'task_id'],
    ['contact', 'firm_id'],
    ['tagged', 'task_id'],
    ['tagged', 'label_id'],
  ]) {
    await run(`create index ${table}_${column} on ${table} (${column})`);
  }
  if (isWhole && family === 'mysql') {
    await run('alter table task add foreign key (person_id) references person (id)');
  }
}
