/** Truth values and members of enums that stand in the text of a statement: those that need nothing but quotes. */

import { expect, it } from 'vitest';
import { literalsOf } from '../../../src/relational/compile/literals.ts';
import { operatorRow } from '../../../src/rules/index.ts';

const dialect = { truths: ['false', 'true'] } as const;
const members = ['open', "it's", 'a\\b', ...Array.from({ length: 9 }, (_, at) => `m${at}`)];
const many = members.slice(3);

const written = (
  operator: 'eq' | 'ne' | 'in' | 'notIn' | 'gte',
  value: string | readonly string[],
) =>
  literalsOf(
    dialect,
    { path: 'state', kind: 'enum', nullable: false, primaryKey: false, enumValues: members },
    { row: operatorRow(operator), value },
  );

it.each([
  ['eq', 'open', "'open'"],
  ['ne', 'm1', "'m1'"],
  ['in', ['m1', 'open'], "('open', 'm1')"],
  [
    'notIn',
    many.slice(0, 8),
    `(${many
      .slice(0, 8)
      .map((member) => `'${member}'`)
      .join(', ')})`,
  ],
] as const)('writes %s of %j', (operator, value, text) => {
  expect(written(operator, value)).toBe(text);
});

it.each([
  ['eq', "it's"],
  ['eq', 'a\\b'],
  ['in', ['open', "it's"]],
  ['eq', 'no member'],
  ['in', ['open', 'no member']],
  ['in', []],
  ['in', many],
  ['gte', 'open'],
] as const)('binds %s of %j', (operator, value) => {
  expect(written(operator, value)).toBeUndefined();
});
