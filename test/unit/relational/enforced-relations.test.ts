/** A foreign key is relied on only where the statement reads all rows of its target. */

import { expect, it } from 'vitest';
import {
  type FieldDescriptor,
  type FieldKind,
  type RelationDescriptor,
  defineQueryRules,
  defineSchemaRegistry,
  planQuery,
} from '../../../src/index.ts';
import {
  type PhysicalColumn,
  type PhysicalModel,
  type Dialect,
  type PhysicalRelation,
  compilePlan,
  mysql,
  postgresql,
  sqlite,
} from '../../../src/relational/index.ts';
import type { ResolvedPlan } from '../../../src/rules/index.ts';

const field = (path: string, kind: FieldKind): FieldDescriptor => ({
  path,
  kind,
  nullable: false,
  primaryKey: path === 'id',
});
const fields = [field('id', 'integer'), field('ownerId', 'integer'), field('name', 'string')];
const one = (path: string, nullable = false) =>
  ({ path, target: path, cardinality: 'one', nullable }) as const;
const model = (name: string, relations: readonly RelationDescriptor[]) => ({
  model: name,
  primaryKey: ['id'],
  fields,
  relations,
});
const registry = defineSchemaRegistry([
  model('user', [one('company')]),
  model('guest', [one('user', true)]),
  model('company', [{ path: 'users', target: 'user', cardinality: 'many', nullable: false }]),
]);
const paths = (prefix: string) =>
  ({
    filters: [
      { path: `${prefix}company.id`, operators: ['eq'] },
      { path: `${prefix}company.name`, operators: ['eq'] },
    ],
    groups: { depth: 1, terms: 2 },
    sorts: [`${prefix}company.name`],
    fields: { root: { allowed: ['id'], default: ['id'] } },
    pagination: { count: 'none' },
  }) as const;
const rules = {
  user: defineQueryRules(registry, 'user', paths('')),
  guest: defineQueryRules(registry, 'guest', paths('user.')),
  company: defineQueryRules(registry, 'company', {
    filters: [{ path: 'users', operators: ['isNull'] }],
    fields: { root: { allowed: ['id'], default: ['id'] } },
    pagination: { count: 'none' },
  }),
};

const columnsOf = (owner: Partial<PhysicalColumn>): PhysicalModel['columns'] =>
  new Map(
    fields.map(({ path, kind }) => [
      path,
      {
        path,
        name: path === 'ownerId' ? 'owner_id' : path,
        kind,
        storage: 'native',
        sqlType: kind === 'string' ? 'text' : kind,
        ...(path === 'ownerId' && owner),
      },
    ]),
  );

interface Stored {
  readonly isEnforced?: boolean;
  readonly restrictions?: PhysicalModel['restrictions'];
  /** The column that refers to the company. */
  readonly owner?: Partial<PhysicalColumn>;
  /** Scopes of the plan. Default: it has none. */
  readonly scopes?: ResolvedPlan['scopes'];
  /** Default: that of PostgreSQL. */
  readonly dialect?: Dialect;
  /** The column of users that has the key of their company. */
  readonly back?: string;
  /** Whether it is a column of a table that joins both. Default `false`. */
  readonly isJoined?: boolean;
}

/** The text of a request where the columns `owner_id` refer to the users of guests and to the companies of users. */
function text(
  root: keyof typeof rules,
  request: string,
  {
    isEnforced = true,
    restrictions = [],
    owner = {},
    scopes,
    dialect = postgresql,
    back = 'owner_id',
    isJoined = false,
  }: Stored,
): string {
  const columns = columnsOf(owner);
  const stored = (name: string, target?: string): [string, PhysicalModel] => [
    name,
    {
      model: name,
      table: { name },
      columns,
      relations: new Map<string, PhysicalRelation>(
        target
          ? [
              [
                target,
                {
                  path: target,
                  target,
                  cardinality: 'one',
                  hops: [{ table: { name: target }, from: ['owner_id'], to: ['id'] }],
                  isEnforced: isEnforced && name === 'user',
                },
              ],
            ]
          : [
              [
                'users',
                {
                  path: 'users',
                  target: 'user',
                  cardinality: 'many',
                  hops: [
                    { table: { name: isJoined ? 'link' : 'user' }, from: ['id'], to: [back] },
                    ...(isJoined
                      ? [{ table: { name: 'user' }, from: ['user_id'], to: ['id'] }]
                      : []),
                  ],
                },
              ],
            ],
      ),
      ...(name === (root === 'company' ? 'user' : 'company') && { restrictions }),
    },
  ];
  const physical = new Map([stored('guest', 'user'), stored('user', 'company'), stored('company')]);
  const plan = planQuery(request, rules[root]);
  const { data } = compilePlan(
    { dialect, registry, physical },
    scopes ? { ...plan, scopes } : plan,
  );
  return data.statement.text;
}

