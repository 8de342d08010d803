/** Options at boot: unknown names and wrong types are refused by name, and what is not given has its default. */

import { isRecord } from './type-guards.ts';
import { knownNames, nearestName } from './nearest-name.ts';

/**
 * Creates the error that refuses an option. `name` is `filters[0].path` where `path` is `['filters', 0, 'path']`; both
 * are empty where the options are not an object.
 */
export type RefuseOption = (message: string, name: string, path: OptionPath) => Error;

/** Names of options and indexes of lists, outermost first. */
export type OptionPath = readonly (string | number)[];

/** The position of the value that is being checked, within all options. */
export interface OptionPlace {
  readonly owner: string;
  readonly refuse: RefuseOption;
  readonly path: OptionPath;
}

/** The type of one option. */
export interface OptionRow {
  /** Follows "must be", such as `a boolean`. */
  readonly expected: string;
  /** Follows "a list of", such as `booleans`. */
  readonly plural?: string;
  /** Whether the option must be given; `undefined` counts as not given. Default false. */
  readonly required?: boolean;
  /** The table of an object with options. */
  readonly table?: OptionTable;
  /** Whether the names in the object are chosen by the caller. Default false. */
  readonly anyName?: boolean;
  /** Whether names of `table` are reported without the name of this option. Default false. */
  readonly flat?: boolean;
  fits(value: unknown): boolean;
  /** Checks the members of a value that has the right type. */
  checkParts?(value: unknown, place: OptionPlace): void;
}

/** An option that was removed, or does not exist yet. */
export interface RemovedOption {
  /** Follows the name, such as `is not an option; name the path itself`. */
  readonly removed: string;
}

/** Rows by the names of options. */
export interface OptionTable {
  readonly [name: string]: OptionRow | RemovedOption;
}

/**
 * A table with a row for each option of an interface; written after `satisfies`, so that an option without a row does
 * not compile. `Removed` are names that are refused with their own message.
 */
export type OptionTableOf<Options extends object, Removed extends string = never> = {
  readonly [Name in keyof Options]-?: OptionRow;
} & { readonly [Name in Removed]: RemovedOption };

/**
 * Checks options against their table: `"readonly" is not an option of createBoard; did you mean "readOnly"?`,
 * `"readOnly" must be a boolean`; without a similar name, the names that exist. Options that are `undefined` count as
 * not given.
 *
 * @param owner the function that takes the options
 * @param refuse creates the error; default a `TypeError`
 * @throws {Error} the error of `refuse` when an option is refused
 */
export function checkOptions(
  owner: string,
  options: unknown,
  table: OptionTable,
  refuse: RefuseOption = (message) => new TypeError(message),
): void {
  const given = options === undefined ? {} : options;
  if (!isRecord(given)) throw refuse(`The options of ${owner} must be an object`, '', []);
  checkTable(given, table, { owner, refuse, path: [] });
}

/** Options of which those with a default are given. */
export type WithDefaults<Options extends object, Defaults extends Partial<Options>> = Omit<
  Options,
  keyof Defaults
> & {
  readonly [Name in keyof Options & keyof Defaults]: Exclude<Options[Name], undefined>;
};

/** The options, and the defaults of those that are not given. */
export function withDefaults<Options extends object, const Defaults extends Partial<Options>>(
  options: Options,
  defaults: Defaults,
): WithDefaults<Options, Defaults> {
  const filled: Partial<Options> = { ...defaults };
  for (const name in options) if (options[name] !== undefined) filled[name] = options[name];
  return filled as WithDefaults<Options, Defaults>;
}

/**
 * Refuses arguments after those that a function takes: `createBoard takes 1 argument, and no "readOnly" after it`.
 *
 * @throws {TypeError} when there are any
 */
export function refuseArguments(owner: string, takes: number, more: readonly unknown[]): void {
  const given = more.filter((each) => each !== undefined);
  if (given.length === 0) return;
  const names = given.flatMap((each) => (isRecord(each) ? Object.keys(each) : []));
  const what = names.length > 0 ? names.map((name) => `"${name}"`).join(', ') : 'further value';
  const accepted = takes === 1 ? '1 argument' : `${takes} arguments`;
  throw new TypeError(`${owner} takes ${accepted}, and no ${what} after it`);
}

/** Checks the options of an object at any depth. */
export function checkTable(
  options: { readonly [name: string]: unknown },
  table: OptionTable,
  place: OptionPlace,
): void {
  // Inherited options are read as well, so their names are checked too.
  for (const name in options) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (row === undefined || 'removed' in row) refuseName(name, row, table, place);
  }
  let missing: string | undefined;
  for (const name in table) {
    const row = table[name];
    if (row === undefined || 'removed' in row) continue;
    const value = options[name];
    if (value !== undefined) checkValue(value, row, name, place);
    else if (row.required === true) missing ??= name;
  }
  if (missing !== undefined) throw wrongType(table[missing] as OptionRow, missing, place);
}

/** Checks the value of one option, or one member of a list. */
export function checkValue(
  value: unknown,
  row: OptionRow,
  name: string | number,
  place: OptionPlace,
): void {
  if (!row.fits(value)) throw wrongType(row, name, place);
  row.checkParts?.(value, row.flat === true ? place : { ...place, path: [...place.path, name] });
}

function wrongType(row: OptionRow, name: string | number, { refuse, path }: OptionPlace): Error {
  const full = [...path, name];
  return refuse(`"${nameOf(full)}" must be ${row.expected}`, nameOf(full), full);
}

function refuseName(
  name: string,
  row: RemovedOption | undefined,
  table: OptionTable,
  { owner, refuse, path }: OptionPlace,
): never {
  const full = [...path, name];
  if (row !== undefined) throw refuse(`"${nameOf(full)}" ${row.removed}`, nameOf(full), full);
  const meant = suggestion(name, table);
  const advice = meant
    ? `did you mean "${nameOf([...path, ...meant])}"?`
    : `${path.length > 0 ? `"${nameOf(path)}"` : 'it'} has ${knownNames(name, namesOf(table))}`;
  throw refuse(`"${nameOf(full)}" is not an option of ${owner}; ${advice}`, nameOf(full), full);
}

/** A similar name of the table itself, else of a table one level deeper. */
function suggestion(name: string, table: OptionTable): OptionPath | undefined {
  const near = nearestName(name, namesOf(table));
  if (near !== undefined) return [near];
  for (const [outer, row] of Object.entries(table)) {
    const inner = 'table' in row && row.table && nearestName(name, namesOf(row.table));
    if (inner) return [outer, inner];
    if ('anyName' in row && row.anyName) return [outer, name];
  }
  return undefined;
}

/** Names of the options that the table accepts. */
export function namesOf(table: OptionTable): string[] {
  return Object.keys(table).filter((name) => !('removed' in (table[name] ?? {})));
}

/** The path in the form `filters[0].path`. */
function nameOf(path: OptionPath): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join('');
}
