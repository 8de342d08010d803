/** `typeormSource`: a source of rows from a repository, or from a DataSource and an entity. */

import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import * as option from '../../lib/option-rows.ts';
import { type OptionTableOf, oncePer } from '../../lib/index.ts';
import { type ListedEntity, type CompiledQueryRules } from '../../rules/index.ts';
import { checkConfiguration, configurationError, type SchemaRegistry } from '../../schema/index.ts';
import {
  type AdapterSourceOptions,
  type RelationalSource,
  families,
  relationalSource,
  storedPosition,
} from '../../relational/index.ts';
import { isEntitySchema, modelNameOf, schemaKey } from './describe/declared-entity.ts';
import { registryOf } from './describe/data-source-entities.ts';
import { descriptionOf } from './describe/description.ts';
import { TypeormExecutor, dataSourceOf } from './executor.ts';
import { familyOf } from './families.ts';
import { loadEntities } from './entities/hydrate.ts';
import type { TypeormRow } from './describe/row-type.ts';
import { type TypeormCustomize, customizedStatement } from './select-builder.ts';
import { assertReplaceable } from './foreign.ts';
import { mappedModelsOf } from './describe/mapped-models.ts';

/** Options of `typeormSource`. */
export interface TypeormSourceOptions extends AdapterSourceOptions {
  /** The registry that the rules were compiled with. Default: that of the rules. */
  readonly registry?: SchemaRegistry | undefined;
  /**
   * Whether rows with a delete date are included, in the root and in relations, as `withDeleted` of TypeORM's builder
   * does. Default `false`.
   */
  readonly withDeleted?: boolean | undefined;
  /**
   * Whether rows are entities, loaded through `getMany`, with the effects of `AfterLoad` listeners and subscribers.
   * Only the projected properties are loaded. Default `false`: plain rows, presented by kind.
   */
  readonly hydrate?: boolean | undefined;
}

const optionTable = {
  registry: option.withMethods('a schema registry', 'get', 'has'),
  withDeleted: option.boolean,
  hydrate: option.boolean,
  strict: option.boolean,
} satisfies OptionTableOf<TypeormSourceOptions>;

/** The rows of a source: entities with `hydrate`, else plain rows. */
export type SourceRow<Entity, Options> = Options extends { readonly hydrate: true }
  ? Entity
  : TypeormRow<Entity>;

/** A source on an entity; `Options` are those of `typeormSource`. */
export type TypeormSource<Row, Entity extends ObjectLiteral, Options = unknown> = RelationalSource<
  Row,
  TypeormCustomize<Entity>,
  TypeormExecutor,
  ListedEntity<Entity, Options extends { readonly hydrate: true } ? true : false>
>;

/**
 * Creates a source on the entity of a repository, or on a DataSource and an entity. This is cheap, because compiled
 * statements are cached per registry and DataSource. With a repository of a transaction's manager all statements run in
 * that transaction, one after the other.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the driver is not one of PostgreSQL, MySQL or SQLite, or the
 * first argument is neither a repository nor a DataSource
 */
export function typeormSource<
  Entity extends ObjectLiteral,
  const Options extends TypeormSourceOptions = Record<never, never>,
>(
  repository: Repository<Entity>,
  options?: Options,
): TypeormSource<SourceRow<Entity, Options>, Entity, Options>;
export function typeormSource<
  Entity extends ObjectLiteral,
  const Options extends TypeormSourceOptions = Record<never, never>,
>(
  dataSource: DataSource,
  entity: EntityTarget<Entity>,
  options?: Options,
): TypeormSource<SourceRow<Entity, Options>, Entity, Options>;
export function typeormSource<Entity extends ObjectLiteral>(
  first: Repository<Entity> | DataSource,
  second?: EntityTarget<Entity> | TypeormSourceOptions,
  third?: TypeormSourceOptions,
): TypeormSource<unknown, Entity> {
  const manager = (first as Partial<typeof first> | undefined)?.manager;
  if (!manager) throw configurationError('"repository" must be a Repository or a DataSource');
  const isRepository = 'target' in first;
  const target = isRepository ? first.target : (second as EntityTarget<Entity>);
  const options = (isRepository ? (second as TypeormSourceOptions) : third) ?? {};
  checkConfiguration('typeormSource', options, optionTable);
  return sourceOn(manager, target, options);
}

