/** Profile tests for every family: a table that matches the profile, then one deviating column at a time. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkProfile, enforceProfile } from '../../src/adapters/drizzle/index.ts';
import type {
  DrizzleSource,
  ProfiledSource,
  ProfileRule,
  ProfileViolation,
} from '../../src/adapters/drizzle/index.ts';
import { type RunProfileQuery, profileRunner } from '../../src/relational/profile/index.ts';
import { QueryError } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import type { ScratchDatabase } from '../services/index.ts';

/** A connection and the source whose tables are checked. */
export interface ProfileCell {
  readonly source: Pick<DrizzleSource<unknown, unknown>, 'describe' | 'execute'>;
  execute(sql: string): Promise<unknown>;
  close(): Promise<unknown>;
}

/** One column that violates the profile. */
export interface Deviation {
  readonly column: string;
  readonly type: string;
  readonly rule: ProfileRule;
  readonly detail: RegExp;
  /** Value inserted before the check. */
  readonly value?: string;
}

/** The parts of these tests that differ between families. */
export interface ProfileFamily {
  readonly family: 'postgresql' | 'mysql' | 'sqlite';
  open(url: string): ProfileCell;
  /** Column types of table `things` (model `thing`) that match the profile. */
  readonly columns: { readonly [name: string]: string };
  /** Statements to run before a table is created. */
  readonly before?: readonly string[];
  /** Further types that match the profile. */
  readonly accepted?: readonly (readonly [column: string, type: string])[];
  readonly deviations: readonly Deviation[];
  /** Runs the family's check against a server that reports another version. */
  readonly checkWith: (run: RunProfileQuery, source: ProfiledSource) => Promise<ProfileViolation[]>;
  readonly oldVersion: string;
  /** Further tests of this family. */
  readonly more: (cell: () => ProfileCell, database: ScratchDatabase) => void;
}

/** Defines the tests of a family. */
export async function profileSuite(test: ProfileFamily): Promise<void> {
  const { family, columns, deviations } = test;
  const found = await scratchDatabase(family, 'profile');
  if ('missing' in found && everyServiceRequired()) throw new Error(found.advice);

  describe.skipIf('missing' in found)(`the profile of ${family}`, () => {
    const database = found as ScratchDatabase;
    let cell: ProfileCell;

    const makeTable = async (changed: { readonly [name: string]: string } = {}) => {
      const types = Object.entries({ ...columns, ...changed }).filter(([, type]) => type !== '');
      await cell.execute('drop table if exists things');
      const list = types.map(([name, type]) => `${name} ${type}`).join(', ');
      await cell.execute(`create table things (${list})`);
    };

    beforeAll(async () => {
      cell = test.open(database.url);
      for (const statement of test.before ?? []) await cell.execute(statement);
      await makeTable();
    });
    afterAll(async () => {
      await cell.close();
      await database.drop();
    });

    it('reports nothing for a database that matches it', async () => {
      expect(await checkProfile(cell.source)).toEqual([]);
      await expect(enforceProfile(cell.source)).resolves.toBeUndefined();
    });

    it('reports all violations in one error', async () => {
      await cell.execute('drop table things');
      const error = await enforceProfile(cell.source).catch((thrown: unknown) => thrown);
      await makeTable();
      expect(error).toBeInstanceOf(QueryError);
      expect(error).toMatchObject({ code: 'PORTABILITY_PROFILE_MISMATCH', status: 500 });
      const violations = (error as QueryError<'PORTABILITY_PROFILE_MISMATCH'>).details.violations;
      expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(['missing']));
      expect(violations).toHaveLength(
        cell.source.describe.context.physical.get('thing')!.columns.size,
      );
      expect((error as QueryError).message).toContain('thing.id (missing): ');
    });

    it('reports a version that is too old', async () => {
      const older: RunProfileQuery = async (query, values) =>
        (await profileRunner(cell.source.execute)(query, values)).map((row) =>
          'version' in row ? { ...row, version: test.oldVersion } : row,
        );
      expect(await test.checkWith(older, cell.source)).toEqual([
        { rule: 'version', where: 'server', detail: expect.stringContaining(test.oldVersion) },
      ]);
    });

    describe.each(test.accepted ?? [])('a column %s of type %s', (column, type) => {
      it('matches the profile', async () => {
        await makeTable({ [column]: type });
        expect(await checkProfile(cell.source)).toEqual([]);
      });
    });

    describe.each([...deviations])('a column $column of type $type', (deviation) => {
      const { column, type, rule, detail, value } = deviation;
      it(`violates the rule ${rule}`, async () => {
        await makeTable({ [column]: type });
        if (value !== undefined) {
          await cell.execute(`insert into things (id, ${column}) values (1, ${value})`);
        }
        expect(await checkProfile(cell.source)).toEqual([
          { rule, where: `thing.${column}`, detail: expect.stringMatching(detail) },
        ]);
        await makeTable();
      });
    });

    test.more(() => cell, database);
  });
}
