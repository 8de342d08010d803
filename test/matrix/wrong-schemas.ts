/** Schemas of the matrix with one fault each, and the difference that the source check must report. */

import type { SourceDifference } from '../../src/index.ts';
import type { FieldDescriptor, QuerySchema, RelationDescriptor } from '../../src/schema/index.ts';
import { registry } from './fixtures/models.ts';

/** One mistake, or several at once. */
export interface WrongSchemas {
  readonly name: string;
  /** Root of the rules; all of its relations are included. */
  readonly model: string;
  readonly wrong: readonly QuerySchema[];
  readonly expected: readonly Pick<SourceDifference, 'model' | 'path' | 'rule'>[];
}

function schemaOf(model: string): QuerySchema {
  const schema = registry.get(model);
  if (!schema) throw new TypeError(`The matrix has no model ${model}.`);
  return schema;
}

function withField(
  schema: QuerySchema,
  path: string,
  change: Partial<FieldDescriptor>,
): QuerySchema {
  const fields = schema.fields.map((field) =>
    field.path === path ? { ...field, ...change } : field,
  );
  return { ...schema, fields };
}

function withRelation(
  schema: QuerySchema,
  path: string,
  change: Partial<RelationDescriptor>,
): QuerySchema {
  const relations = schema.relations.map((relation) =>
    relation.path === path ? { ...relation, ...change } : relation,
  );
  return { ...schema, relations };
}

const extra = (path: string, more: Partial<FieldDescriptor> = {}): FieldDescriptor => ({
  path,
  kind: 'string',
  nullable: true,
  primaryKey: false,
  ...more,
});

const user = schemaOf('user');
const company = schemaOf('company');
const team = schemaOf('team');

const one = (
  name: string,
  wrong: QuerySchema,
  path: string | null,
  rule: SourceDifference['rule'],
): WrongSchemas => ({
  name,
  model: 'user',
  wrong: [wrong],
  expected: [{ model: wrong.model, path, rule }],
});

const keyed = withField(withField(team, 'id', { primaryKey: false }), 'name', { primaryKey: true });
const unread: QuerySchema = {
  ...user,
  fields: [
    ...user.fields.map((field) =>
      field.path === 'secret' ? { ...field, foldedField: 'secretFolded' } : field,
    ),
    extra('secretFolded', { nullable: false, internal: true }),
  ],
};

/** Mistakes that every ORM can show. */
export const wrongSchemas: readonly WrongSchemas[] = [
  one(
    'a field that is not there',
    { ...user, fields: [...user.fields, extra('gone')] },
    'gone',
    'field',
  ),
  one(
    'an instant declared as a flag',
    withField(user, 'createdAt', { kind: 'boolean' }),
    'createdAt',
    'kind',
  ),
  one(
    'a flag declared as an instant',
    withField(user, 'active', { kind: 'datetime' }),
    'active',
    'kind',
  ),
  one(
    'bytes declared as a number',
    withField(user, 'digest', { kind: 'integer' }),
    'digest',
    'kind',
  ),
  one('a number declared as bytes', withField(user, 'score', { kind: 'binary' }), 'score', 'kind'),
  one(
    'a member that the enum does not have',
    withField(user, 'mood', { enumValues: ['Happy', 'happy', 'so so', 'gone'] }),
    'mood',
    'enumValues',
  ),
  one(
    'null where the column has none',
    withField(user, 'score', { nullable: true }),
    'score',
    'nullable',
  ),
  one(
    'no null where the column may',
    withField(user, 'age', { nullable: false }),
    'age',
    'nullable',
  ),
  one('a companion that is not there', unread, 'secretFolded', 'companion'),
  one('another primary key', { ...keyed, primaryKey: ['name'] }, null, 'primaryKey'),
  one(
    'a relation that is not there',
    {
      ...user,
      relations: [
        ...user.relations.filter(({ path }) => path !== 'teams'),
        { ...relationOf('teams'), path: 'groups' },
      ],
    },
    'groups',
    'relation',
  ),
  one(
    'a relation to another model',
    withRelation(user, 'teams', { target: 'company' }),
    'teams',
    'target',
  ),
  one(
    'one where there are many',
    withRelation(user, 'orders', { cardinality: 'one' }),
    'orders',
    'cardinality',
  ),
  one(
    'a relation that may not be absent, and may',
    withRelation(user, 'company', { nullable: false }),
    'company',
    'nullable',
  ),
  {
    name: 'all of several, also behind a relation',
    model: 'user',
    wrong: [
      withField(withField(user, 'views', { kind: 'json' }), 'debt', { nullable: false }),
      withField(company, 'motto', { nullable: false }),
    ],
    expected: [
      { model: 'user', path: 'views', rule: 'kind' },
      { model: 'user', path: 'debt', rule: 'nullable' },
      { model: 'company', path: 'motto', rule: 'nullable' },
    ],
  },
];

function relationOf(path: string): RelationDescriptor {
  const relation = user.relations.find((candidate) => candidate.path === path);
  if (!relation) throw new TypeError(`user has no relation ${path}.`);
  return relation;
}
