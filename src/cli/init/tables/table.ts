/** A table as a project declares it, and which of its columns a list may show, filter and sort. */

import type { DatabaseFamily, OperatorName } from '../../../rules/index.ts';
import { kindRow, type FieldKind } from '../../../schema/index.ts';
import type { ExportRef } from '../syntax.ts';

/** A column of a table. */
export interface FoundColumn {
  /** Its name in requests. */
  readonly path: string;
  /** `opaque` where the declaration does not tell the kind. */
  readonly kind: FieldKind;
  readonly nullable: boolean;
  /** Whether the declaration itself keeps it from clients. */
  readonly hidden?: boolean;
}

/** A table, entity or model. */
export interface FoundTable {
  /** Name of the model in the registry. */
  readonly model: string;
  /** Name that `--table` takes, beside the name of the model. */
  readonly name: string;
  /** The export that declares it; absent where a schema file or the database does. */
  readonly declared?: ExportRef;
  readonly columns: readonly FoundColumn[];
  /** Paths of the primary key. */
  readonly key: readonly string[];
  /** Paths that an index begins with, beside the first of the key. */
  readonly indexed: ReadonlySet<string>;
  readonly family?: DatabaseFamily;
  /** Why it cannot be listed, where the database tells it. */
  readonly unlisted?: string;
  /** The declaration of a table that the database has told, as an argument of `sqlTables`. */
  readonly literal?: object;
}

/** The parts of a table that its rules allow. */
export interface AllowedParts {
  readonly filters: readonly {
    readonly path: string;
    readonly operators: readonly OperatorName[];
  }[];
  readonly sorts: readonly string[];
  readonly fields: readonly string[];
  /** Columns that clients do not see, because of their kind or name. */
  readonly leftOut: readonly string[];
}

/** Names of columns that no list shows unless somebody writes them down. */
const secretName =
  /pass(word|wd|phrase|code)|secret|token|hash|salt|otp|api_?key|private|credential|ssn|iban|cvv|card_?number/i;

/** The operators of a kind that an index serves. */
function operatorsOf({ kind, nullable }: FoundColumn): readonly OperatorName[] {
  const isNull = nullable ? (['isNull'] as const) : [];
  if (kind === 'boolean') return ['eq', ...isNull];
  if (kind === 'date' || kind === 'datetime') return ['gte', 'lte', ...isNull];
  const ranges: ReadonlySet<FieldKind> = new Set(['integer', 'bigint', 'decimal', 'float']);
  return ['eq', 'in', ...(ranges.has(kind) ? (['gte', 'lte'] as const) : []), ...isNull];
}

/** The parts that are allowed without asking: keys and plain columns to see, and what an index serves to filter and sort. */
export function allowedParts({ columns, key, indexed }: FoundTable): AllowedParts {
  const isShown = ({ path, kind, hidden }: FoundColumn): boolean =>
    key.includes(path) || (!hidden && !secretName.test(path) && isPlain(kind));
  const shown = columns.filter(isShown);
  const served = shown.filter(({ path }) => path === key[0] || indexed.has(path));
  return {
    filters: served.map((column) => ({ path: column.path, operators: operatorsOf(column) })),
    sorts: served.filter(({ kind }) => kind !== 'boolean').map(({ path }) => path),
    fields: shown.map(({ path }) => path),
    leftOut: columns.filter((column) => !isShown(column)).map(({ path }) => path),
  };
}

const isPlain = (kind: FieldKind): boolean => kindRow(kind).order !== 'none';
