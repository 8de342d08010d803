/** The example of the guide is short, runs with its generated client, and prints the documented output. */

import { expect, it } from 'vitest';
import { generateExample } from '../docs/prisma-example.ts';
import { exampleOf, runExample } from '../docs/run-example.ts';

it('the example of docs/prisma.md prints the documented output', async () => {
  const example = exampleOf('docs/prisma.md', 'cities.ts');
  expect(example.code.split('\n').length).toBeLessThan(60);
  expect(example.output).not.toBe('');
  const printed = await runExample(example, (folder) =>
    generateExample('docs/prisma.md', folder, 'portable.prisma'),
  );
  expect(printed).toBe(example.output);
});
