/** Effective settings of an endpoint, checked at boot. */

import { configurationError } from '../../schema/index.ts';
import type { CompiledPagination } from './compiled.ts';
import type { DatabaseFamily, PaginationRule, QueryLimits, QuerySettings } from './declaration.ts';
import type { CountPolicy } from '../plan/plan.ts';

const allFamilies: readonly DatabaseFamily[] = ['postgresql', 'mysql', 'sqlite'];

const defaultLimits: QueryLimits = {
  maxQueryLength: 16_384,
  maxFilters: 50,
  maxListLength: 1000,
  maxTextLength: 1000,
  maxOffset: Number.MAX_SAFE_INTEGER,
};

const grammarParams = new Set([
  'filter',
  'sort',
  'fields',
  'includes',
  'search',
  'page',
  'perPage',
  'paginate',
  'cursor',
]);

const settingKeys = new Set([
  'defaultPerPage',
  'maxPerPage',
  'maxUnpaginatedRows',
  'allowUnpaginated',
  'families',
  'limits',
  'passthroughParams',
  'countCap',
]);

/** Settings with their defaults. */
export interface EffectiveSettings {
  readonly families: readonly DatabaseFamily[];
  readonly limits: QueryLimits;
  readonly passthroughParams: ReadonlySet<string>;
}

function whole(name: string, value: unknown, least: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw configurationError(`settings: ${name} must be a whole number of at least ${least}.`, {
      setting: name,
    });
  }
}

function refuseUnknownKeys(settings: QuerySettings): void {
  if (typeof settings !== 'object' || settings === null) {
    throw configurationError(`settings is an object with ${[...settingKeys].join(', ')}.`);
  }
  const unknown = Object.keys(settings).find((key) => !settingKeys.has(key));
  if (unknown === undefined) return;
  throw configurationError(
    unknown === 'operators'
      ? 'settings.operators was removed in version 3; name operators in each filter rule.'
      : `settings has no key "${unknown}"; it has ${[...settingKeys].join(', ')}.`,
    { setting: unknown },
  );
}

/** Fills in defaults and refuses what cannot be meant. */
export function resolveSettings(settings: QuerySettings): EffectiveSettings {
  refuseUnknownKeys(settings);
  const limits = { ...defaultLimits };
  for (const [name, value] of Object.entries(settings.limits ?? {})) {
    if (!Object.hasOwn(defaultLimits, name)) {
      throw configurationError(`settings.limits: there is no limit "${name}".`, { setting: name });
    }
    if (value === undefined) continue;
    whole(`limits.${name}`, value, name === 'maxOffset' ? 0 : 1);
    Object.assign(limits, { [name]: value });
  }
  const families = settings.families ?? allFamilies;
  const isList = Array.isArray(families) && families.length > 0;
  if (!isList || families.some((family) => !allFamilies.includes(family))) {
    throw configurationError(
      `settings.families: name one or more of ${allFamilies.join(', ')}, or leave it out.`,
    );
  }
  const own = settings.passthroughParams ?? [];
  if (
    !Array.isArray(own) ||
    own.some((param) => typeof param !== 'string' || /[[\]]/.test(param))
  ) {
    throw configurationError(
      'settings.passthroughParams: a list of names without brackets; "a" lets a[b] through as well.',
      { setting: 'passthroughParams' },
    );
  }
  const passthroughParams: ReadonlySet<string> = new Set(own);
  for (const param of passthroughParams) {
    if (grammarParams.has(param)) {
      throw configurationError(
        `settings.passthroughParams: "${param}" belongs to the request grammar; rename the parameter.`,
        { param },
      );
    }
  }
  return Object.freeze({
    families: Object.freeze([...new Set(families)]),
    limits: Object.freeze(limits),
    passthroughParams,
  });
}

/** Effective pagination: the endpoint's rule over the settings (`spec/3`, "Limits"). */
export function resolvePagination(
  rule: PaginationRule,
  settings: QuerySettings,
): CompiledPagination {
  const maxPerPage = settings.maxPerPage ?? 500;
  const defaultPerPage = settings.defaultPerPage ?? Math.min(10, maxPerPage);
  const maxUnpaginatedRows = rule.maxUnpaginatedRows ?? settings.maxUnpaginatedRows ?? maxPerPage;
  const allowUnpaginated = rule.allowUnpaginated ?? settings.allowUnpaginated ?? true;
  whole('maxPerPage', maxPerPage, 1);
  whole('defaultPerPage', defaultPerPage, 1);
  whole('maxUnpaginatedRows', maxUnpaginatedRows, 1);
  if (defaultPerPage > maxPerPage) {
    throw configurationError('settings: defaultPerPage is above maxPerPage.');
  }
  if (typeof allowUnpaginated !== 'boolean') {
    throw configurationError('allowUnpaginated is true or false.', { setting: 'allowUnpaginated' });
  }
  const mode = rule.mode ?? 'offset';
  if (mode !== 'offset' && mode !== 'keyset' && mode !== 'both') {
    throw configurationError('rules.pagination.mode is "offset", "keyset" or "both".');
  }
  return Object.freeze({
    defaultPerPage,
    maxPerPage,
    maxUnpaginatedRows,
    allowUnpaginated,
    mode,
    count: resolveCount(rule.count ?? 'exact', settings.countCap ?? 10_000),
  });
}

function resolveCount(count: NonNullable<PaginationRule['count']>, countCap: number): CountPolicy {
  if (count === 'exact' || count === 'none') return Object.freeze({ type: count });
  if (count !== 'capped' && typeof count !== 'object') {
    throw configurationError('rules.pagination.count is "exact", "capped" or "none".');
  }
  const cap = count === 'capped' ? countCap : count.capped;
  whole('pagination.count.capped', cap, 1);
  return Object.freeze({ type: 'capped', cap });
}
