/** The tables of one database family. */

import { loadavg } from 'node:os';
import { figure, table } from '../markdown.ts';
import type { Cell } from './cell.ts';
import { peer, sluice } from './contender.ts';
import type { RequestName } from './requests.ts';
import type { Family } from './services.ts';
import { targetTable } from './targets.ts';

/** The title of a table and the figure of a cell in it. */
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

/** The implementations that Sluice on each ORM is compared with, after the drivers. */
const relatives: Readonly<Record<string, readonly string[]>> = {
  [sluice.drizzle]: [peer.drizzle, peer.drizzleNested],
  [sluice.typeorm]: [peer.typeorm, peer.typeormTuned, peer.typeormNested, peer.nestjsPaginate],
  [sluice.typeormEntities]: [
    peer.typeorm,
    peer.typeormTuned,
    peer.typeormNested,
    peer.nestjsPaginate,
  ],
  [sluice.prisma]: [peer.prisma, peer.prismaWhere, peer.prismaNested],
};

/** The figures of one contender divided by those of another. */
function ratios(
  own: string,
  other: string,
  requests: readonly RequestName[],
  cells: readonly Cell[],
): string[][] {
  const of = (name: string, request: RequestName): Cell | undefined =>
    cells.find((cell) => cell.request === request && cell.name === name);
  const row = (measure: (cell: Cell) => number): string[] =>
    requests.map((request) => {
      const mine = of(own, request);
      const theirs = of(other, request);
      return mine === undefined || theirs === undefined
        ? ''
        : figure(measure(mine) / measure(theirs));
    });
  return [
    [`CPU relative to ${other}`, ...row((cell) => cell.cpu)],
    [`wall p50 relative to ${other}`, ...row((cell) => cell.p50)],
  ];
}

/** Rows with a figure: an implementation may answer other requests only. */
const filled = (rows: readonly string[][]): string[][] =>
  rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''));

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
    return `### ${family}: ${title}\n\n${table(['implementation', ...requests], filled(rows))}`;
  });
  const drivers = names.filter((name) => name.startsWith('raw '));
  for (const [own, others] of Object.entries(relatives)) {
    if (!names.includes(own)) continue;
    const shown = [...drivers, ...others.filter((other) => names.includes(other))];
    const rows = shown.flatMap((other) => ratios(own, other, requests, cells));
    parts.push(
      `### ${family}: ${own} relative to the others\n\n${table(['', ...requests], filled(rows))}`,
    );
  }
  const targets = targetTable(requests, cells);
  if (targets !== '') parts.push(`### ${family}: targets\n\n${targets}`);
  const load = (loadavg()[0] ?? 0).toFixed(2);
  return `\n${parts.join('\n\n')}\n\nLoad average (1 min) at the end: ${load}\n`;
}
