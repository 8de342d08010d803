/** Loads rows as entities: TypeORM selects, joins and creates them, with listeners and subscribers. */

import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { oncePer } from '../../../lib/index.ts';
import type { PageRows, ProjectionNode } from '../../../rules/index.ts';
import type { QuerySchema } from '../../../schema/index.ts';
import {
  type RelationalRead,
  type Sql,
  type StatementParts,
  columnAlias,
  keptRows,
  placedPage,
  plainStatement,
  scopeAt,
} from '../../../relational/index.ts';
import { tellLoaded } from '../foreign.ts';
import { separateKeys } from './entity-keys.ts';
import { joinsMany, selectEntities } from './entity-selection.ts';
import { type EntityNode, entityTree, takeOffKeys } from './entity-tree.ts';
import { fillValues, showsValues, valuesOnly } from './entity-values.ts';
import { preparedBuilder } from './entity-statement.ts';
import type { TypeormExecutor } from '../executor.ts';
import {
  type BuilderInput,
  type EntityTarget,
  type Mark,
  type TypeormCustomize,
  type WrittenStatement,
  planBuilder,
  writtenStatement,
} from '../select-builder.ts';

type Entity = ObjectLiteral;
type Builder = SelectQueryBuilder<Entity>;
type Read<Customize> = RelationalRead<TypeormExecutor, unknown, Customize>;
type Place = (at: number) => readonly (string | null)[];

/** Loads a page as entities. */
export function loadEntities<Customize>(
  read: Read<Customize>,
  executor: TypeormExecutor,
  target: EntityTarget,
): Promise<PageRows<Entity>> {
  const tree = treeOf(target.metadata, read.plan.projection, read.context.registry);
  const load = new EntityLoad(read, executor, target, tree);
  // A `many` include multiplies rows, so the keys of the page are read first, and then its entities by these keys.
  return joinsMany(tree) ? load.byKeys() : load.atOnce();
}

class EntityLoad<Customize> {
  readonly #read: Read<Customize>;
  readonly #executor: TypeormExecutor;
  readonly #target: EntityTarget;
  readonly #tree: EntityNode;

  constructor(
    read: Read<Customize>,
    executor: TypeormExecutor,
    target: EntityTarget,
    tree: EntityNode,
  ) {
    this.#read = read;
    this.#executor = executor;
    this.#target = target;
    this.#tree = tree;
  }

