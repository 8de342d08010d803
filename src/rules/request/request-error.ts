/** The errors of a refused request. Each names a parameter, a path, an operator or a limit, never a value. */

import { nearestName } from '../../lib/index.ts';
import { QueryError, type QueryErrorDetails } from '../../schema/index.ts';

/** The request does not follow the grammar. */
export function syntaxError(
  message: string,
  details: QueryErrorDetails<'QUERY_SYNTAX_INVALID'> = {},
): QueryError {
  return new QueryError('QUERY_SYNTAX_INVALID', message, details);
}

const pathList = 'a path, or a comma-separated list of paths';

/** How each parameter is written. */
const forms: { readonly [param: string]: string } = {
  filter: 'written as filter[path]=value or filter[path][operator]=value',
  sort: `${pathList}; "-" before a path sorts it descending`,
  fields: pathList,
  includes: 'a relation, or a comma-separated list of relations',
  include:
    'written as include[relation][filter][path][operator], include[relation][sort] or include[relation][perPage]',
  search: 'one text',
  where: 'one text',
  page: 'one whole number from 1',
  perPage: 'one whole number from 1',
  paginate: 'true or false',
  cursor: 'the nextCursor or prevCursor of an earlier answer',
};

/** The parameter is not written as the grammar says; the message says how it is written. */
export function wrongForm(param: string): QueryError {
  return syntaxError(`"${param}" must be ${forms[param] ?? 'written as documented'}.`, { param });
}

/** The error of a request with more filters than the limit. */
export const tooManyFilters = (maxFilters: number): QueryError =>
  syntaxError(`The request has more than ${maxFilters} filters.`, { maxFilters });

/** The limit of a query string or of a body, by its name. */
export type LengthLimit = { readonly maxQueryLength: number } | { readonly maxBodyLength: number };

/** The error of a request that is longer than the limit. */
export function tooLong(limit: LengthLimit): QueryError {
  const [most] = Object.values(limit);
  return syntaxError(`The request is longer than ${most} characters.`, limit);
}

const plainName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/**
 * A parameter outside the grammar. The message repeats its name only where it resembles one of the grammar's.
 *
 * @param accepted the parameters that the endpoint has
 */
export function unknownParam(name: string, accepted: readonly string[]): QueryError {
  const param = plainName.test(name) ? name : '';
  const meant = nearestName(param, accepted);
  return new QueryError(
    'QUERY_SYNTAX_UNKNOWN_PARAM',
    meant
      ? `"${param}" is not a parameter of this endpoint; did you mean "${meant}"?`
      : `The request has a parameter that this endpoint does not have; it has ${accepted.join(', ')}.`,
    { param },
  );
}

/** A path that is unknown or forbidden; the error is the same for both. */
export function fieldNotAllowed(param: string, path: string | undefined): QueryError {
  return new QueryError(
    'FIELD_NOT_ALLOWED',
    `A path in "${param}" is not allowed here.`,
    path === undefined ? { param } : { param, path },
  );
}

/** The path may be filtered, but not with this operator. */
export function operatorNotAllowed(path: string, operator: string): QueryError {
  return new QueryError('OPERATOR_NOT_ALLOWED', 'The operator is not allowed on this path.', {
    path,
    operator,
  });
}

/** A value that the kind of the path does not accept. */
export function valueInvalid(path: string, operator: string, rule: string): QueryError {
  return new QueryError('FILTER_VALUE_INVALID', `The value does not fit: ${rule}.`, {
    path,
    operator,
    rule,
  });
}

/** A `page`, `perPage` or `paginate` that cannot be served, or a total beyond a limit. */
export function paginationInvalid(
  param: string,
  rule: string,
  details: Omit<QueryErrorDetails<'PAGINATION_INVALID'>, 'param'> = {},
): QueryError {
  return new QueryError('PAGINATION_INVALID', `"${param}" ${rule}.`, { param, ...details });
}

/** A cursor that does not belong to this request. */
export function cursorInvalid(): QueryError {
  return new QueryError(
    'CURSOR_INVALID',
    'The cursor cannot be read or was made for another endpoint, sort or filter.',
    { param: 'cursor' },
  );
}
