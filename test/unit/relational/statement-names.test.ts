/** Names of prepared statements: the same for the same text in every process, and bounded in number. */

import { describe, expect, it } from 'vitest';
import { StatementNames, plainStatement } from '../../../src/relational/index.ts';

/** The name after the runs that a statement needs to get one. */
function nameOf(names: StatementNames, text: string): string | undefined {
  const statement = plainStatement(text);
  for (let run = 0; run < 3; run += 1) expect(names.nameFor(statement)).toBeUndefined();
  return names.nameFor(statement);
}

describe('names of statements', () => {
  it('stand for one text, in every process that shares connections', () => {
    const name = nameOf(new StatementNames(9), 'select 1');
    expect(name).toMatch(/^sluice_\w{1,56}$/);
    const others = new StatementNames(9);
    expect(nameOf(others, 'select 2')).not.toBe(name);
    expect(nameOf(others, 'select 1')).toBe(name);
  });

  it('are given to a bounded number of statements', () => {
    const names = new StatementNames(1);
    expect(nameOf(names, 'select 1')).toBeDefined();
    expect(nameOf(names, 'select 2')).toBeUndefined();
  });
});
