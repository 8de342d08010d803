/** `@sluice.name(arguments)` in the documentation comments of a Prisma schema. */

import { refuse } from './dmmf.ts';

/** The annotations of one model, field or enum by name, each with its arguments. */
export type Annotations = ReadonlyMap<string, readonly string[]>;

/** The number of arguments of each annotation, per target that supports it. */
const targets = {
  model: { hidden: [0, 0] },
  field: {
    kind: [1, 1],
    folded: [1, 1],
    order: [1, 1],
    values: [1, Infinity],
    paths: [1, Infinity],
    internal: [0, 0],
    hidden: [0, 0],
  },
  relation: { through: [2, 2], hidden: [0, 0] },
  enum: { mapped: [0, 0] },
} as const satisfies {
  [target: string]: { [name: string]: readonly [least: number, most: number] };
};

type AnnotationTarget = keyof typeof targets;

const annotation = /@sluice\.([A-Za-z]+)(?:\(((?:[^()"]|"[^"]*")*)\))?/g;
const argument = /"([^"]*)"|[^\s,"][^,"]*/g;

/**
 * Reads the annotations of a comment.
 *
 * @throws {SchemaError} when an annotation does not exist, has no meaning there, occurs twice, or has a wrong
 * number of arguments
 */
export function annotationsOf(
  target: AnnotationTarget,
  documentation: string | undefined,
  model: string,
  field: string | null,
): Annotations {
  const found = new Map<string, readonly string[]>();
  if (!documentation?.includes('@sluice')) return found;
  const known = new Map<string, readonly [number, number]>(Object.entries(targets[target]));
  for (const [, name = '', text = ''] of documentation.matchAll(annotation)) {
    const arity = known.get(name);
    if (!arity) {
      const names = [...known.keys()].map((each) => `@sluice.${each}`).join(', ');
      refuse(model, field, `@sluice.${name} is not allowed on a ${target}; use one of ${names}.`);
    }
    if (found.has(name)) refuse(model, field, `@sluice.${name} occurs twice; keep one.`);
    const args = [...text.matchAll(argument)].map(([whole, quoted]) => quoted ?? whole.trim());
    if (args.length < arity[0] || args.length > arity[1]) {
      refuse(model, field, `@sluice.${name} has ${args.length} arguments; ${wanted(arity)}.`);
    }
    found.set(name, args);
  }
  if (found.size === 0) {
    refuse(
      model,
      field,
      'an @sluice annotation is written @sluice.name or @sluice.name(argument).',
    );
  }
  return found;
}

function wanted([least, most]: readonly [number, number]): string {
  if (most === 0) return 'it takes none';
  return least === most ? `it takes ${least}` : `it takes at least ${least}`;
}
