/** Compiles `fields`, with wildcards, and `includes` of a declaration and refuses those that cannot work. */

import { knownNames } from '../../lib/index.ts';
import { type QuerySchema, type Refusals, configurationError } from '../../schema/index.ts';
import { type AggregateField, aggregateOf } from '../aggregates/aggregate.ts';
import type { RulesBase } from '../aggregates/compile-aggregates.ts';
import type { CompiledInclude, CompiledProjection } from './compiled.ts';
import type {
  ProjectionRule,
  QueryRulesDeclaration,
  RelationProjectionRule,
} from './declaration.ts';
import { unresolved } from './known-paths.ts';
import { resolvePath } from './resolve-path.ts';

export function compileRoot(
  schema: QuerySchema,
  fields: QueryRulesDeclaration['fields'],
  aggregates: RulesBase['aggregates'],
): CompiledProjection {
  const root = fields === 'all' ? fields : fields.root;
  if (root !== 'all') return compileProjection(schema, 'root', null, root, aggregates);
  const names = visibleFields(schema);
  return compileProjection(schema, 'root', null, { allowed: names, default: names }, aggregates);
}

/** Includes by path. A parent must be listed before its children. */
export function compileIncludes(
  { registry, model, aggregates }: RulesBase,
  includes: readonly string[],
  fields: QueryRulesDeclaration['fields'],
  maxChildren: number | false,
  refusals: Refusals,
): ReadonlyMap<string, CompiledInclude> {
  const projections = relationProjections(includes, fields);
  const compiled = new Map<string, CompiledInclude>();
  const listed = new Set(includes);
  const add = (path: string) => {
    const target = resolvePath(registry, model, path);
    if (!target?.relation) {
      const reason = target
        ? 'it is a field; name a relation.'
        : unresolved(registry, model, path, 'relation');
      throw refusal('includes', path, reason);
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
      throw refusal(
        'includes',
        path,
        `it has no projection; add fields.relations["${path}"] with allowed and default.`,
      );
    }
    const isMany = target.relation.cardinality === 'many';
    if (rule.maxChildren !== undefined && !isMany) {
      throw refusal('fields', path, 'maxChildren applies to many relations; drop it.');
    }
    compiled.set(
      path,
      Object.freeze({
        path,
        parent,
        target,
        relation: target.relation,
        maxChildren: (isMany && (rule.maxChildren ?? maxChildren)) || null,
        projection: compileProjection(schema, path, path, rule, aggregates),
      }),
    );
  };
  for (const path of includes) refusals.attempt(() => add(path));
  for (const path of Object.keys(projections)) {
    if (listed.has(path)) continue;
    refusals.attempt(() => {
      throw refusal('fields', path, 'it projects a relation that includes does not list; add it.');
    });
  }
  return compiled;
}

const visibleFields = ({ fields }: QuerySchema): readonly string[] =>
  fields.filter((field) => !field.internal).map((field) => field.path);

/** The projections of relations, written out where the declaration says `all`. */
function relationProjections(
  includes: readonly string[],
  fields: QueryRulesDeclaration['fields'],
): { readonly [path: string]: RelationProjectionRule } {
  if (fields !== 'all') return fields.relations ?? {};
  return Object.fromEntries(
    includes.map((path) => [path, { allowed: [`${path}.*`], default: [`${path}.*`] }]),
  );
}

function compileProjection(
  schema: QuerySchema,
  place: string,
  relationPath: string | null,
  rule: ProjectionRule,
  declared: RulesBase['aggregates'],
): CompiledProjection {
  const visible = visibleFields(schema);
  const prefix = relationPath === null ? '' : `${relationPath}.`;
  const bare = (entry: string) => (entry.startsWith(prefix) ? entry.slice(prefix.length) : entry);
  const names = rule.allowed.map(bare);
  const wildcard = relationPath !== null && rule.allowed.includes(`${prefix}*`);
  if (wildcard && names.length > 1) {
    throw refusal('fields', place, 'a wildcard stands alone in allowed; drop the other entries.');
  }
  const allowed = wildcard ? visible : names;
  const aggregates = new Map<string, AggregateField>();
  for (const name of allowed) {
    if (visible.includes(name)) continue;
    const aggregate = ownAggregate(declared, prefix, name);
    if (aggregate) {
      aggregates.set(name, aggregate);
      continue;
    }
    throw refusal(
      'fields',
      place,
      name === '*'
        ? 'the wildcard is written <relation>.* and only for a relation; list the fields.'
        : `${schema.model} has no visible field "${name}"; it has ${knownNames(name, visible)}.`,
    );
  }
  const shows = relationPath !== null && rule.default.includes(`${prefix}*`);
  if (shows && rule.default.length > 1) {
    throw refusal('fields', place, 'a wildcard stands alone in default; drop the other entries.');
  }
  const defaults = shows ? allowed : rule.default.map(bare);
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
    ...(aggregates.size > 0 && { aggregates }),
  });
}

/** The value over a relation of the projected rows themselves, as `posts.$count`; that of a row behind them is shown there. */
function ownAggregate(
  declared: RulesBase['aggregates'],
  prefix: string,
  name: string,
): AggregateField | undefined {
  const field = declared.get(`${prefix}${name}`)?.field;
  return field?.path === name && aggregateOf(field) ? (field as AggregateField) : undefined;
}

function refusal(rule: string, path: string, message: string) {
  return configurationError(`rules.${rule} "${path}": ${message}`, { rule, path });
}