function sourceOn<Entity extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Entity>,
  { registry, withDeleted = false, hydrate = false, strict }: TypeormSourceOptions,
): TypeormSource<unknown, Entity> {
  type Customize = TypeormCustomize<Entity>;
  const dataSource = dataSourceOf(manager);
  const family = familyOf(dataSource);
  const model = modelOfTarget(target);
  const execute = new TypeormExecutor(manager, families[family]);
  const ownRegistry = () => registry ?? registryOf(dataSource);
  const sourceOf = (chosen: SchemaRegistry) => {
    const entity = { metadata: dataSource.getMetadata(target), withDeleted };
    const describe = descriptionOf(dataSource, chosen, withDeleted);
    describe.assertStrict(strict);
    return relationalSource<unknown, Customize, TypeormExecutor>({
      model,
      describe,
      execute,
      customized: (input) => customizedStatement(input, entity),
      loadPage: hydrate ? (read, on) => loadEntities(read, on, entity) : undefined,
    });
  };
  if (strict && dataSource.isInitialized) {
    descriptionOf(dataSource, ownRegistry(), withDeleted).assertStrict(strict);
  }
  const source: TypeormSource<unknown, Entity> = {
    model,
    family,
    execute,
    servesScopes: true,
    usesBasicSignal: true,
    // The entities of a DataSource are not known before it is initialized.
    get registry() {
      return ownRegistry();
    },
    get describe() {
      return descriptionOf(dataSource, ownRegistry(), withDeleted);
    },
    get origin() {
      return this.describe.origin;
    },
    storedPosition: (term, rules, isMarked) =>
      storedPosition(
        descriptionOf(dataSource, registry ?? rules.registry, withDeleted).context,
        term,
        isMarked,
      ),
    assertRules: (rules) => {
      if (hydrate) assertHydrates(rules, dataSource);
    },
    prepare: (plan, rules, readOptions) => {
      if (hydrate) assertHydrates(rules, dataSource);
      return sourceOf(registry ?? rules.registry).prepare(plan, rules, readOptions);
    },
  };
  return source;
}

function modelOfTarget(target: EntityTarget<ObjectLiteral>): string {
  const key = isEntitySchema(target) ? schemaKey(target) : target;
  if (typeof key === 'function' || typeof key === 'string') return modelNameOf(key);
  throw configurationError(
    'The source has no entity; pass a repository, or a DataSource and an entity.',
  );
}

/** Characters with which TypeORM leaves the name of a join table's column without quotes. */
const unquoted = /[ =(),]/;

/**
 * Checks the includes of rules whose rows are entities.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when TypeORM cannot join one, or is of an unknown version
 */
const assertHydrates = oncePer((rules: CompiledQueryRules, dataSource: DataSource): void => {
  assertReplaceable(dataSource.createQueryBuilder());
  const mapped = mappedModelsOf(rules.registry, dataSource);
  for (const { path, target, relation } of rules.includes.values()) {
    const { metadata, prefix = '' } = mapped.get(target.model) ?? {};
    const joined = metadata?.findRelationWithPropertyPath(prefix + relation.path);
    const { tableType, childEntityMetadatas = [] } = joined?.inverseEntityMetadata ?? {};
    const isReferredTo = joined?.isOneToMany || joined?.isOneToOneNotOwner;
    if (isReferredTo && tableType === 'entity-child' && childEntityMetadatas.length > 0) {
      throw configurationError(
        `rules.includes "${path}": TypeORM loads no entities of the subclasses of ${relation.target}, which rows have; drop the include, or hydrate.`,
        { rule: 'includes', path },
      );
    }
    const owner = joined?.isOwning ? joined : joined?.inverseRelation;
    const columns = owner?.junctionEntityMetadata?.columns ?? [];
    const column = columns.find(({ databaseName }) => unquoted.test(databaseName));
    if (!column) continue;
    throw configurationError(
      `rules.includes "${path}": TypeORM cannot load entities through the column "${column.databaseName}" of a join table, whose name it does not quote; rename the column, or drop hydrate.`,
      { rule: 'includes', path },
    );
  }
});
