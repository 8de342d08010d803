/** Follows the relations between rows in memory. */

import type { FieldDescriptor } from '../../../src/schema/index.ts';
import type { World } from '../fixtures/dataset.ts';
import type { MatrixModel, ModelRelation, StoredRow } from '../fixtures/model.ts';
import { fieldDescriptors } from '../fixtures/model.ts';
import { models as matrixModels } from '../fixtures/models.ts';

/** The models of a world by name, and their fields and relations by path. */
interface Graph {
  readonly models: ReadonlyMap<string, MatrixModel>;
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, FieldDescriptor>>;
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, ModelRelation>>;
}

const graphs = new WeakMap<readonly MatrixModel[], Graph>();

function graphOf({ models = matrixModels }: Pick<World, 'models'>): Graph {
  let graph = graphs.get(models);
  if (!graph) {
    const byPath = <Part extends { readonly path: string }>(
      partsOf: (model: MatrixModel) => readonly Part[],
    ) =>
      new Map(
        models.map((each) => [
          each.model,
          new Map(partsOf(each).map((part): [string, Part] => [part.path, part])),
        ]),
      );
    graph = {
      models: new Map(models.map((each) => [each.model, each])),
      fields: byPath(fieldDescriptors),
      relations: byPath(({ relations }) => relations),
    };
    graphs.set(models, graph);
  }
  return graph;
}

/** A model of a world by name. Default: of the matrix. */
export function modelOf(name: string, world: Pick<World, 'models'> = {}): MatrixModel {
  const model = graphOf(world).models.get(name);
  if (!model) throw new TypeError(`The world has no model ${name}.`);
  return model;
}

/** A field of a model, companions included. */
export function fieldOf(world: World, model: string, path: string): FieldDescriptor | undefined {
  return graphOf(world).fields.get(model)?.get(path);
}

/** A relation of a model. */
export function relationOf(world: World, model: string, path: string): ModelRelation | undefined {
  return graphOf(world).relations.get(model)?.get(path);
}

/** A key as one string; `null` if a part is null, which matches nothing. */
function keyOf(row: StoredRow, paths: readonly string[]): string | null {
  const values = paths.map((path) => row[path] ?? null);
  return values.includes(null) ? null : JSON.stringify(values);
}

/** Target rows by the key of their source row, in the order of the world. */
type Targets = ReadonlyMap<string, readonly StoredRow[]>;

const followed = new WeakMap<World, Map<ModelRelation, Targets>>();

function targetsOf(world: World, relation: ModelRelation): Targets {
  let known = followed.get(world);
  if (!known) {
    known = new Map();
    followed.set(world, known);
  }
  const targets = known.get(relation) ?? collect(world, relation);
  known.set(relation, targets);
  return targets;
}

function collect(world: World, { target, to, through }: ModelRelation): Targets {
  const targets = new Map<string, StoredRow[]>();
  const add = (key: string | null, row: StoredRow): void => {
    if (key === null) return;
    const known = targets.get(key);
    if (known) known.push(row);
    else targets.set(key, [row]);
  };
  const links = through && (world.joins.get(through.table) ?? []);
  for (const row of world.rows.get(target) ?? []) {
    const key = keyOf(row, to);
    if (!through) add(key, row);
    for (const link of links ?? []) {
      if (through && keyOf(link, through.to) === key) add(keyOf(link, through.from), row);
    }
  }
  return targets;
}

const none: readonly StoredRow[] = [];

/** The target rows of a relation of a row, in the order of the world. */
export function related(
  world: World,
  relation: ModelRelation,
  row: StoredRow,
): readonly StoredRow[] {
  const key = keyOf(row, relation.from);
  return (key === null ? undefined : targetsOf(world, relation).get(key)) ?? none;
}

/**
 * The rows at the end of a chain of relations. An absent `one` relation gives `null`, as in a left join; an empty
 * `many` relation gives no row.
 */
export function reach(
  world: World,
  model: string,
  row: StoredRow,
  path: readonly string[],
): { readonly model: string; readonly rows: readonly (StoredRow | null)[] } {
  let at: { model: string; rows: readonly (StoredRow | null)[] } = { model, rows: [row] };
  for (const segment of path) {
    const relation = relationOf(world, at.model, segment);
    if (!relation) throw new TypeError(`${at.model} has no relation ${segment}.`);
    const next = at.rows.flatMap((each): readonly (StoredRow | null)[] => {
      const found = each ? related(world, relation, each) : none;
      return relation.cardinality === 'one' ? [found[0] ?? null] : found;
    });
    at = { model: relation.target, rows: next };
  }
  return at;
}
