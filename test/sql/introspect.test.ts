/** A registry read from the catalogue of each database, and lists over it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import type { IntrospectedRegistry, SqlConnection } from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, QueryError, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver, runScript } from './drivers.ts';

const mood: { readonly [family in DatabaseFamily]: string } = {
  postgresql: 'mood',
  mysql: "enum('so so','it''s fine')",
  sqlite: 'text',
};

/** A realistic schema: composite keys, self references, views, keys of every kind. */
const script = (family: DatabaseFamily): string[] => [
  ...(family === 'postgresql' ? [`create type mood as enum ('so so', 'it''s fine')`] : []),
  `create table departments (id int primary key, dept_name varchar(80) not null)`,
  `create table employees (
     id int primary key, full_name varchar(80) not null, mood ${mood[family]},
     salary numeric(10, 2), ${family === 'postgresql' ? 'active boolean' : 'active tinyint(1)'} not null,
     location ${family === 'mysql' ? 'point' : family === 'postgresql' ? 'point' : 'real'},
     data ${family === 'postgresql' ? 'jsonb' : 'json'},
     manager_id int, "DepartmentID" int not null,
     foreign key (manager_id) references employees (id), foreign key (manager_id) references employees (id),
     foreign key ("DepartmentID") references departments (id))`,
  `create table badges (employee_id int primary key, code varchar(20) not null unique,
     foreign key (employee_id) references employees (id))`,
  `create table order_lines (order_id int not null, line_no int not null, sold_by int not null, packed_by int,
     primary key (order_id, line_no),
     foreign key (sold_by) references employees (id), foreign key (packed_by) references employees (id))`,
  `create table notes (id int primary key, order_id int not null, line_no int not null, body varchar(80) not null,
     foreign key (order_id, line_no) references order_lines (order_id, line_no))`,
  `create table skills (id int primary key, name varchar(80) not null)`,
  `create table employee_skills (employee_id int not null, skill_id int not null,
     primary key (employee_id, skill_id),
     foreign key (employee_id) references employees (id), foreign key (skill_id) references skills (id),
     constraint same_skill foreign key (skill_id) references skills (id))`,
  `create table follows (follower_id int not null, followee_id int not null,
     primary key (follower_id, followee_id),
     foreign key (follower_id) references employees (id), foreign key (followee_id) references employees (id))`,
  `create table audit (at varchar(20), what varchar(80))`,
  `create view active_employees as select id from employees`,
  `create view staff_list as select e.id as staff_id, e.full_name, e.mood, d.dept_name
     from employees e join departments d on d.id = e."DepartmentID"`,
  `create ${family === 'postgresql' ? 'materialized ' : ''}view skill_counts as
     select s.employee_id, s.skill_id, count(*) as times from employee_skills s group by s.employee_id, s.skill_id`,
  `insert into departments values (1, 'Sales')`,
  `insert into employees (id, full_name, mood, active, manager_id, "DepartmentID") values
     (1, 'Ada', 'so so', ${family === 'postgresql' ? 'true' : '1'}, null, 1), (2, 'Bo', 'it''s fine', ${family === 'postgresql' ? 'false' : '0'}, 1, 1)`,
  `insert into badges values (2, 'b-2')`,
  `insert into order_lines values (7, 1, 1, 2), (7, 2, 2, null)`,
  `insert into notes values (1, 7, 2, 'fragile')`,
  `insert into skills values (1, 'Sums')`,
  `insert into employee_skills values (2, 1)`,
  `insert into follows values (2, 1)`,
  ...(family === 'postgresql' ? ['refresh materialized view skill_counts'] : []),
  // PostgreSQL refuses to drop a table that a view reads.
  ...(family === 'postgresql'
    ? []
    : [
        'create table gone (id int)',
        'create view broken as select id from gone',
        'drop table gone',
      ]),
];

const families: readonly DatabaseFamily[] = ['postgresql', 'mysql', 'sqlite'];

