/** JSON Schema keywords for arrays and objects. */

import type { Check, Keyword, Keywords } from './types.ts';
import { canonical, firstOf, here, isObject, patternOf } from './types.ts';

/** A constraint on arrays; other values are valid. */
function ofLists(check: (items: readonly unknown[]) => ReturnType<Check>): Check {
  return (value) => (Array.isArray(value) ? check(value) : null);
}

/** A constraint on objects; other values are valid. */
function ofObjects(check: (value: Keywords) => ReturnType<Check>): Check {
  return (value) => (isObject(value) ? check(value) : null);
}

const passes = (test: boolean) => (test ? null : here);

/** Items from an index on. */
function itemsFrom(start: number, check: Check): Check {
  return ofLists((items) =>
    firstOf(
      items.slice(start).entries(),
      ([, item]) => check(item),
      ([index]) => [start + index],
    ),
  );
}

/** Items by index. */
const itemsInOrder: Keyword = (holds, _schema, compile) => {
  const checks = (Array.isArray(holds) ? holds : []).map(compile);
  return ofLists((items) =>
    firstOf(
      items.slice(0, checks.length).entries(),
      ([index, item]) => checks[index]?.(item) ?? null,
      ([index]) => [index],
    ),
  );
};

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

const items: Keyword = (holds, schema, compile) =>
  Array.isArray(holds)
    ? itemsInOrder(holds, schema, compile)
    : itemsFrom(lengthOf(schema['prefixItems']), compile(holds));

const contains: Keyword = (holds, schema, compile) => {
  const check = compile(holds);
  const { minContains: least = 1, maxContains: most = Infinity } = schema;
  return ofLists((values) => {
    const found = values.filter((value) => check(value) === null).length;
    return passes(found >= Number(least) && found <= Number(most));
  });
};

const namesOf = (schema: unknown): string[] => (isObject(schema) ? Object.keys(schema) : []);

const schemasOf = (holds: unknown): (readonly [string, unknown])[] => {
  if (!isObject(holds)) throw new Error('The keyword must hold schemas by name');
  return Object.entries(holds);
};

const properties: Keyword = (holds, _schema, compile) => {
  const checks = schemasOf(holds).map(([name, schema]) => [name, compile(schema)] as const);
  return ofObjects((value) =>
    firstOf(
      checks,
      ([name, check]) => (Object.hasOwn(value, name) ? check(value[name]) : null),
      ([name]) => [name],
    ),
  );
};

const patternProperties: Keyword = (holds, _schema, compile) => {
  const checks = schemasOf(holds).map(
    ([pattern, schema]) => [patternOf(pattern), compile(schema)] as const,
  );
  return ofObjects((value) =>
    firstOf(
      Object.keys(value).flatMap((name) =>
        checks.flatMap(([pattern, check]) => (pattern.test(name) ? [{ name, check }] : [])),
      ),
      ({ name, check }) => check(value[name]),
      ({ name }) => [name],
    ),
  );
};

const additionalProperties: Keyword = (holds, schema, compile) => {
  const check = compile(holds);
  const known = new Set(namesOf(schema['properties']));
  const patterns = namesOf(schema['patternProperties']).map(patternOf);
  return ofObjects((value) =>
    firstOf(
      Object.keys(value).filter(
        (name) => !known.has(name) && !patterns.some((pattern) => pattern.test(name)),
      ),
      (name) => check(value[name]),
      (name) => [name],
    ),
  );
};

/** Reports the name of the missing property. */
function demands(names: unknown): Check {
  const needed = (Array.isArray(names) ? names : []).map(String);
  return ofObjects((value) => {
    const missing = needed.find((name) => !Object.hasOwn(value, name));
    return missing === undefined ? null : [missing];
  });
}

/** Constraints on objects that have a property: other properties, or a schema. */
const dependent: Keyword = (holds, _schema, compile) => {
  const checks = schemasOf(holds).map(
    ([name, needs]) => [name, Array.isArray(needs) ? demands(needs) : compile(needs)] as const,
  );
  return ofObjects((value) =>
    firstOf(
      checks,
      ([name, check]) => (Object.hasOwn(value, name) ? check(value) : null),
      () => [],
    ),
  );
};

export const collectionKeywords: Readonly<Record<string, Keyword>> = {
  prefixItems: itemsInOrder,
  items,
  additionalItems: (holds, schema, compile) =>
    Array.isArray(schema['items']) ? itemsFrom(schema['items'].length, compile(holds)) : () => null,
  contains,
  minItems: (least) => ofLists((values) => passes(values.length >= Number(least))),
  maxItems: (most) => ofLists((values) => passes(values.length <= Number(most))),
  uniqueItems: (holds) =>
    ofLists((values) =>
      passes(holds !== true || new Set(values.map(canonical)).size === values.length),
    ),
  properties,
  patternProperties,
  additionalProperties,
  propertyNames: (holds, _schema, compile) => {
    const check = compile(holds);
    return ofObjects((value) => firstOf(Object.keys(value), check, (name) => [name]));
  },
  required: demands,
  minProperties: (least) =>
    ofObjects((value) => passes(Object.keys(value).length >= Number(least))),
  maxProperties: (most) => ofObjects((value) => passes(Object.keys(value).length <= Number(most))),
  dependentRequired: dependent,
  dependentSchemas: dependent,
  dependencies: dependent,
};
