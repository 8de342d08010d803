/** The guide's example is short, runs on what its schema generates, and prints what the guide says. */

import { expect, it } from 'vitest';
import { generateExample } from '../docs/prisma-example.ts';
import { exampleOf, runExample } from '../docs/run-example.ts';

it('the example of docs/prisma.md prints what the document shows', async () => {
  const example = exampleOf('docs/prisma.md', 'cities.ts');
  expect(example.code.split('\n').length).toBeLessThan(60);
  expect(example.output).not.toBe('');
  const printed = await runExample(example, (folder) => generateExample('docs/prisma.md', folder));
  expect(printed).toBe(example.output);
});
