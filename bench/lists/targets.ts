/** The performance targets relative to other implementations, and whether a run met them. */

import { figure, table } from '../markdown.ts';
import type { Cell } from './cell.ts';
import { peer, sealed, sluice } from './contender.ts';
import type { RequestName } from './requests.ts';

/** A target for some requests: own figure divided by the other's, at most `limit`. */
interface Target {
  readonly own: string;
  readonly other: string;
  readonly measure: Measure;
  readonly limit: number;
  /** Default: every request that both answer. */
  readonly requests?: readonly RequestName[];
}

type Measure = 'cpu' | 'p50' | 'statements';

const titles: Readonly<Record<Measure, string>> = {
  cpu: 'CPU',
  p50: 'wall p50',
  statements: 'statements',
};

const light = ['Q0', 'Q7'] as const;
const includes = ['Q2', 'Q4'] as const;
const offsets = ['Q0', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6'] as const;

/** For every ORM: twice as fast with includes, a hundred times with a cursor, never slower. */
function comparedWithNestjsPaginate(own: string): Target[] {
  const other = peer.nestjsPaginate;
  return [
    { own, other, measure: 'p50', limit: 1 / 2, requests: includes },
    { own, other, measure: 'p50', limit: 1 / 100, requests: ['Q7'] },
    { own, other, measure: 'p50', limit: 1 },
    { own, other: peer.nestjsPaginateTuned, measure: 'p50', limit: 1 },
  ];
}

/** In the process, where a statement costs no round trip, by an endpoint by hand of the same bytes. */
function comparedWithKeptStatements(own: string): Target[] {
  const other = peer.sqliteEndpoint;
  return [
    { own, other, measure: 'cpu', limit: 1.2, requests: ['Q0'] },
    { own, other, measure: 'cpu', limit: 1.35, requests: ['Q7'] },
  ];
}

/** The targets, the most similar implementations first. */
const targets: readonly Target[] = [
  { own: sluice.sql, other: peer.pgEndpoint, measure: 'cpu', limit: 0.7, requests: ['Q0'] },
  { own: sluice.sql, other: peer.pgEndpoint, measure: 'cpu', limit: 0.85, requests: ['Q7'] },
  ...[sluice.sql, sluice.drizzle].flatMap(comparedWithKeptStatements),
  { own: sluice.drizzle, other: peer.drizzleEndpoint, measure: 'cpu', limit: 0.35 },
  { own: sluice.drizzle, other: peer.drizzle, measure: 'cpu', limit: 0.35, requests: light },
  { own: sluice.sql, other: peer.pg, measure: 'cpu', limit: 1.15 },
  { own: sluice.sql, other: peer.sqlite, measure: 'cpu', limit: 1.15 },
  { own: sealed(sluice.sql), other: peer.pg, measure: 'cpu', limit: 1.5 },
  { own: sealed(sluice.sql), other: peer.sqlite, measure: 'cpu', limit: 1.5 },
  { own: sealed(sluice.drizzle), other: peer.pg, measure: 'cpu', limit: 1.5 },
  { own: sealed(sluice.drizzle), other: peer.sqlite, measure: 'cpu', limit: 1.5 },
  { own: sluice.typeorm, other: peer.typeormTuned, measure: 'cpu', limit: 0.8 },
  { own: sluice.typeormEntities, other: peer.typeormTuned, measure: 'cpu', limit: 1.1 },
  { own: sluice.prisma, other: peer.prisma, measure: 'cpu', limit: 1.1, requests: offsets },
  { own: sluice.prisma, other: peer.prismaWhere, measure: 'cpu', limit: 1.1 },
  { own: sluice.prisma, other: peer.prisma, measure: 'p50', limit: 1 / 20, requests: ['Q7'] },
  ...[sluice.drizzle, sluice.typeorm, sluice.typeormEntities, sluice.prisma].flatMap(
    comparedWithNestjsPaginate,
  ),
  ...[sluice.sql, sluice.drizzle, sluice.typeorm, sluice.prisma].map((own): Target => ({
    own,
    other: peer.sql,
    measure: 'p50',
    limit: 1.3,
  })),
  { own: sluice.typeorm, other: peer.typeormTuned, measure: 'statements', limit: 1 },
  { own: sluice.typeormEntities, other: peer.typeormTuned, measure: 'statements', limit: 1 },
  { own: sluice.prisma, other: peer.prisma, measure: 'statements', limit: 1 },
];

/** Each target with its ratios and the requests that missed it; empty if no target has both its implementations. */
export function targetTable(requests: readonly RequestName[], cells: readonly Cell[]): string {
  const of = (name: string, request: RequestName): Cell | undefined =>
    cells.find((cell) => cell.name === name && cell.request === request);
  const rows = targets.flatMap(({ own, other, measure, limit, requests: bound }) => {
    const missed: RequestName[] = [];
    const ratios = requests.map((request) => {
      const mine = of(own, request);
      const theirs = of(other, request);
      if (mine === undefined || theirs === undefined) return '';
      if (bound !== undefined && !bound.includes(request)) return '';
      const ratio = mine[measure] / theirs[measure];
      if (ratio > limit) missed.push(request);
      return figure(ratio);
    });
    if (ratios.every((ratio) => ratio === '')) return [];
    const verdict = missed.length === 0 ? 'met' : `not met: ${missed.join(', ')}`;
    return [[`${own}: ${titles[measure]} relative to ${other}`, figure(limit), ...ratios, verdict]];
  });
  return rows.length === 0 ? '' : table(['target', 'at most', ...requests, ''], rows);
}
