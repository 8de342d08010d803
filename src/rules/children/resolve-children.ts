/** The children of included relations as a request asks for them: their condition, order and number in the plan. */

import { ownText } from '../request/own-text.ts';
import type { CompiledChildren, CompiledQueryRules } from '../declare/compiled.ts';
import type { ListRequest, RequestList } from '../request/list-request.ts';
import { fieldNotAllowed, paginationInvalid } from '../request/request-error.ts';
import { splitList } from '../request/split-list.ts';
import { joined } from '../plan/negation.ts';
import type { ProjectionNode, ProjectionRelation } from '../plan/plan.ts';
import { authoriseFilters, filterConditions } from '../plan/resolve-filters.ts';
import { readSorts, resolveOrder } from '../plan/resolve-order.ts';
import { positiveInteger } from '../plan/resolve-window.ts';
import { forChildren } from './placed-error.ts';

/** A request for the children of one include. */
type Asked = Pick<ProjectionRelation, 'maxChildren' | 'where' | 'order'>;

/** The request for the children of one include, which the rules allow. */
export interface AuthorisedChildren {
  readonly rules: CompiledChildren;
  readonly request: ListRequest;
  readonly sorts: ReturnType<typeof readSorts>;
  readonly order: ProjectionRelation['order'];
}

const items = (list: RequestList | undefined): readonly string[] =>
  list === undefined ? [] : typeof list === 'string' ? splitList(ownText(list), 'sort') : list;

/**
 * The requests for children, by the path of the include.
 *
 * @throws {QueryError} as for filters and sorts of the endpoint; FIELD_NOT_ALLOWED when the rules do not name an include
 */
export function authoriseChildren(
  { children }: CompiledQueryRules,
  requests: ListRequest['children'],
): readonly AuthorisedChildren[] {
  // The syntax of every list is checked before any authorisation.
  const read = [...(requests ?? [])].map(([path, request]) => {
    const sorts = forChildren(path, 'sort', () => readSorts(items(request.sort), false));
    return { path, request, sorts };
  });
  return read.map(({ path, request, sorts }) => {
    const rules = children.get(path);
    if (!rules) throw fieldNotAllowed('include', path);
    forChildren(path, 'filter', () => authoriseFilters(rules, request.filters));
    const order = forChildren(path, 'sort', () => resolveOrder(rules, sorts));
    return { rules, request, sorts, order: sorts.length > 0 ? order : undefined };
  });
}

/**
 * The projection with what the request asks of children.
 *
 * @throws {QueryError} FILTER_VALUE_INVALID, PAGINATION_INVALID when a value does not fit
 */
export function withChildren(
  projection: ProjectionNode,
  authorised: readonly AuthorisedChildren[],
): ProjectionNode {
  if (authorised.length === 0) return projection;
  const conditions = authorised.map(({ rules, request }) =>
    forChildren(rules.path, 'filter', () => filterConditions(rules, request.filters)),
  );
  const asked = new Map<string, Asked>();
  for (const [at, { rules, request, order }] of authorised.entries()) {
    const { path } = rules;
    const where = conditions[at] ?? [];
    const maxChildren = forChildren(path, 'perPage', () => numberOf(rules, request));
    asked.set(path, {
      ...(maxChildren !== undefined && { maxChildren }),
      ...(where.length > 0 && { where: joined('and', where) }),
      ...(order && { order }),
    });
  }
  const within = (node: ProjectionNode, before: string): ProjectionNode =>
    Object.freeze({
      ...node,
      relations: Object.freeze(
        node.relations.map((relation) => {
          const path = before + relation.path;
          return Object.freeze({
            ...relation,
            ...asked.get(path),
            node: within(relation.node, `${path}.`),
          });
        }),
      ),
    });
  return within(projection, '');
}

function numberOf({ maxPerPage }: CompiledChildren, { perPage }: ListRequest): number | undefined {
  if (perPage === undefined) return undefined;
  const number = positiveInteger('perPage', perPage);
  if (number <= maxPerPage) return number;
  throw paginationInvalid('perPage', `must be at most ${maxPerPage}`, { maxPerPage });
}
