/** The roles of companion columns: the kinds that have them and the suffixes of their names by convention. */

import type { FieldKind } from './types.ts';

/** One role of a companion column. */
export interface CompanionRole {
  readonly role: 'foldedField' | 'portableOrderField';
  readonly kinds: ReadonlySet<FieldKind>;
  readonly suffixes: readonly string[];
}

export const companionRoles: readonly CompanionRole[] = [
  {
    role: 'foldedField',
    kinds: new Set(['string', 'uuid', 'enum']),
    suffixes: ['Folded', '_folded'],
  },
  {
    role: 'portableOrderField',
    kinds: new Set(['uuid', 'enum', 'decimal']),
    suffixes: ['Order', '_order'],
  },
];
