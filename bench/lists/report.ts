/** The tables of one database family. */

import { loadavg } from 'node:os';
import { figure, table } from '../markdown.ts';
import type { Measured } from '../measure.ts';
import type { RequestName } from './requests.ts';
import type { Family } from './services.ts';
import { sluiceName } from './sluice.ts';

/** One contender on one request. */
export interface Cell extends Measured {
  readonly request: RequestName;
  readonly statements: number;
}

/** The title of a table and what of a cell it shows. */
interface Section {
  readonly title: string;
  readonly show: (cell: Cell) => string;
}

const sections: readonly Section[] = [
  {
    title: 'wall time, p50 / p95 in ms',
    show: (cell) => `${figure(cell.p50)} / ${figure(cell.p95)}`,
  },
  {
    title: 'CPU of the main thread per request in ms, median of the rounds',
    show: (cell) => figure(cell.cpu),
  },
  { title: 'statements per request', show: (cell) => String(cell.statements) },
  { title: 'requests measured', show: (cell) => String(cell.iterations) },
];

/** Sluice against one other contender, by one figure. */
function ratio(
  cells: readonly Cell[],
  request: RequestName,
  other: string,
  measure: (cell: Cell) => number,
): string {
  const of = (name: string): Cell | undefined =>
    cells.find((cell) => cell.request === request && cell.name === name);
  const own = of(sluiceName);
  const peer = of(other);
  return own === undefined || peer === undefined ? '' : figure(measure(own) / measure(peer));
}

/** All tables of one family as Markdown. */
export function report(
  family: Family,
  requests: readonly RequestName[],
  contenders: readonly { readonly name: string }[],
  cells: readonly Cell[],
): string {
  const names = contenders.map((contender) => contender.name);
  const parts = sections.map(({ title, show }) => {
    const rows = names.map((name) => [
      name,
      ...requests.map((request) => {
        const cell = cells.find((one) => one.request === request && one.name === name);
        return cell === undefined ? '' : show(cell);
      }),
    ]);
    return `### ${family}: ${title}\n\n${table(['implementation', ...requests], rows)}`;
  });
  const others = names.filter((name) => name !== sluiceName);
  const ratios = others.flatMap((other) => [
    [
      `CPU, of ${other}`,
      ...requests.map((request) => ratio(cells, request, other, (cell) => cell.cpu)),
    ],
    [
      `wall p50, of ${other}`,
      ...requests.map((request) => ratio(cells, request, other, (cell) => cell.p50)),
    ],
  ]);
  parts.push(
    `### ${family}: Sluice in relation to the others\n\n${table(['', ...requests], ratios)}`,
  );
  const load = (loadavg()[0] ?? 0).toFixed(2);
  return `\n${parts.join('\n\n')}\n\nLoad average of the last minute at the end: ${load}\n`;
}