  /** Loads the page with one statement, in which each row is a row of the page. */
  async atOnce(): Promise<PageRows<Entity>> {
    const { plan, compiled } = this.#read;
    const builder = this.#prepared() ?? this.#written(compiled.data.parts).builder;
    const { entities, raw } = await this.#load(builder);
    const found = entities.map((entity, at) => ({ entity, raw: raw[at] }));
    const { kept, hasMore } = keptRows(plan, compiled, found);
    const rows = kept.map(({ entity }) => entity);
    return this.#page(rows, hasMore, kept.length, (at) =>
      compiled.orderColumns.map(({ index, text }) => text(kept[at]?.raw?.[columnAlias(index)])),
    );
  }

  /** Loads the page with two statements: one for its keys and one for its entities. */
  async byKeys(): Promise<PageRows<Entity>> {
    const { plan, compiled } = this.#read;
    const { registry } = this.#read.context;
    const keyed = this.#read.compiledFor(keyProjection(registry.get(plan.model) as QuerySchema));
    const found = await this.#read.runStatement(this.#executor, 'data', keyed.data);
    const { kept, hasMore } = keptRows(plan, compiled, [...found]);
    if (kept.length === 0) return { rows: [], hasMore };
    const keys = kept.map((row) =>
      this.#executor.textValues(keyed.node.fields.map(({ index }) => row[index])),
    );
    const tail: Sql[] = [];
    const builder = planBuilder({
      ...this.#builderInput(),
      customize: undefined,
      parts: entityParts(compiled.data.parts, tail),
      hydrate: (on, mark) => {
        tail.push(...this.#select(on, mark));
        this.#whereKeys(on, keys);
        const { tableName } = this.#target.metadata;
        const scope = scopeAt(this.#read.context, plan, plan.model, tableName);
        if (scope) on.andWhere(mark(scope));
      },
    });
    const { entities } = await this.#load(builder);
    if (compiled.reversed) entities.reverse();
    return this.#page(entities, hasMore, kept.length, (at) =>
      keyed.orderColumns.map(({ index, text }) => text(kept[at]?.[index])),
    );
  }

  #page(rows: Entity[], hasMore: boolean, count: number, place: Place): PageRows<Entity> {
    const { mode } = this.#read.plan.page;
    return mode === 'keyset' ? placedPage(rows, hasMore, count, place) : { rows, hasMore };
  }

  /** The cached statement of the plan's shape; `undefined` if a hook or a value changes its text. */
  #prepared(): Builder | undefined {
    const { compiled, context, inputs } = this.#read;
    if (this.#read.customizeFor('data') !== undefined) return undefined;
    return preparedBuilder({
      executor: this.#executor,
      dialect: context.dialect,
      compiled,
      inputs,
      write: () => this.#written({ ...compiled.data.parts, limit: null, offset: false }),
    });
  }

  #written(parts: StatementParts): WrittenStatement {
    return writtenStatement({
      ...this.#builderInput(),
      parts,
      columns: this.#read.compiled.orderColumns.map(({ index }) => [
        parts.columns[index] ?? '',
        ` as ${columnAlias(index)}`,
      ]),
      hydrate: (on, mark) => void this.#select(on, mark),
    });
  }

  /** The input of a builder for the plan's rows, with the `customize` of the host where it applies. */
  #builderInput(): BuilderInput {
    const { compiled, context, inputs } = this.#read;
    return {
      ...this.#target,
      executor: this.#executor,
      context,
      inputs,
      kind: 'data',
      parts: compiled.data.parts,
      customize: this.#read.customizeFor('data') as TypeormCustomize<Entity> | undefined,
      columns: [],
    };
  }

  #select(builder: Builder, mark: Mark): Sql[] {
    return selectEntities(builder, this.#tree, this.#read.context, this.#read.plan, mark);
  }

  #whereKeys(builder: Builder, keys: readonly (readonly unknown[])[]): void {
    const { tableName } = this.#target.metadata;
    const { plan, context } = this.#read;
    const columns = (context.registry.get(plan.model)?.primaryKey ?? []).map((path) => {
      const column = context.physical.get(plan.model)?.columns.get(path)?.name ?? path;
      return `${builder.escape(tableName)}.${builder.escape(column)}`;
    });
    const [column] = columns;
    if (columns.length === 1) {
      builder.where(`${column} in (:...sluice_keys)`, { sluice_keys: keys.flat() });
      return;
    }
    const tuples = keys.map((key, at) =>
      columns.map((name, part) => {
        builder.setParameter(`sluice_key_${at}_${part}`, key[part]);
        return `${name} = :sluice_key_${at}_${part}`;
      }),
    );
    builder.where(`(${tuples.map((tuple) => `(${tuple.join(' and ')})`).join(' or ')})`);
  }

  /** Gives the entities the values without a column that the page shows. */
  async #fillValues(entities: Entity[]): Promise<void> {
    const { projection } = this.#read.plan;
    const { context } = this.#read;
    if (!showsValues(projection, context.registry) || entities.length === 0) return;
    const node = valuesOnly(context.registry, projection);
    const rows = await this.#read.rowsOf(this.#executor, node);
    fillValues(context, node, this.#tree, entities, rows);
  }

  async #load(builder: Builder): Promise<Loaded> {
    separateKeys(builder);
    const { callListeners } = builder.expressionMap;
    // TypeORM would tell listeners of metadata with the added part of the key.
    builder.callListeners(false);
    const write = builder.getQueryAndParameters.bind(builder);
    // The time limit of a statement is written at its beginning, before or after the first keyword.
    const loaded = await this.#read.execution.guard(this.#executor, head, (on, limited, stop) => {
      let running = '';
      builder.getQueryAndParameters = () => {
        const [text, values] = write();
        running = text.replace(/^select/i, () => limited.text);
        return [running, values];
      };
      const load = async (): Promise<Loaded> => {
        const found = await builder.getRawAndEntities();
        const { runner } = this.#executor;
        if (callListeners) await tellLoaded(runner, this.#target.metadata, found.entities);
        return found;
      };
      return on.stoppable(stop, () => running, load);
    });
    await this.#fillValues(loaded.entities);
    takeOffKeys(loaded.entities, this.#tree);
    return loaded;
  }
}

const head = plainStatement('select');

interface Loaded {
  readonly entities: Entity[];
  readonly raw: readonly { readonly [column: string]: unknown }[];
}

/** The tree of a projection, which requests with the same projection share. */
const treeOf = oncePer(entityTree);

/** The projection of the primary key only. */
const keyProjection = oncePer(({ model, primaryKey }: QuerySchema): ProjectionNode => ({
  model,
  fields: primaryKey,
  relations: [],
}));

/** Parts with the order of the page, followed by the terms of `tail`; keys replace the conditions and the window. */
function entityParts(parts: StatementParts, tail: Sql[]): StatementParts {
  const orderBy: Sql = [parts.orderBy ?? '', tail];
  return { ...parts, where: null, limit: null, offset: false, orderBy };
}
