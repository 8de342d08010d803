/**
 * The names of the PostgreSQL store, and the SQL of its packed lists of counts, each of which a statement gives as one text:
 * decoding a row each would cost more.
 */

/** Where the tables are. */
export interface SqlNames {
  /** Quoted schema. */
  readonly schema: string;
  /** Prefix of the tables and functions. */
  readonly prefix: string;
}

/** Version of the tables; those of another one are neither written nor changed. */
export const schemaVersion = 3;

/** Counts of a packed list: the minutes of an hour. */
export const minutesPerHour = 60;

/** The function that writes a tick, which is another one in each version. */
export const commitName = `commit_${schemaVersion}`;

/** The quoted name of a table or function. */
export const qualified = ({ schema, prefix }: SqlNames, name: string): string =>
  `"${schema}"."${prefix}${name}"`;

/** The advisory lock of a history, for changes of it. */
export const lockOf = ({ schema, prefix }: SqlNames): string =>
  `pg_advisory_xact_lock(hashtextextended('sluice metrics ${schema}.${prefix}', 0))`;

/** The advisory lock of all histories of a schema, for its creation. */
export const schemaLockOf = ({ schema }: SqlNames): string =>
  `pg_advisory_xact_lock(hashtextextended('sluice metrics ${schema}', 0))`;

/** A packed list from the members `<name>_at` and `<name>_by`, which hold places and counts; null without any. */
export const packedFrom = (names: SqlNames, name: string, length: number): string =>
  `case when ${name}_at is not null then (
    select ${qualified(names, 'pack')}(array_agg(coalesce(n, 0)::bigint order by place))
    from generate_series(0, ${length - 1}) as place
    left join unnest(${name}_at, ${name}_by) as given_counts(at, n) on at = place) end`;

/** The members of {@link packedFrom} from rows with `at` and a count. */
export const gathered = (name: string, count: string, where: string): string =>
  `array_agg(at) filter (where ${where}) as ${name}_at, array_agg(${count}) filter (where ${where}) as ${name}_by`;

/** One count of a packed list of some length. */
export const countAt = (packed: string, length: number | string, place: string): string =>
  `(case octet_length(${packed}) / ${length} when 1 then get_byte(${packed}, ${place})
      when 2 then get_byte(${packed}, 2 * (${place})) * 256 + get_byte(${packed}, 2 * (${place}) + 1)
      else ('x' || lpad(encode(substr(${packed}, (${place}) * (octet_length(${packed}) / ${length}) + 1,
        octet_length(${packed}) / ${length}), 'hex'), 16, '0'))::bit(64)::bigint end)`;

/** How many minutes of a packed list are not zero. */
export const countedMinutes = (packed: string): string =>
  `(select count(*) from generate_series(0, ${minutesPerHour - 1}) as place
      where ${countAt(packed, minutesPerHour, 'place')} > 0)`;

/** Packed lists of several rows, in hexadecimal digits. */
export const packedList = (column: string): string =>
  `string_agg(encode(${column}, 'hex'), ',') as packed`;

/** The counts of packed lists of some length. */
export function unpackedList(packed: unknown, length: number): number[][] {
  if (typeof packed !== 'string') return [];
  return packed.split(',').map((digits) => {
    const bytes = Buffer.from(digits, 'hex');
    const width = bytes.length / length;
    return Array.from({ length }, (_none, at) => countOf(bytes, at * width, width));
  });
}

/** A number of 1, 2, 4 or 8 bytes. */
function countOf(bytes: Buffer, at: number, width: number): number {
  return width <= 4 ? bytes.readUIntBE(at, width) : Number(bytes.readBigUInt64BE(at));
}

/** The numbers of an array in its text form, `{1,2}`; none where it is null. */
export function numbersOf(array: unknown): number[] {
  return typeof array === 'string' ? (JSON.parse(`[${array.slice(1, -1)}]`) as number[]) : [];
}