const joins = (sql: string) => sql.match(/(?:left|inner) join/g) ?? [];
const sorted = (stored: Stored) => joins(text('user', 'sort=company.name', stored));
const filtered = (stored: Stored) => joins(text('user', 'filter[company.id]=5', stored));

it('is not relied on where the target has soft-deleted rows, which lists do not read', () => {
  const restrictions = [{ column: 'deleted_at', isNull: true }] as const;
  expect(sorted({ isEnforced: false })).toEqual(['left join']);
  expect(sorted({})).toEqual(['inner join']);
  expect(sorted({ restrictions })).toEqual(['left join']);
  expect(filtered({})).toEqual([]);
  expect(filtered({ restrictions })).toEqual(['left join']);
});

it('is not needed by an alternative, for which the related row is found once as lists read it', () => {
  const restrictions = [{ column: 'deleted_at', isNull: true }] as const;
  const either = (prefix: string) =>
    `filter[$or][0][${prefix}company.id]=5&filter[$or][1][${prefix}company.name]=a`;
  const sql = text('user', either(''), { isEnforced: false, restrictions });
  expect(sql).toContain(
    '"user"."owner_id" = (select "t1"."id" from "company" as "t1" where "t1"."id" = $1 and "t1"."deleted_at" is null limit 1)',
  );
  expect(text('guest', either('user.'), { isEnforced: false })).toContain(
    '"t1"."owner_id" = (select',
  );
  expect(() =>
    text('user', 'filter[$or][0][company.id]=5', { isEnforced: false, scopes: { user: null } }),
  ).toThrow('The plan crosses company without its scope.');
});

it('is not followed by the path of a scope to rows that lists do not read', () => {
  const restrictions = [{ column: 'deleted_at', isNull: true }] as const;
  const { where } = planQuery('filter[company.name]=a', rules.user);
  const sql = text('user', '', { restrictions, scopes: { user: where, company: null } });
  expect(sql.match(/"deleted_at" is null/g)).toHaveLength(1);
});

it('is not relied on behind a relation that may be absent', () => {
  expect(joins(text('guest', 'sort=user.company.name', {}))).toEqual(['left join', 'left join']);
});

it('is not relied on by a filter where a conversion of the host writes the column that refers to the key', () => {
  const codec = { bind: (value: unknown) => value, read: (value: unknown) => value };
  expect(filtered({ owner: { codec } })).toEqual(['left join']);
});

it('is relied on in a plan that sees all targets, and not in one whose scope of them is missing, which is refused', () => {
  expect(filtered({ scopes: { user: null, company: null } })).toEqual([]);
  expect(sorted({ scopes: { user: null, company: null } })).toEqual(['inner join']);
  for (const request of ['filter[company.id]=5', 'filter[company.name]=a', 'sort=company.name']) {
    for (const isEnforced of [true, false]) {
      expect(() => text('user', request, { isEnforced, scopes: { user: null } })).toThrow(
        'The plan crosses company without its scope.',
      );
    }
  }
});

it('has an index on MySQL, by which each row is told that has no rows of a relation', () => {
  const isOwn = (stored: Stored): boolean => {
    const sql = text('company', 'filter[users][isNull]=true', stored);
    const own = sql.includes('not ((select 1 from');
    expect(sql.includes('not exists (select 1 from')).toBe(!own);
    return own;
  };
  expect(isOwn({ dialect: mysql })).toBe(true);
  expect(isOwn({})).toBe(false);
  expect(isOwn({ dialect: sqlite })).toBe(false);
  expect(isOwn({ dialect: mysql, isEnforced: false })).toBe(false);
  // An index on other columns does not lead to them.
  expect(isOwn({ dialect: mysql, back: 'id' })).toBe(false);
  expect(isOwn({ dialect: mysql, isJoined: true })).toBe(false);
  // The rows must be read to see whether they are among those of the statement.
  expect(isOwn({ dialect: mysql, scopes: { company: null, user: null } })).toBe(true);
  const { where } = planQuery('filter[company.name]=a', rules.user);
  expect(isOwn({ dialect: mysql, scopes: { company: null, user: where } })).toBe(false);
  const restrictions = [{ column: 'deleted_at', isNull: true }] as const;
  expect(isOwn({ dialect: mysql, restrictions })).toBe(false);
});
