/**
 * Makes a check of a JSON Schema (drafts 4, 7 and 2020-12). Zod's own reading of JSON Schema passes over much of
 * what a schema demands without a word, so that jobs would be let through that the host has ruled out.
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

/** How many of the schemas a value may fit. */
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

/** Keywords that look at what others have looked at, or lead out of the schema. */
const unsupported = ['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef', '$recursiveRef'];

/** The schema that `#/a/b` leads to. */
function resolve(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
    throw new Error('References lead to parts of the schema itself');
  }
  let found = root;
  for (const step of reference.slice(2).split('/').filter(Boolean)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    const holds = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    if (!holds) throw new Error('A reference leads nowhere');
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
    if (!isObject(schema)) throw new Error('A schema is an object or a boolean');
    const known = this.#checks.get(schema);
    if (known) return known;
    // It may be part of itself.
    let made: Check = () => null;
    this.#checks.set(schema, (value) => made(value));
    made = this.#all(schema);
    return made;
  };

  #all(schema: Keywords): Check {
    if (unsupported.some((name) => schema[name] !== undefined)) {
      throw new Error('The schema has a keyword that cannot be checked');
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

/** The check of a schema. Throws an `Error` where it is none, or asks for more than is checked here. */
export function compileSchema(schema: unknown): (value: unknown) => Failure {
  const check = new Compiler(schema).compile(schema);
  // One that only refers to itself would not come to an end.
  check(null);
  return check;
}
