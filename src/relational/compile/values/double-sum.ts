/** The sum of doubles where the database refuses one that is beyond doubles, or shows it as another number. */

/** Doubles that are summed apart: no table has so many of smaller ones that their sum is beyond doubles. */
const large = '1e290';
/** A power of two, so that nothing is lost by division; the largest double divided by it is just below `beyond`. */
const scale = `${2 ** 64}e0`;
const beyond = 2 ** 960;

/** A sum that never fails; `most` is in the place of one beyond doubles. */
export function doubleSum(value: string, most: string): string {
  const usual = `sum(case when abs(${value}) < ${large} then ${value} end)`;
  const scaled = `sum(case when abs(${value}) >= ${large} then ${value} / ${scale} end)`;
  return `case when ${scaled} is null then ${usual} when abs(${scaled}) >= ${beyond} then sign(${scaled}) * ${most} else ${scaled} * ${scale} + coalesce(${usual}, 0) end`;
}
