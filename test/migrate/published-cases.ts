/** The published end-to-end cases of nestjs-paginate: runs its own specification, and records each call with its result. */

import { createRequire } from 'node:module';
import type { PaginateConfig, PaginateQuery, Paginated } from 'nestjs-paginate';
import type { ObjectLiteral, Repository } from 'typeorm';
import { expect, vi } from 'vitest';

/** A call of `paginate`, which the specification expects to end so. */
export interface PublishedCase {
  /** Names of the suites and the test. */
  readonly name: string;
  readonly query: PaginateQuery;
  readonly repository: Repository<ObjectLiteral>;
  readonly config: PaginateConfig<ObjectLiteral>;
  readonly result: Paginated<ObjectLiteral>;
}

type Work = () => unknown;

/** A suite, with its hooks, and its tests and suites in their order. */
class Suite {
  readonly before: Work[] = [];
  readonly each: Work[] = [];
  readonly after: Work[] = [];
  readonly members: ({ readonly name: string; readonly work: Work } | Suite)[] = [];
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async run(test: (name: string, work: Work) => Promise<void>, each: readonly Work[] = []) {
    for (const work of this.before) await work();
    const hooks = [...each, ...this.each];
    for (const member of this.members) {
      if (member instanceof Suite) await member.run(test, hooks);
      else {
        for (const work of hooks) await work();
        await test(`${this.name} > ${member.name}`, member.work);
      }
    }
    for (const work of this.after) await work();
  }
}

/**
 * Runs the specification on SQLite, and `each` after every call of `paginate` that has succeeded on a repository, while
 * the rows are those of the call. Returns the tests that failed, which must be none.
 */
export async function runPublishedCases(
  each: (one: PublishedCase) => Promise<void>,
): Promise<readonly string[]> {
  const load = createRequire(import.meta.url);
  const library = load('nestjs-paginate/lib/paginate') as {
    paginate: (
      query: PaginateQuery,
      on: Repository<ObjectLiteral>,
      config: PaginateConfig<ObjectLiteral>,
    ) => Promise<Paginated<ObjectLiteral>>;
  };
  const { paginate } = library;
  let suite = new Suite('');
  let running = '';
  library.paginate = async (query, on, config) => {
    const given = { ...config };
    const result = await paginate(query, on, config);
    if ('manager' in on)
      await each({ name: running, query, repository: on, config: given, result });
    return result;
  };
  const add = (name: string, work: Work) => void suite.members.push({ name, work });
  const globals = {
    describe(name: string, define: Work) {
      const outer = suite;
      suite = new Suite(name);
      outer.members.push(suite);
      define();
      suite = outer;
    },
    it: Object.assign(add, {
      each: (rows: readonly unknown[]) => (name: string, work: (...row: unknown[]) => unknown) => {
        for (const [at, row] of rows.entries()) {
          add(`${name} ${at}`, () => work(...(Array.isArray(row) ? row : [row])));
        }
      },
    }),
    beforeAll: (work: Work) => void suite.before.push(work),
    beforeEach: (work: Work) => void suite.each.push(work),
    afterAll: (work: Work) => void suite.after.push(work),
    jest: { fn: vi.fn, spyOn: vi.spyOn, restoreAllMocks: vi.restoreAllMocks },
    expect,
  };
  const failed: string[] = [];
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  vi.stubEnv('DB', 'sqlite');
  try {
    load('nestjs-paginate/lib/paginate.spec');
    await suite.run(async (name, work) => {
      running = name;
      try {
        await work();
      } catch (error) {
        failed.push(`${name}: ${String(error).slice(0, 300)}`);
      }
    });
  } finally {
    library.paginate = paginate;
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }
  return failed;
}
