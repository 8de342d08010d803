/** Describes an entity from its declarations: its own model, and one for each entity embedded in it. */

import type { SchemaColumn, SchemaRelation, SchemaTable } from '../../../relational/index.ts';
import { annotatedProperties } from './annotations.ts';
import type { DeclaredEntity, DeclaredPart, EntityKey } from './declared-entity.ts';
import { describeFields } from './describe-fields.ts';
import type { Refuse } from './refuse.ts';

/** The context of an entity that is being described. */
interface Surroundings {
  /** Finds the entity a relation leads to among those that are registered. */
  readonly find: (key: EntityKey) => DeclaredEntity | undefined;
  readonly refuse: Refuse;
}

/** Columns by path. */
type Columns = ReadonlyMap<string, SchemaColumn>;

/** Models with their fields and relations. */
type Described = (readonly [model: string, described: SchemaTable])[];

/**
 * The models of an entity, its own first. An embedded entity is a model `<model>_<property>` that a `one`
 * relation leads to; it shares the row, and so the key, which it has as internal fields.
 */
export function describeEntity(entity: DeclaredEntity, around: Surroundings): Described {
  return describePart(entity.name, entity.model, entity, around);
}

/** The models of a part; `rowKey` is the key of the row, for an embedded entity. */
function describePart(
  owner: string,
  model: string,
  part: DeclaredPart,
  around: Surroundings,
  rowKey?: Columns,
): Described {
  const { refuse } = around;
  const annotations = annotatedProperties(part.target);
  const properties = new Set(
    [...part.columns, ...part.embeddeds, ...part.relations].map(({ property }) => property),
  );
  for (const property of annotations.keys()) {
    if (properties.has(property)) continue;
    refuse(
      owner,
      property,
      'it is annotated, but TypeORM knows no such column or relation; decorate it, or drop the annotation.',
    );
  }
  const own = describeFields(owner, part, refuse);
  const columns = new Map(own);
  const key = new Map<string, SchemaColumn>();
  for (const [path, column] of rowKey ?? keyOf(owner, part, refuse, own)) {
    let free = path;
    if (own.get(path) !== column) {
      while (properties.has(free)) free = `_${free}`;
      // Keys that stand elsewhere in the row are internal fields without companions.
      const said = { internal: true, foldedField: false, portableOrderField: false } as const;
      columns.set(free, { ...column, nullable: false, said });
    }
    key.set(free, column);
  }
  const isShown = ({ property }: { readonly property: string }) =>
    annotations.get(property)?.hidden !== true;
  const relations = relationsOf(owner, part.relations.filter(isShown), around);
  const embedded = part.embeddeds.filter(isShown).flatMap(({ property, isArray, part: inner }) => {
    if (isArray) {
      refuse(
        owner,
        property,
        'a list of embedded entities lives in no column; keep it out with @QueryHidden().',
      );
      return [];
    }
    const target = `${model}_${property}`;
    relations.set(property, { target, cardinality: 'one', nullable: false });
    return describePart(`${owner}.${property}`, target, inner(), around, rowKey ?? key);
  });
  return [[model, { columns, primaryKey: [...key.keys()], relations }], ...embedded];
}

/** The columns of the key in a part and in the entities embedded in it, where the dots of paths are underscores. */
function keyOf(
  owner: string,
  part: DeclaredPart,
  refuse: Refuse,
  own?: Columns,
): (readonly [path: string, column: SchemaColumn])[] {
  const names = new Set(
    part.columns.filter(({ options }) => options.primary).map(({ property }) => property),
  );
  const fields = own ?? (names.size > 0 ? describeFields(owner, part, refuse) : new Map());
  const embedded = part.embeddeds.flatMap(({ property, isArray, part: inner }) =>
    isArray
      ? []
      : keyOf(owner, inner(), refuse).map(
          ([path, column]) => [`${property}_${path}`, column] as const,
        ),
  );
  return [...[...fields].filter(([path]) => names.has(path)), ...embedded];
}

function relationsOf(
  owner: string,
  declared: DeclaredPart['relations'],
  { find, refuse }: Surroundings,
) {
  const relations = new Map<string, SchemaRelation>();
  for (const { property, cardinality, owning, nullable, target } of declared) {
    const entity = find(target());
    if (!entity) {
      refuse(
        owner,
        property,
        'it leads to an entity that is not given; pass that one too, or keep the relation out with @QueryHidden().',
      );
      continue;
    }
    // A row that is there but deleted, or of another type, is as good as absent.
    const isDeletable = entity.columns.some(({ mode }) => mode === 'deleteDate');
    const isAlwaysThere = owning && nullable === false && !entity.isChild && !isDeletable;
    relations.set(property, {
      target: entity.model,
      cardinality,
      nullable: cardinality === 'one' && !isAlwaysThere,
    });
  }
  return relations;
}
