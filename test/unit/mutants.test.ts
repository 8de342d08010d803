/** The mutants of `tools/mutants` can be tried: each changes a text that stands in the source, and names tests that exist. */

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutate, readRooms, root } from '../../tools/mutants/mutant.ts';

const rooms = readRooms();

describe.each(rooms)('the mutants of $name', ({ mutants, tests }) => {
  it.each(mutants)('$number: $title', (mutant) => {
    const source = readFileSync(new URL(mutant.file, root), 'utf8');
    expect(mutate(mutant, source)).not.toBe(source);
    expect(mutant.title).not.toBe('');
    expect(mutant.dies.filter((test) => !existsSync(new URL(test, root)))).toEqual([]);
  });

  it('have tests', () => {
    expect(tests.length).toBeGreaterThan(0);
  });
});

it('are at least 400, of every part of the source that reads, writes or decides', () => {
  expect(rooms.flatMap(({ mutants }) => mutants).length).toBeGreaterThanOrEqual(400);
  expect(rooms.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['adapters', 'auth', 'cli', 'core', 'dashboard', 'http', 'kvq', 'lib']),
  );
});
