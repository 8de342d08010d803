/** The rules of the endpoint of the hostile suite: every kind, every operator, every part of the grammar. */

import { defineQueryRules } from '../../src/index.ts';
import type { CompiledQueryRules, ModelScopes, SchemaRegistry } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { equality, folded, order, text as exact } from '../matrix/corpus/rule.ts';

const text = [...exact, ...folded] as const;

/** The rules over the registry of any family. */
export function hostileRules(
  registry: SchemaRegistry,
  keys = cursorKeys,
  scopes?: ModelScopes,
): CompiledQueryRules {
  return defineQueryRules(
    registry,
    'person',
    {
      filters: [
        { path: 'id', operators: [...equality, ...order] },
        { path: 'name', operators: [...equality, ...order, ...text] },
        { path: 'nick', operators: ['eq', 'like', 'isNull'] },
        { path: 'code', operators: [...equality, ...order, 'like'] },
        { path: 'role', operators: [...equality, ...order, ...text] },
        { path: 'age', operators: [...equality, ...order, 'isNull'] },
        { path: 'visits', operators: [...equality, ...order] },
        { path: 'balance', operators: [...equality, ...order] },
        { path: 'active', operators: equality },
        { path: 'born', operators: [...equality, ...order, 'isNull'] },
        { path: 'seenAt', operators: [...equality, ...order, 'isNull'] },
        { path: 'firm', operators: ['isNull'] },
        { path: 'firm.name', operators: [...equality, ...text] },
        { path: 'notes', operators: ['isNull'] },
        { path: 'notes.text', operators: ['eq', 'ne', 'ilike'] },
        { path: 'labels.word', operators: ['eq', 'in'] },
      ],
      sorts: [
        'id',
        'name',
        'nick',
        'code',
        'role',
        'age',
        'visits',
        'balance',
        'born',
        'seenAt',
        'firm.name',
      ],
      fields: {
        root: {
          allowed: [
            'id',
            'name',
            'nick',
            'code',
            'role',
            'age',
            'visits',
            'balance',
            'active',
            'born',
            'seenAt',
            'extra',
          ],
          default: ['id', 'name'],
        },
        relations: {
          firm: { allowed: ['id', 'name'], default: ['name'] },
          notes: { allowed: ['id', 'text'], default: ['text'] },
          'notes.person': { allowed: ['id', 'name'], default: ['id'] },
          labels: { allowed: ['labels.*'], default: ['word'] },
        },
      },
      includes: ['firm', 'notes', 'notes.person', 'labels'],
      search: ['name', 'role', 'firm.name', 'notes.text'],
      pagination: { mode: 'both' },
    },
    // The same answer from every family.
    { cursorKeys: keys, portable: true, ...(scopes && { scopes }) },
  );
}
