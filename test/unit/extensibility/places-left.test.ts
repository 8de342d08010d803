/** Adding an operator, database or ORM changes few files, and the compiler names each of them. */

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  filesOf,
  newAdapter,
  newFamily,
  newOperator,
  newOperatorForm,
  placesLeft,
} from '../../../tools/touches.ts';

const oracle = 'test/matrix/reference/compare.ts';

/** Source files that contain one of the texts. */
async function holding(...wanted: readonly string[]): Promise<string[]> {
  const root = path.join(import.meta.dirname, '../../..');
  const names = await readdir(path.join(root, 'src'), { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => `src/${name}`);
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')));
  return files.filter((_, index) => wanted.some((text) => texts[index]?.includes(text)));
}

describe('the compiler', { timeout: 240_000 }, () => {
  it('requires only the test of a new operator', async () => {
    expect(filesOf(await placesLeft([newOperator]))).toEqual([oracle]);
  });

  it('names each file that distinguishes forms of operators', async () => {
    const named = filesOf(await placesLeft(newOperatorForm));
    const switches = await holding(
      'switch (row.comparison)',
      'switch (row.need)',
      'switch (arity)',
    );
    // A switch over the operators that Prisma supports does not include one without a Prisma name.
    const expected = switches.filter((file) => !file.endsWith('lower-where.ts'));
    expect(expected).toContain('src/relational/compile/condition.ts');
    expect(named).toEqual([...expected, 'src/rules/client/client-request.ts', oracle].sort());
  });

  it('names the tables that a new database family joins, below the adapters and of sluice init', async () => {
    const named = filesOf(await placesLeft([newFamily]));
    for (const table of [
      'relational/families.ts',
      'relational/tools/index.ts',
      'adapters/prisma/describe/providers.ts',
      'adapters/typeorm/families.ts',
      'adapters/sql/executors/knex.ts',
      'adapters/sql/executors/kysely.ts',
    ]) {
      expect(named).toContain(`src/${table}`);
    }
    // The functions and drivers of a family, by which sluice init knows the one of a project.
    expect(named.filter((file) => !/^src\/(?:relational|adapters)\//.test(file))).toEqual([
      'src/cli/init/tables/drizzle.ts',
      'src/cli/init/tables/typeorm.ts',
    ]);
  });

  it('names the two parts of a new adapter and their members', async () => {
    const places = await placesLeft([newAdapter]);
    expect(filesOf(places)).toEqual([newAdapter.file]);
    const said = places.map(({ message }) => message).join('\n');
    for (const part of ['describe', 'execute', 'family', 'registry', 'physical', 'run', 'server']) {
      expect(said).toContain(part);
    }
  });
});
