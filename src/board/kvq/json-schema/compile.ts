/**
 * Compiles a JSON Schema (drafts 4, 7 and 2020-12) to a validator. The JSON Schema import of zod silently ignores many
 * keywords, which would accept jobs that the host has excluded.
 */

import { collectionKeywords } from './collections.ts';
import { scalarKeywords } from './scalars.ts';
import type { Check, Compile, Failure, Keyword, Keywords } from './types.ts';
import { here, isObject } from './types.ts';

const all = (checks: readonly Check[]): Check => {
  return (value) => {
    for (const check of checks) {
      const failure = check(value);
      if (failure) return failure;
    }
    return null;
  };
};

/** How many of the schemas a value may match. */
function some(allows: (fitting: number, of: number) => boolean): Keyword {
  return (holds, _schema, compile) => {
    const checks = (Array.isArray(holds) ? holds : []).map(compile);
    return (value) => {
      const fitting = checks.filter((check) => check(value) === null).length;
      return allows(fitting, checks.length) ? null : here;
    };
  };
}

const conditional: Keyword = (holds, schema, compile) => {
  const condition = compile(holds);
  const then = compile(schema['then'] ?? true);
  const otherwise = compile(schema['else'] ?? true);
  return (value) => (condition(value) === null ? then(value) : otherwise(value));
};

const keywords = new Map<string, Keyword>([
  ...Object.entries(scalarKeywords),
  ...Object.entries(collectionKeywords),
  ['allOf', (holds, _schema, compile) => all((Array.isArray(holds) ? holds : []).map(compile))],
  ['anyOf', some((fitting) => fitting > 0)],
  ['oneOf', some((fitting) => fitting === 1)],
  [
    'not',
    (holds, _schema, compile) => {
      const check = compile(holds);
      return (value) => (check(value) === null ? here : null);
    },
  ],
  ['if', conditional],
]);

/** Unsupported keywords: they depend on other evaluations, or refer outside the schema. */
const unsupported = ['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef', '$recursiveRef'];

/** The schema at the reference `#/a/b`. */
function resolve(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
    throw new Error('References must refer to parts of the same schema');
  }
  let found = root;
  for (const step of reference.slice(2).split('/').filter(Boolean)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    const holds = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    if (!holds) throw new Error('A reference has no target');
    found = Reflect.get(Object(found), name);
  }
  return found;
}

class Compiler {
  readonly #root: unknown;
  readonly #checks = new Map<unknown, Check>();

  constructor(root: unknown) {
    this.#root = root;
  }

  readonly compile: Compile = (schema) => {
    if (typeof schema === 'boolean') return () => (schema ? null : here);
    if (!isObject(schema)) throw new Error('A schema must be an object or a boolean');
    const known = this.#checks.get(schema);
    if (known) return known;
    // The schema may be recursive.
    let made: Check = () => null;
    this.#checks.set(schema, (value) => made(value));
    made = this.#all(schema);
    return made;
  };

  #all(schema: Keywords): Check {
    if (unsupported.some((name) => schema[name] !== undefined)) {
      throw new Error('The schema has an unsupported keyword');
    }
    const checks: Check[] = [];
    if (schema['$ref'] !== undefined) {
      checks.push(this.compile(resolve(this.#root, schema['$ref'])));
    }
    for (const [name, keyword] of keywords) {
      const holds = Object.hasOwn(schema, name) ? schema[name] : undefined;
      if (holds !== undefined) checks.push(keyword(holds, schema, this.compile));
    }
    return all(checks);
  }
}

/** Compiles a schema. Throws an `Error` when it is invalid or uses an unsupported keyword. */
export function compileSchema(schema: unknown): (value: unknown) => Failure {
  const check = new Compiler(schema).compile(schema);
  // A schema that refers only to itself would recurse endlessly.
  check(null);
  return check;
}
