/** The type of a column's values in a response. */

import type { FieldKind, JsonForm } from '../../../schema/index.ts';

/** The JSON form of a column of a kind, with null where the column accepts it. */
export type JsonOf<Column, Kind> = Column extends {
  readonly _: { data: infer Data; notNull: infer NotNull };
}
  ? JsonOfData<Data, Kind> | (NotNull extends true ? never : null)
  : unknown;

/** The JSON form of a column as an override corrects it. */
export type OverriddenJson<Column, Kind, Override> =
  | (Override extends { readonly enumValues: readonly (infer Member)[] }
      ? Kind extends 'enum[]'
        ? (Member | null)[]
        : Member
      : Exclude<JsonOf<Column, Kind>, null>)
  | (Override extends { readonly nullable: infer Nullable }
      ? Nullable extends false
        ? never
        : null
      : Extract<JsonOf<Column, Kind>, null>);

type JsonOfData<Data, Kind> = Kind extends 'json'
  ? Data
  : Kind extends 'enum'
    ? Data & string
    : Kind extends 'enum[]'
      ? Data extends readonly (infer Member)[]
        ? (Member | null)[]
        : unknown
      : Kind extends FieldKind
        ? JsonForm<Kind>
        : unknown;
