/** Compiles `fields`, with wildcards, and `includes` of a declaration and refuses those that cannot work. */

import { type QuerySchema, type SchemaRegistry, configurationError } from '../../schema/index.ts';
import type { CompiledInclude, CompiledProjection } from './compiled.ts';
import type { ProjectionRule, QueryRulesDeclaration } from './declaration.ts';
import { resolvePath } from './resolve-path.ts';

/** The projection of the root. */
export function compileRoot(
  schema: QuerySchema,
  fields: QueryRulesDeclaration['fields'],
): CompiledProjection {
  return compileProjection(schema, 'root', null, fields.root);
}

/** Includes by path. A parent must be listed before its children. */
export function compileIncludes(
  registry: SchemaRegistry,
  model: string,
  includes: readonly string[],
  projections: { readonly [path: string]: ProjectionRule },
): ReadonlyMap<string, CompiledInclude> {
  const compiled = new Map<string, CompiledInclude>();
  const listed = new Set(includes);
  for (const path of includes) {
    const target = resolvePath(registry, model, path);
    if (!target?.relation) {
      throw refusal('includes', path, `${model} has no such relation; name a declared relation.`);
    }
    if (compiled.has(path)) throw refusal('includes', path, 'the path is listed twice; keep one.');
    const dot = path.lastIndexOf('.');
    const parent = dot < 0 ? null : path.slice(0, dot);
    if (parent !== null && !listed.has(parent)) {
      throw refusal('includes', path, `its parent "${parent}" is not listed; add it.`);
    }
    const rule = Object.hasOwn(projections, path) ? projections[path] : undefined;
    const schema = registry.get(target.relation.target);
    if (!rule || !schema) {
      throw refusal('includes', path, `it has no projection; add fields.relations["${path}"].`);
    }
    compiled.set(
      path,
      Object.freeze({
        path,
        parent,
        target,
        relation: target.relation,
        projection: compileProjection(schema, path, path, rule),
      }),
    );
  }
  for (const path of Object.keys(projections)) {
    if (!listed.has(path)) {
      throw refusal('fields', path, 'it projects a relation that includes does not list; add it.');
    }
  }
  return compiled;
}

function compileProjection(
  schema: QuerySchema,
  place: string,
  relationPath: string | null,
  rule: ProjectionRule,
): CompiledProjection {
  const visible = schema.fields.filter((field) => !field.internal).map((field) => field.path);
  const prefix = relationPath === null ? '' : `${relationPath}.`;
  const bare = (entry: string) => (entry.startsWith(prefix) ? entry.slice(prefix.length) : entry);
  const names = rule.allowed.map(bare);
  const wildcard = relationPath !== null && rule.allowed.includes(`${prefix}*`);
  if (wildcard && names.length > 1) {
    throw refusal('fields', place, 'a wildcard stands alone in allowed; drop the other entries.');
  }
  const allowed = wildcard ? visible : names;
  for (const name of allowed) {
    if (visible.includes(name)) continue;
    throw refusal(
      'fields',
      place,
      name === '*'
        ? 'the wildcard is written <relation>.* and only for a relation; list the fields.'
        : `${schema.model} has no visible field "${name}"; name declared, non-internal fields.`,
    );
  }
  const defaults = rule.default.map(bare);
  if (defaults.length === 0) {
    throw refusal('fields', place, 'its default is empty; name at least one field.');
  }
  for (const name of defaults) {
    if (!allowed.includes(name)) {
      throw refusal('fields', place, `default names "${name}", which allowed does not; add it.`);
    }
  }
  return Object.freeze({
    allowed: new Set(allowed),
    default: Object.freeze([...new Set(defaults)]),
  });
}

function refusal(rule: string, path: string, message: string) {
  return configurationError(`rules.${rule} "${path}": ${message}`, { rule, path });
}
