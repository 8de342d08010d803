/** The keys by which the client finds rows: as many in a query as it binds parameters. */

import { expect, it } from 'vitest';
import { clientBehaviour } from '../../src/adapters/prisma/client-behaviour.ts';
import type { ClientField } from '../../src/adapters/prisma/describe/client-model.ts';
import { ModelKey } from '../../src/adapters/prisma/keys.ts';

it.each(['postgresql', 'mysql', 'sqlite'] as const)(
  'a key of two fields takes two of %s',
  (family) => {
    const field = (path: string): ClientField => ({
      descriptor: { path, kind: 'integer', nullable: false, primaryKey: true },
      family,
      type: 'Int',
      sqlType: 'integer',
      memberNames: null,
      shownMembers: null,
    });
    const keyOf = (...primaryKey: string[]) =>
      new ModelKey(family, {
        name: 'shelf',
        primaryKey,
        fields: new Map(primaryKey.map((path) => [path, field(path)])),
        relations: new Map(),
      });
    const { maxParameters } = clientBehaviour[family];
    expect(keyOf('id').perQuery).toBe(maxParameters);
    const both = keyOf('room', 'number');
    expect(both.perQuery).toBe(Math.floor(maxParameters / 2));
    const keys = [
      { room: 1, number: 2 },
      { room: 3, number: 4 },
    ];
    expect(both.where(keys)).toEqual({ OR: keys });
    expect(keyOf('id').where([{ id: 1 }, { id: 2 }])).toEqual({ id: { in: [1, 2] } });
    const alike = [
      { room: 'a_b', number: 'c' },
      { room: 'a', number: 'b_c' },
      { room: 'a,b', number: 'c' },
      { room: 'a', number: 'b,c' },
      { room: 'ab', number: 'c' },
      { room: 'a', number: 'bc' },
    ];
    expect(new Set(alike.map((key) => both.text(key))).size).toBe(alike.length);
  },
);
