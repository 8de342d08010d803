/** Effective settings of an endpoint, checked at boot. */

import {
  type FieldKind,
  type QueryError,
  type QuerySchema,
  type SchemaRegistry,
  configurationError,
  fieldNamed,
} from '../../schema/index.ts';
import type { CompiledPagination, CompiledQueryRules } from './compiled.ts';
import {
  type DatabaseFamily,
  type PaginationRule,
  type QueryLimits,
  type QuerySettings,
  databaseFamilies,
} from './declaration.ts';
import type { CursorForm } from '../plan/cursor/cursor-form.ts';
import type { CountPolicy } from '../plan/plan.ts';
import { readableCursors } from '../plan/cursor/readable-cursor.ts';
import { sealedCursors } from '../plan/cursor/sealed-cursor.ts';
import { grammarParams } from '../request/request-key.ts';

const defaultLimits: QueryLimits = {
  maxQueryLength: 16_384,
  maxBodyLength: 262_144,
  maxFilters: 50,
  maxListLength: 1000,
  maxTextLength: 1000,
  maxOffset: Number.MAX_SAFE_INTEGER,
};

/** Settings with their defaults. */
interface EffectiveSettings {
  readonly families: readonly DatabaseFamily[];
  readonly limits: QueryLimits;
  readonly passthroughParams: ReadonlySet<string>;
  readonly cursors: CursorForm;
}

/** The error of a host's parameter that has the name of one of the grammar. */
export const ownParam = (param: string): QueryError<'SOURCE_CONFIGURATION_INVALID'> =>
  configurationError(
    `settings.passthroughParams: "${param}" belongs to the request grammar; rename the parameter.`,
    { param },
  );

/** Fills in defaults of settings that have been checked against their table. */
export function resolveSettings(
  settings: QuerySettings,
  registry: SchemaRegistry,
): EffectiveSettings {
  if (settings.portable && settings.families) {
    throw configurationError('settings: "portable" means all families; drop one of the two.', {
      setting: 'portable',
    });
  }
  const own = settings.portable ? undefined : (settings.families ?? registry.families);
  const given = Object.entries(settings.limits ?? {}).filter(([, value]) => value !== undefined);
  const passthroughParams: ReadonlySet<string> = new Set(settings.passthroughParams);
  for (const param of passthroughParams) {
    if (grammarParams.has(param)) throw ownParam(param);
  }
  return Object.freeze({
    families: Object.freeze([...new Set(own ?? databaseFamilies)]),
    limits: Object.freeze({ ...defaultLimits, ...Object.fromEntries(given) }),
    passthroughParams,
    cursors: cursorForm(settings.cursorKeys),
  });
}

function cursorForm(cursorKeys: QuerySettings['cursorKeys']): CursorForm {
  const [first, ...others] = typeof cursorKeys === 'string' ? [cursorKeys] : (cursorKeys ?? []);
  return first === undefined ? readableCursors : sealedCursors([first, ...others]);
}

/**
 * Refuses an endpoint whose readable cursors would hold a field that no client may see.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a sort path or a part of the primary key is not allowed.
 */
export function checkCursorFields({
  model,
  schema,
  sorts,
  root,
  pagination,
  cursors,
}: CompiledQueryRules): void {
  if (cursors.isSealed || pagination.mode === 'offset') return;
  // A value within a json field is shown with the field.
  const isShown = (held: string): boolean =>
    root.allowed.has(held) || root.allowed.has(held.replace(/\..*/, ''));
  const path = [...sorts.keys(), ...schema.primaryKey].find((held) => !isShown(held));
  if (path === undefined) return;
  throw configurationError(
    `rules.pagination: cursors of ${model} hold "${path}", which fields.root.allowed does not name; allow the field, or set settings.cursorKeys, which encrypts cursors.`,
    { rule: 'pagination', path },
  );
}

/** Kinds whose equal values have one form, so that no row belongs to two parts. */
const mergedKinds: ReadonlySet<FieldKind> = new Set(['enum', 'boolean', 'integer', 'bigint']);

function resolveMergeBy(
  { mergeBy, mode }: PaginationRule,
  schema: QuerySchema,
): CompiledPagination['mergeBy'] {
  if (mergeBy === undefined) return null;
  const field = fieldNamed(schema, mergeBy);
  if (!field || !mergedKinds.has(field.kind)) {
    throw configurationError(
      `rules.pagination.mergeBy: "${mergeBy}" must be a field of ${schema.model} that is an enum, a boolean or a whole number.`,
      { rule: 'pagination', path: mergeBy },
    );
  }
  if (mode !== 'keyset' && mode !== 'both') {
    throw configurationError(
      `rules.pagination.mergeBy: only keyset pages are merged; set mode to 'keyset' or 'both'.`,
      { rule: 'pagination', path: mergeBy },
    );
  }
  return field;
}

/** Effective pagination: the endpoint's own rule, else the settings. */
export function resolvePagination(
  rule: PaginationRule,
  settings: QuerySettings,
  schema: QuerySchema,
): CompiledPagination {
  const maxPerPage = settings.maxPerPage ?? 500;
  const defaultPerPage = settings.defaultPerPage ?? Math.min(10, maxPerPage);
  const maxUnpaginatedRows = rule.maxUnpaginatedRows ?? settings.maxUnpaginatedRows ?? maxPerPage;
  const allowUnpaginated = rule.allowUnpaginated ?? settings.allowUnpaginated ?? true;
  if (defaultPerPage > maxPerPage) {
    throw configurationError('settings: defaultPerPage is above maxPerPage.');
  }
  return Object.freeze({
    defaultPerPage,
    maxPerPage,
    maxUnpaginatedRows,
    allowUnpaginated,
    mode: rule.mode ?? 'offset',
    count: resolveCount(rule.count ?? 'exact', settings.countCap ?? 10_000),
    mergeBy: resolveMergeBy(rule, schema),
  });
}

function resolveCount(count: NonNullable<PaginationRule['count']>, countCap: number): CountPolicy {
  if (count === 'exact' || count === 'none') return Object.freeze({ type: count });
  const cap = count === 'capped' ? countCap : count.capped;
  return Object.freeze({ type: 'capped', cap });
}
