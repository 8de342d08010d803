/** The examples of the guides to plain connections run and print the documented output. */

import { expect, it } from 'vitest';
import { exampleOf, runExample } from './run-example.ts';

it('the example of docs/sql.md prints the documented output', async () => {
  const example = exampleOf('docs/sql.md', 'cities.ts');
  expect(example.code.split('\n').length).toBeLessThanOrEqual(60);
  expect(example.output).not.toBe('');
  expect(await runExample(example)).toBe(example.output);
});

it('the example of docs/computed-fields.md prints the documented output', async () => {
  const example = exampleOf('docs/computed-fields.md', 'computed.ts');
  expect(example.output).not.toBe('');
  expect(await runExample(example)).toBe(example.output);
});

it('the adapter example of docs/adapters.md prints the documented output', async () => {
  const example = exampleOf('docs/adapters.md', 'adapter.ts');
  expect(example.output).not.toBe('');
  expect(await runExample(example)).toBe(example.output);
});