describe.each(families)('a catalogue of %s', (family) => {
  let opened: Opened | undefined;
  let connection: SqlConnection;
  let registry: IntrospectedRegistry;

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'introspect');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    opened = openDriver(family, database);
    ({ connection } = opened);
    await runScript(opened, script(family));
    registry = await introspect(connection);
  });
  afterAll(() => opened?.close());

  const relationsOf = (model: string) =>
    Object.fromEntries(
      (registry.get(model)?.relations ?? []).map(({ path, target, cardinality, nullable }) => [
        path,
        `${cardinality} ${target}${nullable ? '?' : ''}`,
      ]),
    );

  it('has a model for each table with a primary key', (context) => {
    if (!opened) return context.skip();
    expect([...registry.keys()].toSorted()).toEqual([
      'badges',
      'departments',
      'employees',
      'notes',
      'orderLines',
      'skills',
    ]);
    const reason = 'it is a view without a key in "keys"';
    const views = ['active_employees', 'skill_counts', 'staff_list'].map((table) => ({
      table,
      reason,
    }));
    const location = {
      table: 'employees',
      column: 'location',
      reason: 'its type "point" does not determine a kind: it is only shown',
    };
    const opaque = family === 'sqlite' ? [] : [location];
    const skipped = registry.skipped.filter(({ table }) => table !== 'broken');
    expect(skipped).toHaveLength(4 + opaque.length);
    expect(skipped).toEqual(
      expect.arrayContaining([
        ...views,
        { table: 'audit', reason: 'it has no primary key' },
        ...opaque,
      ]),
    );
    expect(() => defineQueryRules(registry, 'audit', { fields: 'all' })).toThrow(
      'The registry has no model "audit", because it has no primary key.',
    );
    expect(registry.get('orderLines')?.primaryKey).toEqual(['orderId', 'lineNo']);
  });

  it('knows the unique keys, over which relations are plain joins', async (context) => {
    if (!opened) return context.skip();
    expect(registry.tables['badges']).toMatchObject({ uniqueKeys: [['code']] });
    expect(registry.firstRows).toEqual([]);
    // A part of a key is not unique.
    await runScript(opened, [
      `create table owners (id integer not null primary key)`,
      `create table shares (owner_id integer not null, no int not null, primary key (owner_id, no), foreign key (owner_id) references owners (id))`,
    ]);
    const parts = await introspect(connection, { tables: ['owners', 'shares'] });
    expect(parts.tables['owners']).toMatchObject({ relations: { shares: { many: 'shares' } } });
    if (family === 'postgresql') {
      // Rows of an open transaction may break a deferrable key.
      await runScript(opened, [
        `create table seats (id int primary key deferrable, place int not null unique deferrable, code int not null unique)`,
      ]);
      const { tables: seats } = await introspect(connection, { tables: ['seats'] });
      expect(seats['seats']).toMatchObject({ primaryKey: ['id'], uniqueKeys: [['code']] });
    }
    // An expression may tell rows apart that are alike in the columns of the index. MariaDB has no such index.
    const expression = family === 'mysql' ? '(lower(name))' : 'lower(name)';
    await runScript(opened, [
      `create table tags (id integer not null primary key, place int, name varchar(20))`,
    ]);
    await runScript(opened, [`create unique index tags_of on tags (place, ${expression})`]).catch(
      () => expect(family).toBe('mysql'),
    );
    const tags = await introspect(connection, { tables: ['tags'] });
    expect(tags.tables['tags']).not.toHaveProperty('uniqueKeys');
    if (family !== 'sqlite') return;
    // SQLite alone has a foreign key to any columns.
    await runScript(opened, [
      `create table sites (id integer not null primary key, code text)`,
      `create table doors (id integer not null primary key, site text, foreign key (site) references sites (code))`,
    ]);
    const tables = ['sites', 'doors'];
    const { firstRows } = await introspect(connection, { tables });
    expect(firstRows).toEqual([
      { relation: 'doors.sites', reason: 'table sites has no unique index on its columns code' },
    ]);
    await expect(introspect(connection, { tables, strict: true })).rejects.toThrow('doors.sites');
  });

  it('answers patterns under a collation that has none with 400', async (context) => {
    if (!opened || family !== 'postgresql') return context.skip();
    await runScript(opened, [
      `create collation no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      `create table labels (name text collate no_case primary key)`,
      `insert into labels values ('Red'), ('blue')`,
    ]);
    const labels = await introspect(connection, { tables: ['labels'] });
    const source = sqlSource({
      connection,
      registry: labels,
      tables: labels.tables,
      model: 'labels',
    });
    const rules = defineQueryRules(
      labels,
      'labels',
      {
        filters: [{ path: 'name', operators: ['eq', 'like', 'ilike'] }],
        fields: { root: { allowed: ['name'], default: ['name'] } },
      },
      { families: [family] },
    );
    const found = await runQuery(source, 'filter[name]=RED', rules);
    expect(found.data).toEqual([{ name: 'Red' }]);
    for (const operator of ['like', 'ilike']) {
      // PostgreSQL 18 has patterns for every collation.
      const answer = await runQuery(source, `filter[name][${operator}]=Red`, rules).then(
        ({ data }) => data,
        (error: unknown) => error,
      );
      if (!Array.isArray(answer)) {
        expect(answer).toMatchObject({ status: 400, code: 'CAPABILITY_UNAVAILABLE' });
      }
    }
  });

  it('has fields with kinds, nulls and members', (context) => {
    if (!opened) return context.skip();
    const fields = Object.fromEntries(
      (registry.get('employees')?.fields ?? []).map(({ path, kind, nullable }) => [
        path,
        `${kind}${nullable ? '?' : ''}`,
      ]),
    );
    expect(fields).toEqual({
      id: 'integer',
      fullName: 'string',
      mood: family === 'sqlite' ? 'string?' : 'enum?',
      salary: 'decimal?',
      active: 'boolean',
      data: 'json?',
      managerId: 'integer?',
      departmentID: 'integer',
      location: family === 'sqlite' ? 'float?' : 'opaque?',
    });
    const members = registry.get('employees')?.fields.find(({ path }) => path === 'mood');
    if (family !== 'sqlite') expect(members?.enumValues).toEqual(['so so', "it's fine"]);
  });

  it('has relations in both directions, through join tables, and with distinct names', (context) => {
    if (!opened) return context.skip();
    expect(relationsOf('employees')).toEqual({
      manager: 'one employees?',
      department: 'one departments',
      employeesByManager: 'many employees',
      badges: 'one badges?',
      orderLinesBySoldBy: 'many orderLines',
      orderLinesByPackedBy: 'many orderLines',
      skills: 'many skills',
      followers: 'many employees',
      followees: 'many employees',
    });
    expect(relationsOf('orderLines')).toEqual({
      soldByEmployees: 'one employees',
      packedByEmployees: 'one employees?',
      notes: 'many notes',
    });
    expect(relationsOf('notes')).toEqual({ orderLines: 'one orderLines' });
    expect(relationsOf('skills')).toEqual({ employees: 'many employees' });
  });

  it('serves lists', async (context) => {
    if (!opened) return context.skip();
    const rules = defineQueryRules(registry, 'employees', {
      filters: [
        { path: 'skills.name', operators: ['eq'] },
        { path: 'department.deptName', operators: ['eq'] },
      ],
      sorts: ['id'],
      includes: ['badges', 'skills', 'followees', 'orderLinesBySoldBy', 'orderLinesBySoldBy.notes'],
      fields: {
        root: { allowed: ['id', 'mood', 'active'], default: ['id', 'mood', 'active'] },
        relations: {
          badges: { allowed: ['code'], default: ['code'] },
          skills: { allowed: ['name'], default: ['name'] },
          followees: { allowed: ['fullName'], default: ['fullName'] },
          orderLinesBySoldBy: { allowed: ['lineNo'], default: ['lineNo'] },
          'orderLinesBySoldBy.notes': { allowed: ['body'], default: ['body'] },
        },
      },
    });
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'employees' });
    const request =
      'filter[department.deptName]=Sales&filter[skills.name]=Sums&includes=badges,skills,followees,orderLinesBySoldBy,orderLinesBySoldBy.notes';
    expect(await runQuery(source, request, rules)).toMatchObject({
      data: [
        {
          id: 2,
          mood: "it's fine",
          active: false,
          badges: { code: 'b-2' },
          skills: [{ name: 'Sums' }],
          followees: [{ fullName: 'Ada' }],
          orderLinesBySoldBy: [{ lineNo: 2, notes: [{ body: 'fragile' }] }],
        },
      ],
      total: 1,
    });
  });

  it('lists views and tables without a primary key by the key that is declared', async (context) => {
    if (!opened) return context.skip();
    const keys = { staff_list: 'staff_id', skill_counts: ['employee_id', 'skill_id'], audit: 'at' };
    const all = await introspect(connection, { keys });
    expect(all.get('staffList')?.primaryKey).toEqual(['staffId']);
    expect(all.get('skillCounts')?.primaryKey).toEqual(['employeeId', 'skillId']);
    expect(all.get('audit')?.fields.find(({ path }) => path === 'at')?.nullable).toBe(false);
    expect(all.skipped.map(({ table }) => table)).not.toContain('staff_list');
    const rules = defineQueryRules(all, 'staffList', {
      filters: [{ path: 'fullName', operators: ['ilike', 'in'] }],
      sorts: ['deptName', 'mood'],
      pagination: { mode: 'both' },
      fields: 'all',
    });
    const source = sqlSource({ connection, registry: all, tables: all.tables, model: 'staffList' });
    const row = (staffId: number, fullName: string, mood: string) => ({
      staffId,
      fullName,
      mood,
      deptName: 'Sales',
    });
    const ada = row(1, 'Ada', 'so so');
    const bo = row(2, 'Bo', "it's fine");
    // Equal rows are ordered by the declared key, in the direction of the sort, also across pages.
    const first = await runQuery(source, 'sort=-deptName&perPage=1&cursor=', rules);
    expect(first.data).toEqual([bo]);
    const cursor = encodeURIComponent(String(Reflect.get(first, 'nextCursor')));
    const second = await runQuery(source, `sort=-deptName&perPage=1&cursor=${cursor}`, rules);
    expect(second.data).toEqual([ada]);
    expect(await runQuery(source, 'filter[fullName][ilike]=AD&sort=mood', rules)).toMatchObject({
      data: [ada],
      total: 1,
    });
    const counted = sqlSource({
      connection,
      registry: all,
      tables: all.tables,
      model: 'skillCounts',
    });
    const counts = defineQueryRules(all, 'skillCounts', {
      filters: [{ path: 'skillId', operators: ['eq'] }],
      fields: 'all',
    });
    const { data } = await runQuery(counted, 'filter[skillId]=1', counts);
    expect(data).toMatchObject([{ employeeId: 2, skillId: 1 }]);
    expect(Number(data[0]?.['times'])).toBe(1);
  });

  it('refuses keys that cannot be, all at once', async (context) => {
    if (!opened) return context.skip();
    const keys = { staff_list: ['staff_id', 'nope'], employees: 'id', nowhere: 'id', audit: [] };
    const refusal = introspect(connection, { keys });
    await expect(refusal).rejects.toBeInstanceOf(QueryError);
    for (const message of [
      '"staff_list" has no column "nope"',
      '"employees" has a primary key',
      '"nowhere" is not one of the tables and views that are read',
      '"audit" must have a column',
    ]) {
      await expect(refusal).rejects.toThrow(message);
    }
    await expect(introspect(connection, { keys: { staff_list: 1 } as never })).rejects.toThrow(
      '"keys',
    );
  });

  it('accepts any names, and a subset of the tables', async (context) => {
    if (!opened) return context.skip();
    const some = await introspect(connection, {
      naming: 'as-is',
      tables: ['order_lines', 'employees'],
    });
    expect([...some.keys()].toSorted()).toEqual(['employees', 'order_lines']);
    expect(some.get('order_lines')?.primaryKey).toEqual(['order_id', 'line_no']);
  });

  it('refuses unknown options and empty schemas', async (context) => {
    if (!opened) return context.skip();
    await expect(introspect(connection, { shema: 'x' } as object)).rejects.toThrow(
      '"shema" is not an option of introspect; did you mean "schema"?',
    );
    await expect(introspect(connection, { tables: [] })).rejects.toBeInstanceOf(QueryError);
  });
});
