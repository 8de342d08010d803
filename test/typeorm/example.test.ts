/** The example of the guide is short, runs, and prints the documented output. */

import { expect, it } from 'vitest';
import { exampleOf, runExample } from '../docs/run-example.ts';

it('the example of docs/typeorm.md prints the documented output', async () => {
  const example = exampleOf('docs/typeorm.md', 'cities.ts');
  expect(example.code.split('\n').length).toBeLessThan(60);
  expect(example.output).not.toBe('');
  expect(await runExample(example)).toBe(example.output);
});
