/** Rows of consecutive numbers on MySQL and MariaDB, whose limits of recursion differ. */

const digits = Array.from({ length: 10 }, (_, at) => `select ${at} as d`).join(' union all ');

/** A table of a FROM clause with the numbers `no` from 1 to a power of ten, up to 100,000. */
export function numbered(places: number): string {
  const powers = Array.from({ length: places }, (_, at) => 10 ** at);
  const sum = powers.map((power) => `${power} * p${power}.d`).join(' + ');
  const tables = powers.map((power) => `(${digits}) as p${power}`).join(', ');
  return `(select 1 + ${sum} as no from ${tables}) as numbers`;
}
