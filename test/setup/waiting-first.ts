/** The order of test files: those that wait come first, so that the others fill the time. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ project }: TestSpecification) => project.name === 'waiting';
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
