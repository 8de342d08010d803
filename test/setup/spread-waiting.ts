/**
 * The order of test files: those with a process of their own first, longest first, with those that wait spread among
 * them, so that the others use the processors meanwhile; then those that share processes, which are short.
 */

import { matchesGlob, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { turns } from './left-to-ci.ts';

/** Both lists in their order, each spread evenly over the whole. */
function spread<T>(...lists: readonly (readonly T[])[]): T[] {
  return lists
    .flatMap((list) => list.map((each, at) => ({ each, place: (at + 0.5) / list.length })))
    .toSorted((left, right) => left.place - right.place)
    .map(({ each }) => each);
}

const long = turns.flatMap(({ rows }) => rows.flat()).map((files) => `test/${files}`);

export class SpreadWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Without times of an earlier run, those that take turns in groups are known to be long.
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      long.some((pattern) => matchesGlob(relative(this.ctx.config.root, moduleId), pattern));
    const longFirst = [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
    const of = (wanted: (project: string) => boolean) =>
      longFirst.filter(({ project }) => wanted(project.name));
    return [
      ...spread(
        of((project) => project === 'waiting'),
        of((project) => project === 'all'),
      ),
      ...of((project) => project !== 'waiting' && project !== 'all'),
    ];
  }
}
