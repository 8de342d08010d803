/** Every type of options that a public function takes has an option table, so that a misspelt name is refused. */

import { expect, test } from 'vitest';
import { optionTypes, tabledTypes } from './option-types.ts';

/** Types without a table, by the reason. A type that is not found any more must leave the list. */
const without: Readonly<Record<string, readonly string[]>> = {
  'results of other functions of the package, recognised as such': [
    'AskedRows',
    'CompiledChildren',
    'Aggregate',
    'AggregateField',
    'CompiledFilter',
    'CompiledInclude',
    'CompiledPagination',
    'CompiledProjection',
    'CompiledQuantifier',
    'CompiledQueryRules',
    'CompiledScopes',
    'DescribedChildren',
    'StatementInputs',
    'CompiledSort',
    'FilterLevel',
    'RelationalSource',
    'ResolvedCondition',
    'ResolvedPath',
    'SchemaRegistry',
    'SkippedPart',
    'SqlExecutor',
  ],
  'data of describeRules, as JSON': [
    'DescribedFields',
    'DescribedFilter',
    'DescribedInclude',
    'DescribedOperator',
    'DescribedPagination',
    'DescribedQuantifier',
    'DescribedSort',
    'RulesDescription',
  ],
  'filters of a request, whose names are paths and operators': ['Condition', 'PrintableFilter'],
  'state and requests of a table, which the description is asked for': [
    'ClientTableRequest',
    'ClientTableState',
  ],
  'generated code': [
    'PrismaDescription',
    'PrismaFieldDescription',
    'PrismaHopDescription',
    'PrismaModelDescription',
    'PrismaRelationDescription',
  ],
  'values of any names': [
    'AggregateRules',
    'ComputedFields',
    'DrizzleOverrides',
    'JsonPaths',
    'ModelOverrides',
    'ModelScopes',
  ],
  'part of another type, whose table has its options': ['AdapterSourceOptions', 'ReadSource'],
  'made by the planner for each request': ['ScopeCondition'],
  'a part of a predicate, which is resolved at boot': ['ConditionPredicate'],
  'tables that an adapter has computed': [
    'JsonMember',
    'PhysicalColumn',
    'PhysicalHop',
    'PhysicalModel',
    'PhysicalRelation',
    'TableRef',
  ],
  'settings of the driver pg': ['PgConnectionSettings'],
  'a request of a client, refused by the endpoint': ['BodyRequest', 'ClientRequest'],
  'other types of these names, which are not options': [
    'AnyEntitySchema',
    'EntityTarget',
    'JsonForms',
  ],
  'of another library, checked against the list of its members': ['NestjsPaginateConfig'],
  'passed on to createBoard, whose tables have the members': [
    'BullBoardConfig',
    'BullBoardOptions',
    'BullBoardUi',
  ],
  'injected by NestJS': ['Created'],
};

test('option types of public functions have a table', () => {
  const tabled = tabledTypes();
  const missing = [...optionTypes()].filter(([name]) => !tabled.has(name));
  const reasons = new Set(Object.values(without).flat());
  expect(missing.filter(([name]) => !reasons.has(name))).toEqual([]);
  expect([...reasons].filter((name) => !missing.some(([found]) => found === name))).toEqual([]);
});

test('option types are found in every subpath', () => {
  const owners = new Set(optionTypes().values());
  for (const owner of [
    'bullmqProQueue',
    'createAuthMiddleware',
    'createBoard',
    'defineQueryRules',
    'drizzleSource',
    'introspect',
    'listEndpoint',
    'prismaSource',
    'runQuery',
    'typeormSource',
  ]) {
    expect(owners).toContain(owner);
  }
});
