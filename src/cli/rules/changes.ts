/** The changes of rules by name: each breaks clients that rely on the rules as they were, or breaks none. */

/** One row of the table of changes. */
interface ChangeRow {
  /** Whether a request that was answered before is refused, or an answer has another form, or lacks rows or fields. */
  readonly breaking: boolean;
  /** The change as a sentence without its end. */
  readonly meaning: string;
}

export const changeRows = {
  'list-removed': { breaking: true, meaning: 'the rules are gone' },
  'list-added': { breaking: false, meaning: 'the rules are new' },
  'filter-removed': { breaking: true, meaning: 'the path is not filtered any more' },
  'filter-added': { breaking: false, meaning: 'the path may be filtered' },
  'operator-removed': { breaking: true, meaning: 'the operator is gone from the path' },
  'operator-added': { breaking: false, meaning: 'the path takes the operator' },
  'kind-changed': { breaking: true, meaning: 'values of the path have another kind' },
  'member-removed': { breaking: true, meaning: 'the member is gone from the enum' },
  'member-added': { breaking: false, meaning: 'the enum has the member' },
  'members-reordered': {
    breaking: true,
    meaning: 'members that are sorted or compared changed places',
  },
  'null-possible': { breaking: true, meaning: 'values of the path may be null' },
  'null-impossible': { breaking: false, meaning: 'values of the path are never null' },
  'cardinality-changed': {
    breaking: true,
    meaning: 'one related row became many, or many became one',
  },
  'whole-days-removed': { breaking: true, meaning: 'the path takes no whole days any more' },
  'whole-days-added': { breaking: false, meaning: 'the path takes whole days' },
  'sort-removed': { breaking: true, meaning: 'the path is not sorted any more' },
  'sort-added': { breaking: false, meaning: 'the path may be sorted' },
  'null-order-changed': {
    breaking: true,
    meaning: 'rows with null stand at another place of the order',
  },
  'field-removed': { breaking: true, meaning: 'the field cannot be asked for any more' },
  'field-added': { breaking: false, meaning: 'the field may be asked for' },
  'default-removed': {
    breaking: true,
    meaning: 'the field is not shown unless a request asks for it',
  },
  'default-added': { breaking: false, meaning: 'the field is shown without being asked for' },
  'include-removed': { breaking: true, meaning: 'the relation cannot be included any more' },
  'include-added': { breaking: false, meaning: 'the relation may be included' },
  'parent-required': {
    breaking: true,
    meaning: 'the relation needs another one in the same request',
  },
  'search-removed': { breaking: true, meaning: 'the path is not searched any more' },
  'search-added': { breaking: false, meaning: 'the path is searched' },
  'where-removed': { breaking: true, meaning: 'filters do not come as one text any more' },
  'where-added': { breaking: false, meaning: 'filters may come as one text' },
  'pages-removed': { breaking: true, meaning: 'a way to page is gone' },
  'pages-added': { breaking: false, meaning: 'pages may be chosen by cursor as well' },
  'first-page-changed': {
    breaking: true,
    meaning: 'a request without a page or a cursor is answered by number, without cursors',
  },
  'total-removed': { breaking: true, meaning: 'totals stop at a cap, or are gone' },
  'total-added': { breaking: false, meaning: 'totals are exact' },
  'next-page-removed': { breaking: true, meaning: 'answers have a total in place of hasNextPage' },
  'unpaginated-removed': { breaking: true, meaning: 'paginate=false is refused' },
  'unpaginated-added': { breaking: false, meaning: 'paginate=false is accepted' },
  'limit-lowered': { breaking: true, meaning: 'the limit is lower' },
  'limit-raised': { breaking: false, meaning: 'the limit is higher' },
} as const satisfies Readonly<Record<string, ChangeRow>>;

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
  breaking: changeRows[change].breaking,
  ...(path !== undefined && { path }),
  ...values,
});
