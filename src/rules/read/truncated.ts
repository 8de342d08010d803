/** The sign on a row that the list of an included relation has been cut. */

const key = '$truncated';

/** Marks that the row shows only the first rows of a relation. A `$` begins no path, so that no field has the name. */
export function markTruncated(row: object, relation: string): void {
  Reflect.set(row, key, [...truncatedIn(row), relation]);
}

/**
 * The included relations of a row that have more rows than the row shows, which is `maxChildren` of them. JSON has their
 * names as `$truncated`, a list that is absent where nothing is cut.
 *
 * @param row a row of an answer, or a row within an included relation
 */
export function truncatedIn(row: object): readonly string[] {
  const names: unknown = Reflect.get(row, key);
  return Array.isArray(names) ? (names as string[]) : [];
}
