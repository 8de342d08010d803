/** The examples of the guides to plain connections run, and print the output that the guides show. */

import { expect, it } from 'vitest';
import { exampleOf, runExample } from './run-example.ts';

it('the example of docs/sql.md prints the output in the document', async () => {
  const example = exampleOf('docs/sql.md', 'cities.ts');
  expect(example.code.split('\n').length).toBeLessThanOrEqual(60);
  expect(example.output).not.toBe('');
  expect(await runExample(example)).toBe(example.output);
});

it('an ORM that describes and executes, and no more, serves lists as docs/adapters.md shows', async () => {
  const example = exampleOf('docs/adapters.md', 'adapter.ts');
  expect(example.output).not.toBe('');
  expect(await runExample(example)).toBe(example.output);
});
