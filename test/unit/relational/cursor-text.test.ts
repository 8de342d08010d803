/** Texts of values in cursors: those of one value are equal, however a database writes it. */

import { expect, it } from 'vitest';
import { sqlite } from '../../../src/relational/index.ts';
import { cursorTextOf } from '../../../src/relational/read/cursor-text.ts';

it('a float has one text, whether it is read as a number or as a text of any database', () => {
  for (const storage of ['native', 'single'] as const) {
    const text = cursorTextOf({
      path: 'height',
      name: 'height',
      kind: 'float',
      sqlType: 'double',
      storage,
    });
    for (const stored of [1e15, '1e15', '1e+15', '1000000000000000']) {
      expect(text(stored)).toBe('1000000000000000');
    }
    for (const stored of [1e-7, '1e-7', '1e-07', '0.0000001']) expect(text(stored)).toBe('1e-7');
    expect(text('-0')).toBe('0');
    expect(text('Infinity')).toBe('Infinity');
    expect(text(null)).toBeNull();
  }
});

it('a decimal of SQLite has one text, however a version of SQLite quotes its double', () => {
  const column = {
    path: 'balance',
    name: 'balance',
    kind: 'decimal',
    sqlType: 'numeric',
    storage: 'native',
  } as const;
  const text = cursorTextOf(column, sqlite);
  const quoted = ['-9999999999.99999', '-9999999999.9999905', '-9.99999999999999046326e+09'];
  for (const stored of [-9_999_999_999.999_99, ...quoted]) {
    expect(text(stored)).toBe('-9999999999.99999');
  }
});

it('an instant keeps its microseconds, in every form that databases write', () => {
  const text = cursorTextOf({
    path: 'at',
    name: 'at',
    kind: 'datetime',
    sqlType: 'timestamp(6)',
    storage: 'native',
  });
  for (const stored of [
    '2024-03-04 05:06:07.123456+00',
    '2024-03-04 05:06:07.123456',
    '2024-03-04T05:06:07.123456Z',
  ]) {
    expect(text(stored)).toBe('2024-03-04T05:06:07.123456Z');
  }
  expect(text('2024-03-04 05:06:07.1234+00')).toBe('2024-03-04T05:06:07.123400Z');
  for (const stored of ['2024-03-04 05:06:07.123+00', '2024-03-04 05:06:07.123000']) {
    expect(text(stored)).toBe('2024-03-04T05:06:07.123Z');
  }
});

it.each(['decimal', 'float'] as const)(
  'a whole number of SQLite has one text, however a client returns it: %s',
  (kind) => {
    const column = { path: 'price', name: 'price', kind, sqlType: '', storage: 'native' } as const;
    const text = cursorTextOf(column, sqlite);
    for (const stored of [10, 10n]) expect(text(stored)).toBe('10');
    expect(text(2n ** 53n + 1n)).toMatch(/^\0i/);
  },
);
