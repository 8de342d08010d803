import { describe, expect, it } from 'vitest';
import { planQuery } from '../../../src/index.ts';
import type {
  ConditionPredicate,
  Predicate,
  ProjectionNode,
  QueryPlan,
  TransformPlan,
} from '../../../src/index.ts';
import { transformedPlan } from '../../../src/rules/plan/transform-plan.ts';
import { refusalOf, thawedParts } from '../refusal.ts';
import { condition, shopRules } from './shop-rules.ts';

const rules = shopRules();
const request = 'filter[name][like]=a&filter[stock][gt]=1&includes=maker,labels&fields=id,name';

const run = (transform: TransformPlan, of = request): QueryPlan =>
  transformedPlan(planQuery(of, rules), rules, transform);
const add =
  (predicate: unknown): TransformPlan =>
  (plan) => ({
    ...plan,
    where: {
      type: 'and',
      predicates: [...(plan.where ? [plan.where] : []), predicate as Predicate],
    },
  });
const shown =
  (change: (node: ProjectionNode) => unknown): TransformPlan =>
  (plan) => ({
    ...plan,
    projection: change(plan.projection) as ProjectionNode,
  });
const refused = (transform: TransformPlan) => refusalOf(() => run(transform));

const tenancy = condition('serial', 'eq', '42');
const client = planQuery(request, rules).where as Predicate;

describe('additions of transformPlan', () => {
  it('none: the plan itself is returned', () => {
    const plan = planQuery(request, rules);
    expect(transformedPlan(plan, rules, (given) => given)).toBe(plan);
  });

  it("are AND-ed at the root with the client's conditions", () => {
    expect(run(add(tenancy)).where).toEqual({ type: 'and', predicates: [client, tenancy] });
    expect(run(add(tenancy), '').where).toEqual({ type: 'and', predicates: [tenancy] });
    const two = (plan: QueryPlan) => add(condition('sold', 'eq', true))(add(tenancy)(plan));
    expect(run(two, 'filter[stock]=1').where).toMatchObject({ type: 'and' });
    expect(run((plan) => ({ ...plan, where: tenancy }), '').where).toEqual(tenancy);
  });

  it('may be a tree, on internal fields and paths that clients may not filter', () => {
    const tree: Predicate = {
      type: 'or',
      predicates: [
        condition('nameFolded', 'eq', 'x'),
        { type: 'and', predicates: [condition('maker.articles.sold', 'eq', true)] },
        condition('labels', 'isNull', true),
      ],
    };
    expect(run(add(tree)).where).toEqual({ type: 'and', predicates: [client, tree] });
  });

  it('have their values converted to canonical form', () => {
    const added = [
      [condition('serial', 'in', ['-0', '7']), ['0', '7']],
      [condition('stock', 'eq', '7'), 7],
      [condition('sold', 'eq', 1 as never), true],
      [
        condition('code', 'eq', 'ABCDEF00-0000-0000-0000-000000000000'),
        'abcdef00-0000-0000-0000-000000000000',
      ],
      [condition('changedAt', 'lt', '2024-03-04T05:06:07+02:00'), '2024-03-04T03:06:07.000Z'],
      [condition('name', 'ilike', 'ÉTÉ'), 'été'],
      [condition('stock', 'between', [1, 2]), [1, 2]],
    ] as const;
    for (const [given, value] of added) {
      const where = run(add(given), '').where;
      expect(where).toEqual({ type: 'and', predicates: [{ ...given, value }] });
    }
  });

  it('may be a list of any length', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => index);
    const where = run(add(condition('id', 'in', ids)), '').where;
    expect(where).toEqual({ type: 'and', predicates: [condition('id', 'in', ids)] });
  });
});

describe('the client predicate', () => {
  it('still holds when the hook drops it', () => {
    expect(run((plan) => ({ ...plan, where: null })).where).toEqual(client);
    expect(run((plan) => ({ ...plan, where: tenancy })).where).toEqual({
      type: 'and',
      predicates: [client, tenancy],
    });
  });

  it('still holds when the hook widens it', () => {
    const widened: Predicate = { type: 'or', predicates: [client, tenancy] };
    expect(run((plan) => ({ ...plan, where: widened })).where).toEqual({
      type: 'and',
      predicates: [client, widened],
    });
    const everything: Predicate = { type: 'and', predicates: [] };
    expect(run((plan) => ({ ...plan, where: everything })).where).toEqual({
      type: 'and',
      predicates: [client, everything],
    });
  });

  it('cannot be altered in place', () => {
    expect(() =>
      run((plan) => {
        (plan.where as unknown as { predicates: Predicate[] }).predicates.pop();
        return plan;
      }),
    ).toThrow(TypeError);
    expect(() =>
      run((plan) => {
        (plan as { where: Predicate | null }).where = null;
        return plan;
      }),
    ).toThrow(TypeError);
  });
});

