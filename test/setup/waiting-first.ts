/**
 * The order of test files: those that wait come first, so that the others fill the time, and then those that take
 * minutes, so that none of them runs alone at the end.
 */

import { matchesGlob, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { leftToCi } from './left-to-ci.ts';

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name === 'waiting') return 0;
      const file = relative(this.ctx.config.root, moduleId);
      return leftToCi.some(({ files: pattern }) => matchesGlob(file, pattern)) ? 1 : 2;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
