/** Columns of nestjs-paginate as paths of a schema registry. */

import type { FieldDescriptor, RelationDescriptor, SchemaRegistry } from '../../schema/index.ts';
import { resolvePath } from '../../rules/index.ts';

/** A column that the registry has. */
export interface Column {
  /** Path in rules and requests: `toys.size.height` for `toys.(size.height)`. */
  readonly path: string;
  /** Paths of the relations with many rows that it crosses, from the root. */
  readonly many: readonly string[];
  /** Path of the last relation that it crosses; empty for a column of the root. */
  readonly relation: string;
  /** Path of the last relation, behind those with many rows, if it leads to one row; `null` for none. */
  readonly one: string | null;
  /** `null` where the path is that of a relation. */
  readonly field: FieldDescriptor | null;
}

/** The path of a column: embedded properties of a relation stand in parentheses there. */
export const pathOf = (name: string): string => name.replaceAll(/[()]/g, '');

/** Finds columns of a model; `null` where there is none, as for polymorphic groups. */
export function columnsOf(
  registry: SchemaRegistry,
  model: string,
): (name: string) => Column | null {
  const known = new Map<string, Column | null>();
  const find = (name: string): Column | null => {
    const target = resolvePath(registry, model, pathOf(name));
    if (!target) return null;
    const many: string[] = [];
    let prefix = '';
    let one: string | null = null;
    let at = model;
    for (const hop of target.hops) {
      prefix = within(prefix, hop.path);
      if (hop.cardinality === 'many') {
        many.push(prefix);
        one = null;
      } else if (!isEmbedded(at, hop))
        one = prefix.slice(many.at(-1) ? `${many.at(-1)}.`.length : 0);
      at = hop.target;
    }
    return { path: target.path, many, relation: prefix, one, field: target.field };
  };
  return (name) => {
    let column = known.get(name);
    if (column === undefined) {
      column = find(name);
      known.set(name, column);
    }
    return column;
  };
}

/** The path of a relation behind another; the root has the empty path. */
export const within = (relation: string, name: string): string =>
  relation === '' ? name : `${relation}.${name}`;

/** Whether the columns of the relation are those of its own row, as of an embedded entity of TypeORM. */
function isEmbedded(model: string, { path, target, cardinality }: RelationDescriptor): boolean {
  return cardinality === 'one' && target === `${model}_${path}`;
}

/** The relations whose columns are those of the rows of a relation, by its path: none where it is not in the registry. */
export function embeddedIn(
  registry: SchemaRegistry,
  model: string,
  relation: string,
): readonly string[] {
  let at: string | undefined = model;
  for (const name of relation === '' ? [] : relation.split('.')) {
    at = registry.get(at ?? '')?.relations.find(({ path }) => path === name)?.target;
  }
  const schema = registry.get(at ?? '');
  return (schema?.relations ?? [])
    .filter((hop) => isEmbedded(schema?.model ?? '', hop))
    .map(({ path }) => within(relation, path));
}
