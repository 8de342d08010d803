/** The names that the subpaths export: a new one is a decision, which the documents explain. */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFile, publicNames } from '../../tools/package/public-names.ts';
import { root } from './package.ts';

const names = publicNames();

describe('the subpaths', () => {
  it('export the names of the list, which `node tools/public-names.ts` writes', () => {
    expect(names).toEqual(JSON.parse(readFileSync(listFile, 'utf8')));
  });

  it('export no value that no document explains', () => {
    const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
      .map((file) => readFileSync(path.join(root, file), 'utf8'))
      .join('\n');
    const unexplained = Object.entries(names).flatMap(([subpath, { values }]) =>
      values
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(documents))
        .map((name) => `${subpath}: ${name}`),
    );
    expect(unexplained).toEqual([]);
  });

  it('export at most 90 names of the core', () => {
    const { values = [], types = [] } = names['sluice'] ?? {};
    expect(values.length + types.length).toBeLessThanOrEqual(90);
  });
});
