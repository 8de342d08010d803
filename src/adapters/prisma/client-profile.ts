/** Profile checks of Prisma's driver adapters: values that they read differently from how they are stored. */

import {
  type CheckProfile,
  type ProfileViolation,
  profileQuery,
} from '../../relational/profile/index.ts';

const yearsQuery = profileQuery({ instant: `cast('0001-01-01 00:00:00' as datetime)` }, '');

/** An instant of the year 1 must not be read as one of the year 2001. */
export const checkYears: CheckProfile = async (run) => {
  const [{ instant } = {}] = await run(yearsQuery);
  if (instant instanceof Date && instant.getUTCFullYear() === 1) return [];
  const detail =
    'the driver adapter takes years before 100 for later ones; wrap it in exactYears() of sluice/prisma';
  return [{ rule: 'datetime-form', where: 'client', detail }];
};

const typesQuery = profileQuery({ name: 'name', type: 'type' }, 'from pragma_table_xinfo(?)');

/** The adapter recognizes decimals by the name of their type, and guesses other types by the first row. */
export const checkDecimals: CheckProfile = async (run, physical) => {
  const violations: ProfileViolation[] = [];
  for (const { model, table, columns } of physical.values()) {
    const declared = await run(typesQuery, [table.name]);
    const types = new Map(declared.map(({ name, type }) => [name, String(type)]));
    for (const { path, name, kind, storage } of columns.values()) {
      const type = types.get(name);
      if (kind !== 'decimal' || storage !== 'native' || type === undefined) continue;
      if (type.toUpperCase() === 'DECIMAL') continue;
      const detail = `type ${type}, which the driver adapter does not read as a decimal; declare it DECIMAL`;
      violations.push({ rule: 'decimal', where: `${model}.${path}`, detail });
    }
  }
  return violations;
};
