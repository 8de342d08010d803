/** Resolves `page`, `perPage`, `paginate` and `cursor` to the window of rows that is read. */

import { coerceBoolean } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { StoredPosition } from './cursor/cursor-value.ts';
import { cursorBinding, decodeCursor } from './cursor/cursor.ts';
import type { ListRequest } from '../request/list-request.ts';
import type { OrderTerm, PageWindow, ResolvedPredicate } from './plan.ts';
import { paginationInvalid } from '../request/request-error.ts';

/**
 * The number of a parameter.
 *
 * @throws {QueryError} PAGINATION_INVALID when the text is not a whole number from 1
 */
export function positiveInteger(param: string, text: string): number {
  const value = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
  if (value === 0 || !Number.isSafeInteger(value)) {
    throw paginationInvalid(param, 'must be a whole number from 1');
  }
  return value;
}

/**
 * The window of the request.
 *
 * @throws {QueryError} PAGINATION_INVALID, CURSOR_INVALID when page, size or cursor cannot be served.
 */
export function resolveWindow(
  rules: CompiledQueryRules,
  request: ListRequest,
  order: readonly OrderTerm[],
  conditions: readonly ResolvedPredicate[],
  scope: string | object | undefined,
  stored?: StoredPosition,
  bindingOf = cursorBinding,
): PageWindow {
  const { pagination, limits } = rules;
  const page = request.page === undefined ? 1 : positiveInteger('page', request.page);
  const perPage =
    request.perPage === undefined
      ? pagination.defaultPerPage
      : positiveInteger('perPage', request.perPage);
  if (perPage > pagination.maxPerPage) {
    throw paginationInvalid('perPage', `must be at most ${pagination.maxPerPage}`, {
      maxPerPage: pagination.maxPerPage,
    });
  }
  const paginate = request.paginate === undefined ? true : coerceBoolean(request.paginate);
  if (paginate === undefined) throw paginationInvalid('paginate', 'must be true, false, 1 or 0');
  const keyset =
    pagination.mode === 'keyset' || (pagination.mode === 'both' && request.cursor !== undefined);
  if (!paginate) {
    if (!pagination.allowUnpaginated) {
      throw paginationInvalid('paginate', 'may not be false here', {
        maxRows: pagination.maxUnpaginatedRows,
      });
    }
    if (request.cursor) throw paginationInvalid('cursor', 'needs pages; drop paginate=false');
    return Object.freeze({ mode: 'all', maxRows: pagination.maxUnpaginatedRows });
  }
  if (!keyset) {
    const offset = (page - 1) * perPage;
    if (offset > limits.maxOffset) {
      throw paginationInvalid('page', `skips more than ${limits.maxOffset} rows`, {
        maxOffset: limits.maxOffset,
      });
    }
    return Object.freeze({ mode: 'offset', page, perPage, offset });
  }
  if (request.page !== undefined) {
    throw paginationInvalid('page', 'must be left out where pages are by cursor');
  }
  const binding = bindingOf(rules, order, conditions, scope);
  const position = request.cursor
    ? decodeCursor(rules, request.cursor, binding, order, stored)
    : null;
  return Object.freeze({ mode: 'keyset', perPage, position, binding });
}
