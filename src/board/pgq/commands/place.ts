/** How far a run by filter is, as the text that is kept with it. */

import { beforeAll } from './locked-jobs.ts';

/** Where a run by filter goes on: at a block of the table, or after an id. */
export interface Place {
  readonly block?: number | undefined;
  readonly after: string;
  /** Whether the blocks of the table have been swept, so that all jobs have been examined. */
  readonly isSwept: boolean;
}

export const sweptFirst: Place = { after: beforeAll, isSwept: true };

export const positionOf = ({ block, after, isSwept }: Place): string =>
  block === undefined ? `${isSwept ? 'swept ' : ''}${after}` : `block ${block}`;

export function placeOf(position: string): Place {
  const [kind = '', at] = position.split(' ');
  if (at === undefined) return { after: kind, isSwept: false };
  if (kind === 'swept') return { after: at, isSwept: true };
  return { block: Number(at), after: beforeAll, isSwept: false };
}
