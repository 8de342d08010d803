/** Derives the query schemas of an entity: its own, and one for each entity embedded in it. */

import type { FieldDescriptor, QuerySchema, RelationDescriptor } from '../../schema/index.ts';
import { annotatedProperties } from './annotations.ts';
import type {
  DeclaredEmbedded,
  DeclaredEntity,
  DeclaredPart,
  DeclaredRelation,
  EntityKey,
} from './declared-entity.ts';
import { describeFields } from './describe-fields.ts';
import type { Refuse } from './refuse.ts';

/** The context of an entity that is being described. */
interface Surroundings {
  /** Finds the entity a relation leads to among those that are registered. */
  readonly find: (key: EntityKey) => DeclaredEntity | undefined;
  readonly refuse: Refuse;
}

/** A description under way. */
interface Describing extends Surroundings {
  /** Schemas of the embedded entities found so far. */
  readonly embedded: QuerySchema[];
}

/** Name of the model that represents an embedded entity. */
const embeddedModel = (model: string, property: string): string => `${model}_${property}`;

/**
 * The schemas of an entity, its own first. An embedded entity is a model `<model>_<property>` that a `one`
 * relation leads to; it shares the row, and so the key, which it has as internal fields.
 */
export function describeEntity(entity: DeclaredEntity, around: Surroundings): QuerySchema[] {
  const { refuse } = around;
  refuseStrayAnnotations(entity.name, entity, refuse);
  const fields = describeFields(entity.name, entity, refuse);
  const keys = [
    ...fields.filter(({ primaryKey }) => primaryKey),
    ...embeddedKeys(entity.name, entity.embeddeds, [], refuse),
  ];
  const own = new Set(fields.map(({ path }) => path));
  const key = keys.map((field) => ({ ...field, path: freePath(field.path, own, fields) }));
  const embedded: QuerySchema[] = [];
  const on: Describing = { ...around, embedded };
  const relations = describeParts(entity.name, entity.model, entity, key, on);
  const schema: QuerySchema = {
    model: entity.model,
    primaryKey: key.map(({ path }) => path),
    fields: [...fields, ...key.filter(({ path }) => !own.has(path))],
    relations,
  };
  return [schema, ...embedded];
}

/** Keys that stand in embedded entities are internal fields of the entity itself. */
function embeddedKeys(
  owner: string,
  embeddeds: readonly DeclaredEmbedded[],
  way: readonly string[],
  refuse: Refuse,
): FieldDescriptor[] {
  return embeddeds.flatMap(({ property, isArray, part }) => {
    const declared = part();
    const here = [...way, property];
    const hasKey = declared.columns.some(({ options }) => options.primary);
    if (isArray || (!hasKey && declared.embeddeds.length === 0)) return [];
    const fields = hasKey
      ? describeFields(owner, declared, refuse).filter(({ primaryKey }) => primaryKey)
      : [];
    return [
      ...fields.map((field) => ({ ...plain(field), path: [...here, field.path].join('_') })),
      ...embeddedKeys(owner, declared.embeddeds, here, refuse),
    ];
  });
}

/** A field as a bare internal one. */
function plain({ path, kind, unsigned, primaryKey, enumValues }: FieldDescriptor): FieldDescriptor {
  return {
    path,
    kind,
    nullable: false,
    ...(unsigned && { unsigned }),
    primaryKey,
    ...(enumValues && { enumValues }),
    internal: true,
  };
}

/** A path that no other field has; a key of the entity itself keeps its own. */
function freePath(
  path: string,
  taken: ReadonlySet<string>,
  fields: readonly FieldDescriptor[],
): string {
  const isOwnKey = fields.some((field) => field.path === path && field.primaryKey);
  let free = path;
  while (!isOwnKey && taken.has(free)) free = `_${free}`;
  return free;
}

/** The relations of a part; the schemas of its embedded entities are added to `embedded`. */
function describeParts(
  owner: string,
  model: string,
  part: DeclaredPart,
  key: readonly FieldDescriptor[],
  on: Describing,
): RelationDescriptor[] {
  const annotations = annotatedProperties(part.target);
  const isHidden = ({ property }: { readonly property: string }) =>
    annotations.get(property)?.hidden === true;
  const relations = part.relations
    .filter((relation) => !isHidden(relation))
    .flatMap((relation) => describeRelation(owner, relation, on));
  for (const each of part.embeddeds.filter((candidate) => !isHidden(candidate))) {
    relations.push(...describeEmbedded(owner, model, each, key, on));
  }
  return relations;
}

function describeEmbedded(
  owner: string,
  model: string,
  { property, isArray, part }: DeclaredEmbedded,
  key: readonly FieldDescriptor[],
  on: Describing,
): RelationDescriptor[] {
  const { refuse, embedded } = on;
  const where = `${owner}.${property}`;
  if (isArray) {
    refuse(
      owner,
      property,
      'a list of embedded entities lives in no column; keep it out with @QueryHidden().',
    );
    return [];
  }
  const declared = part();
  refuseStrayAnnotations(where, declared, refuse);
  const target = embeddedModel(model, property);
  const fields = describeFields(where, declared, refuse).map((field) =>
    field.primaryKey ? { ...field, primaryKey: false } : field,
  );
  const taken = new Set([
    ...fields.map(({ path }) => path),
    ...declared.relations.map((relation) => relation.property),
    ...declared.embeddeds.map((each) => each.property),
  ]);
  const shared = key.map((field) => ({ ...plain(field), path: freePath(field.path, taken, []) }));
  const schemas: QuerySchema[] = [];
  const relations = describeParts(where, target, declared, key, { ...on, embedded: schemas });
  embedded.push({
    model: target,
    primaryKey: shared.map(({ path }) => path),
    fields: [...fields, ...shared],
    relations,
  });
  embedded.push(...schemas);
  return [{ path: property, target, cardinality: 'one', nullable: false }];
}

function describeRelation(
  owner: string,
  { property, cardinality, owning, nullable, target }: DeclaredRelation,
  { find, refuse }: Describing,
): RelationDescriptor[] {
  const entity = find(target());
  if (!entity) {
    refuse(
      owner,
      property,
      'it leads to an entity that is not given; pass that one too, or keep the relation out with @QueryHidden().',
    );
    return [];
  }
  // A row that is there but deleted, or of another type, is as good as absent.
  const isAlwaysThere = owning && nullable === false && !leavesRowsOut(entity);
  return [
    {
      path: property,
      target: entity.model,
      cardinality,
      nullable: cardinality === 'one' && !isAlwaysThere,
    },
  ];
}

/** Whether TypeORM excludes rows of the table by default: those of other entities, or those that are soft-deleted. */
function leavesRowsOut(entity: DeclaredEntity): boolean {
  return entity.isChild || entity.columns.some(({ mode }) => mode === 'deleteDate');
}

function refuseStrayAnnotations(owner: string, part: DeclaredPart, refuse: Refuse): void {
  const properties = new Set(
    [...part.columns, ...part.embeddeds, ...part.relations].map(({ property }) => property),
  );
  for (const property of annotatedProperties(part.target).keys()) {
    if (properties.has(property)) continue;
    refuse(
      owner,
      property,
      'it is annotated, but TypeORM knows no such column or relation; decorate it, or drop the annotation.',
    );
  }
}