describe('the projection', () => {
  it('may lose fields and relations, at any depth', () => {
    const { projection } = run(
      shown((node) => ({
        ...node,
        fields: ['name'],
        relations: node.relations.filter(({ path }) => path === 'maker'),
      })),
    );
    expect(projection.fields).toEqual(['name']);
    expect(projection.relations.map(({ path }) => path)).toEqual(['maker']);
  });

  it('keeps the limit of the rows of each relation, whatever the hook says', () => {
    const limits = ({ projection }: QueryPlan) =>
      projection.relations.map(({ path, maxChildren }) => [path, maxChildren]);
    const before = limits(planQuery(request, rules));
    expect(before).toEqual([
      ['maker', undefined],
      ['labels', 100],
    ]);
    for (const more of [{}, { maxChildren: 5_000 }, { maxChildren: undefined }]) {
      const relations = shown((node) => ({
        ...node,
        relations: node.relations.map((relation) => ({ ...relation, ...more })),
      }));
      expect([more, limits(run(relations))]).toEqual([more, before]);
    }
  });

  it('may not gain a field, a relation, or another model', () => {
    const fields = (more: string) => shown((node) => ({ ...node, fields: [...node.fields, more] }));
    for (const transform of [
      fields('price'),
      fields('nameFolded'),
      fields('nope'),
      shown((node) => ({ ...node, model: 'maker' })),
      shown((node) => ({
        ...node,
        relations: node.relations.map((relation) => ({
          ...relation,
          node: { ...relation.node, fields: ['id', ...relation.node.fields] },
        })),
      })),
    ]) {
      const error = refused(transform);
      expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
      expect(error.message).toContain('widened the projection');
    }
    const [maker] = planQuery('includes=maker', rules).projection.relations;
    const added = refusalOf(() =>
      run(
        shown((node) => ({ ...node, relations: [maker] })),
        '',
      ),
    );
    expect(added.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(added.details).toEqual({ path: 'maker' });
  });

  it('may not show a relation twice, or as another cardinality', () => {
    const twice = shown((node) => ({ ...node, relations: [...node.relations, ...node.relations] }));
    expect(refused(twice).code).toBe('SOURCE_CONFIGURATION_INVALID');
    const flipped = shown((node) => ({
      ...node,
      relations: node.relations.map((relation) => ({ ...relation, cardinality: 'many' })),
    }));
    expect(refused(flipped).code).toBe('SOURCE_CONFIGURATION_INVALID');
  });
});

describe('a hook that exceeds its rights', () => {
  it('may not change model, order, page or count', () => {
    const changes: readonly Partial<QueryPlan>[] = [
      { model: 'maker' },
      { order: [] },
      { page: { mode: 'all', maxRows: 1_000_000 } },
      { count: { type: 'none' } },
    ];
    for (const change of changes) {
      const error = refused((plan) => ({ ...plan, ...change }));
      expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
      expect(error.status).toBe(500);
      expect(error.message).toContain(`"${Object.keys(change)[0]}"`);
    }
  });

  it('must return a plan, now', () => {
    const results: readonly unknown[] = [undefined, null, {}, Promise.resolve(client), 'plan'];
    for (const result of results) {
      const error = refused(() => result as QueryPlan);
      expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    }
  });

  it('OPERATOR_TYPE_MISMATCH: an operator its field cannot serve', () => {
    const mismatches: readonly (readonly [string, ConditionPredicate['operator']])[] = [
      ['stock', 'like'],
      ['code', 'gt'],
      ['state', 'between'],
      ['code', 'ilike'],
      ['labels.text', 'ilike'],
      ['name', 'isNull'],
      ['extra', 'eq'],
      ['extra', 'isNull'],
      ['maker', 'eq'],
      ['labels', 'in'],
    ];
    for (const [path, operator] of mismatches) {
      const error = refused(add(condition(path, operator, 'secret')));
      expect([path, error.code, error.status]).toEqual([path, 'OPERATOR_TYPE_MISMATCH', 500]);
      expect(error.details).toEqual({ path, operator });
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });

  it('a path or operator that does not exist, and a value that is not a predicate', () => {
    for (const predicate of [
      condition('nope', 'eq', 1),
      condition('maker.nope', 'eq', 1),
      condition('name', 'constructor' as 'eq', 'a'),
      { type: 'not', predicates: [] },
      { type: 'and' },
      { path: 'name', operator: 'eq', value: 'a' },
      { type: 'condition', operator: 'eq', value: 'a' },
      null,
      'name = 1',
    ]) {
      expect(refused(add(predicate)).code).toBe('SOURCE_CONFIGURATION_INVALID');
    }
  });

  it('a value that the kind or the operator does not take, which it does not repeat', () => {
    const wrong = (path: string, operator: ConditionPredicate['operator'], value: unknown) =>
      refused(add(condition(path, operator, value as ConditionPredicate['value'])));
    const errors = [
      wrong('stock', 'eq', 'ten'),
      wrong('stock', 'eq', 2 ** 40),
      wrong('stock', 'eq', null),
      wrong('stock', 'eq', undefined),
      wrong('state', 'eq', 'nope'),
      wrong('stock', 'eq', [1]),
      wrong('name', 'like', ['a', 'b']),
      wrong('stock', 'isNull', [true]),
      wrong('stock', 'isNull', 'yes'),
      wrong('stock', 'in', 1),
      wrong('stock', 'in', [1, null]),
      wrong('name', 'in', ['a', null]),
      wrong('stock', 'between', 1),
      wrong('stock', 'between', [1]),
      wrong('stock', 'between', [1, 2, 3]),
    ];
    for (const error of errors) {
      expect([error.code, error.status]).toEqual(['SOURCE_CONFIGURATION_INVALID', 500]);
      expect(error.message).toMatch(
        /^transformPlan on "(stock|state|name)" with "\w+": The value does not fit: /,
      );
      expect(JSON.stringify(error)).not.toMatch(/ten|nope|yes/);
    }
  });
});

describe('the transformed plan', () => {
  it('is deeply frozen, also where the hook froze parts', () => {
    const list = ['7'];
    const fields = ['name'];
    const plan = run((given) => ({
      ...given,
      projection: Object.freeze({ ...given.projection, fields }),
      where: { type: 'and', predicates: [condition('serial', 'in', list)] },
    }));
    expect(thawedParts(plan)).toEqual([]);
    list.push('8');
    fields.push('price');
    expect(plan.projection.fields).toEqual(['name']);
    expect(JSON.stringify(plan.where)).toContain('["7"]');
  });
});
