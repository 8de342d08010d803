/** The pages that the rules allow decide which properties a result has. */

import { describe, expectTypeOf, it } from 'vitest';
import {
  type CompiledQueryRules,
  type ListResult,
  type QueryRulesDeclaration,
  type QuerySettings,
  type QuerySource,
  type UnpaginatedResult,
  buildQuery,
  defineQueryRules,
  defineQuerySchema,
  defineSchemaRegistry,
  runOne,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { neverRun } from './never-run.ts';

const registry = defineSchemaRegistry([
  defineQuerySchema({
    model: 'city',
    primaryKey: ['id'],
    fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      { path: 'name', kind: 'string', nullable: false, primaryKey: false },
    ],
    relations: [],
  }),
]);
const fields = { root: { allowed: ['id', 'name'], default: ['id'] } } as const;

interface City {
  id: number;
  name: string;
  secret: string;
}
type Shown = Pick<City, 'id' | 'name'>;

declare const source: QuerySource<City, unknown, 'city'>;

describe('one row', () => {
  it('has the fields that the rules can show', async () => {
    const rules = defineQueryRules(registry, 'city', { fields });
    if (!neverRun()) return;
    expectTypeOf(await runOne(source, 1, '', rules)).toEqualTypeOf<Shown>();
    void runOne(source, { id: '1' }, 'fields=name', rules, { timeoutMs: 5 });
    // @ts-expect-error a key is not a list
    void runOne(source, [1], '', rules);
    // @ts-expect-error a row has no cursor
    void runOne(source, 1, '', rules, { cursorScope: 'a' });
    // @ts-expect-error nothing of one row is counted
    void runOne(source, 1, '', rules, { customizeScope: 'count' });
  });
});

describe('offset pages', () => {
  it('have a total where nothing else is allowed', async () => {
    const rules = defineQueryRules(registry, 'city', {
      fields,
      pagination: { allowUnpaginated: false },
    });
    if (!neverRun()) return;
    const result = await runQuery(source, '', rules);
    expectTypeOf(result.data).toEqualTypeOf<Shown[]>();
    expectTypeOf(result.total).toEqualTypeOf<number>();
    expectTypeOf(result.lastPage).toEqualTypeOf<number>();
    expectTypeOf(result.page).toEqualTypeOf<number>();
    // @ts-expect-error the total is not capped
    void result.totalCapped;
    // @ts-expect-error the pages are counted
    void result.hasNextPage;
    // @ts-expect-error there are no cursors
    void result.nextCursor;
  });

  it('say whether a capped total is exact', async () => {
    const rules = defineQueryRules(registry, 'city', {
      fields,
      pagination: { allowUnpaginated: false, count: { capped: 100 } },
    });
    if (!neverRun()) return;
    const result = await runQuery(source, '', rules);
    expectTypeOf(result.total).toEqualTypeOf<number>();
    expectTypeOf(result.totalCapped).toEqualTypeOf<true | undefined>();
  });

  it('have no total where they are not counted', async () => {
    const rules = defineQueryRules(registry, 'city', {
      fields,
      pagination: { allowUnpaginated: false, count: 'none' },
    });
    if (!neverRun()) return;
    const result = await runQuery(source, '', rules);
    expectTypeOf(result.hasNextPage).toEqualTypeOf<boolean>();
    // @ts-expect-error the pages are not counted
    void result.total;
  });

  it('stand beside whole lists where `paginate=false` is allowed', async () => {
    const rules = defineQueryRules(registry, 'city', { fields });
    if (!neverRun()) return;
    const result = await runQuery(source, '', rules);
    // @ts-expect-error the result may be a whole list
    void result.total;
    if ('total' in result) expectTypeOf(result.total).toEqualTypeOf<number>();
    else expectTypeOf(result).toEqualTypeOf<UnpaginatedResult<Shown>>();
    expectTypeOf(buildQuery(rules, { paginate: false })).toBeString();
  });

  it('take the setting where the rules do not decide', async () => {
    const rules = defineQueryRules(registry, 'city', { fields }, { allowUnpaginated: false });
    const open = defineQueryRules(
      registry,
      'city',
      { fields, pagination: { allowUnpaginated: true } },
      { allowUnpaginated: false },
    );
    const settings: QuerySettings = { allowUnpaginated: false };
    const unknownSetting = defineQueryRules(registry, 'city', { fields }, settings);
    if (!neverRun()) return;
    expectTypeOf((await runQuery(source, '', rules)).total).toEqualTypeOf<number>();
    // @ts-expect-error the rules of the endpoint take precedence
    void (await runQuery(source, '', open)).total;
    // @ts-expect-error the compiler does not know the setting
    void (await runQuery(source, '', unknownSetting)).total;
  });
});

describe('keyset pages', () => {
  const keyset = defineQueryRules(
    registry,
    'city',
    { fields, pagination: { mode: 'keyset', allowUnpaginated: false } },
    { cursorKeys },
  );

  it('have cursors', async () => {
    if (!neverRun()) return;
    const result = await runQuery(source, '', keyset);
    expectTypeOf(result.nextCursor).toEqualTypeOf<string | null>();
    expectTypeOf(result.prevCursor).toEqualTypeOf<string | null>();
    // @ts-expect-error keyset pages are not counted
    void result.total;
    buildQuery(keyset, { cursor: result.nextCursor ?? '' });
    // @ts-expect-error they are not numbered either
    buildQuery(keyset, { page: 2 });
  });

  it('stand beside offset pages where both are allowed', async () => {
    const both = defineQueryRules(
      registry,
      'city',
      { fields, pagination: { mode: 'both', allowUnpaginated: false } },
      { cursorKeys },
    );
    if (!neverRun()) return;
    const result = await runQuery(source, '', both);
    if ('nextCursor' in result) expectTypeOf(result.nextCursor).toEqualTypeOf<string | null>();
    else expectTypeOf(result.total).toEqualTypeOf<number>();
    buildQuery(both, { cursor: 'x' });
    buildQuery(both, { page: 2 });
  });
});

describe('rules that the compiler does not know', () => {
  it('allow every page and every field of the source', async () => {
    const declaration: QueryRulesDeclaration = { fields };
    const rules = defineQueryRules(registry, 'city', declaration);
    const compiled: CompiledQueryRules = rules;
    if (!neverRun()) return;
    const result = await runQuery(source, '', rules);
    expectTypeOf(result).toEqualTypeOf<ListResult<City>>();
    expectTypeOf(await runQuery(source, '', compiled)).toEqualTypeOf<ListResult<City>>();
    if ('total' in result) expectTypeOf(result.total).toEqualTypeOf<number>();
  });

  it('pass through functions that take any rules', () => {
    const list = async <Row>(
      any: QuerySource<Row>,
      rules: CompiledQueryRules,
    ): Promise<ListResult<Row>> => runQuery(any, '', rules);
    expectTypeOf(list<City>).returns.resolves.toEqualTypeOf<ListResult<City>>();
  });

  it('name the model of a source nevertheless', () => {
    const other = defineSchemaRegistry([
      defineQuerySchema({
        model: 'country',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
        relations: [],
      }),
    ]);
    const declaration: QueryRulesDeclaration = { fields };
    const rules = defineQueryRules(other, 'country', declaration);
    // @ts-expect-error the source lists cities
    if (neverRun()) void runQuery(source, '', rules);
  });
});
