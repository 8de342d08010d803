/** The closing table: a row per family, a column per ORM, and the cells without a database. */

import { adapters, cells, families } from './cells.ts';
import { peersRefuse, refusedTopic } from './corpus/index.ts';

/** The outcome of one cell. */
export interface Outcome {
  readonly name: string;
  /** The database that ran it; `null` where it did not run. */
  readonly about: string | null;
  /** How to get the database, where it is missing. */
  readonly missing: string | null;
  /** Cases that passed, by topic. */
  readonly passed: ReadonlyMap<string, number>;
  readonly failed: number;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);
const passedOf = ({ passed }: Outcome): number => sum(passed.values());

/** Rows of texts as a table with aligned columns. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function resultOf(outcome: Outcome | undefined): string {
  if (!outcome) return 'not asked for';
  if (outcome.missing !== null) return 'left out';
  if (outcome.about === null) return 'did not start';
  const passed = passedOf(outcome);
  const all = passed + outcome.failed;
  return `${passed} of ${all}${outcome.failed > 0 ? ' FAILED' : ''}`;
}

/** Families down and adapters across, as far as anything of them was asked for. */
function grid(outcomes: readonly Outcome[]): string[] {
  const of = (name: string): Outcome | undefined => outcomes.find((each) => each.name === name);
  const asked = cells.filter(({ name }) => of(name));
  const across = adapters.filter((adapter) => asked.some((cell) => cell.adapter === adapter));
  const rows = families
    .filter((family) => asked.some((cell) => cell.family === family))
    .map((family) => {
      const inRow = across.map(({ name }) => of(`${name} on ${family}`));
      const database = inRow.find((each) => each?.about)?.about ?? family;
      return [database.replace(/,.*/, ''), ...inRow.map(resultOf)];
    });
  return aligned([
    ['', ...across.map(({ orm }) => orm)],
    ...rows,
    ['reference in memory', resultOf(of('reference in memory'))],
  ]);
}

/** In how many cells everything that peers refuse is right. */
function refusals(ran: readonly Outcome[]): string[] {
  return aligned(
    Object.entries(peersRefuse).map(([thing, { length }]) => {
      const green = ran.filter(({ passed }) => passed.get(refusedTopic(thing)) === length);
      return [
        `peers refuse ${thing}`,
        `${length} cases green in ${green.length} of ${ran.length} cells`,
      ];
    }),
  );
}

/** The table as text, with totals and the advice for cells without a database. */
export function closingTable(outcomes: readonly Outcome[]): string {
  const inCells = outcomes.filter(({ name }) => cells.some((cell) => cell.name === name));
  const ran = inCells.filter(({ about }) => about !== null);
  const leftOut = inCells.filter(({ missing }) => missing !== null);
  const passed = sum(ran.map(passedOf));
  const failed = sum(ran.map((each) => each.failed));
  const summary = [
    `${ran.length} of ${cells.length} cells ran`,
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
    `${passed} of ${passed + failed} cases passed`,
  ];
  const advice = new Set(leftOut.map(({ missing }) => missing ?? ''));
  return ['', ...grid(outcomes), ...refusals(ran), summary.join(', '), ...advice].join('\n');
}
