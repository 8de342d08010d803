/** The changes of rules by name: each breaks clients that rely on the rules as they were, or breaks none. */

/**
 * Each change as a sentence without its end. A breaking one refuses a request that was answered before, or gives an
 * answer another form, or fewer rows or fields.
 */
export const changeRows = {
  'list-removed': ['breaking', 'the rules are gone'],
  'list-added': ['compatible', 'the rules are new'],
  'filter-removed': ['breaking', 'the path is not filtered any more'],
  'filter-added': ['compatible', 'the path may be filtered'],
  'operator-removed': ['breaking', 'the operator is gone from the path'],
  'operator-added': ['compatible', 'the path takes the operator'],
  'kind-changed': ['breaking', 'values of the path have another kind'],
  'member-removed': ['breaking', 'the member is gone from the enum'],
  'member-added': ['compatible', 'the enum has the member'],
  'members-reordered': ['breaking', 'members that are sorted or compared changed places'],
  'null-possible': ['breaking', 'values of the path may be null'],
  'null-impossible': ['compatible', 'values of the path are never null'],
  'cardinality-changed': ['breaking', 'one related row became many, or many became one'],
  'whole-days-removed': ['breaking', 'the path takes no whole days any more'],
  'whole-days-added': ['compatible', 'the path takes whole days'],
  'sort-removed': ['breaking', 'the path is not sorted any more'],
  'sort-added': ['compatible', 'the path may be sorted'],
  'null-order-changed': ['breaking', 'rows with null stand at another place of the order'],
  'field-removed': ['breaking', 'the field cannot be asked for any more'],
  'field-added': ['compatible', 'the field may be asked for'],
  'default-removed': ['breaking', 'the field is not shown unless a request asks for it'],
  'default-added': ['compatible', 'the field is shown without being asked for'],
  'include-removed': ['breaking', 'the relation cannot be included any more'],
  'include-added': ['compatible', 'the relation may be included'],
  'parent-required': ['breaking', 'the relation needs another one in the same request'],
  'search-removed': ['breaking', 'the path is not searched any more'],
  'search-added': ['compatible', 'the path is searched'],
  'where-removed': ['breaking', 'filters do not come as one text any more'],
  'where-added': ['compatible', 'filters may come as one text'],
  'pages-removed': ['breaking', 'a way to page is gone'],
  'pages-added': ['compatible', 'pages may be chosen by cursor as well'],
  'first-page-changed': [
    'breaking',
    'a request without a page or a cursor is answered by number, without cursors',
  ],
  'total-removed': ['breaking', 'totals stop at a cap, or are gone'],
  'total-added': ['compatible', 'totals are exact'],
  'next-page-removed': ['breaking', 'answers have a total in place of hasNextPage'],
  'unpaginated-removed': ['breaking', 'paginate=false is refused'],
  'unpaginated-added': ['compatible', 'paginate=false is accepted'],
  'limit-lowered': ['breaking', 'the limit is lower'],
  'limit-raised': ['compatible', 'the limit is higher'],
} as const satisfies Readonly<Record<string, readonly ['breaking' | 'compatible', string]>>;

export type ChangeName = keyof typeof changeRows;

/** One difference between two descriptions. */
export interface Change {
  readonly change: ChangeName;
  readonly breaking: boolean;
  /** The path of the filter, sort, field or include, or the name of a limit; absent for the list itself. */
  readonly path?: string;
  /** The operator, the member, or the value before. */
  readonly from?: string | number | null;
  /** The operator, the member, or the value after. */
  readonly to?: string | number | null;
}

/** A change with its row of the table. */
export const changed = (
  change: ChangeName,
  path?: string,
  values: Pick<Change, 'from' | 'to'> = {},
): Change => ({
  change,
  breaking: changeRows[change][0] === 'breaking',
  ...(path !== undefined && { path }),
  ...values,
});
