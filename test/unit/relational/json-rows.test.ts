/** Rows of PostgreSQL's protocol written as JSON: the text of `JSON.stringify` of the objects that readers make of them. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseBoolean } from '../../../src/relational/databases/postgresql/wire/simplest-parser.ts';
import { kindRow } from '../../../src/schema/index.ts';
import type { FieldKind } from '../../../src/schema/index.ts';
import type { ParseText } from '../../../src/relational/databases/postgresql/wire/data-row.ts';
import {
  StatementColumns,
  WireRows,
  loadWriter,
} from '../../../src/relational/databases/postgresql/wire/wire-rows.ts';
import { type NodeReader, readRow } from '../../../src/relational/read/reader.ts';
import { seed } from '../../seed.ts';

type Sent = string | Uint8Array | null;

/** The content of a DataRow message between bytes of others. */
function rowBytes(values: readonly Sent[]): { bytes: Buffer; begin: number; end: number } {
  const parts: Buffer[] = [Buffer.from('before')];
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  parts.push(count);
  for (const value of values) {
    const content = value === null ? null : Buffer.from(value as string);
    const length = Buffer.alloc(4);
    length.writeInt32BE(content?.length ?? -1);
    parts.push(length);
    if (content) parts.push(content);
  }
  const end = Buffer.concat(parts).length;
  return { bytes: Buffer.concat([...parts, Buffer.from('behind')]), begin: 6, end };
}

interface Column {
  readonly kind: FieldKind | null;
  readonly parse: ParseText;
  readonly present?: ((value: unknown) => unknown) | null;
}

/** The rows as text, and as the text of their objects. */
function both(
  columns: readonly Column[],
  sent: readonly (readonly Sent[])[],
  names = columns.map((_, index) => `field${index}`),
  relations: NodeReader['relations'] = [],
): { readonly text: string | undefined; readonly objects: string } {
  const fields = names.map((name, index) => {
    const { kind, present } = columns[index] as Column;
    return { name, index, kind, present: present ?? (kind && kindRow(kind).present) ?? null };
  });
  const node: NodeReader = { fields, relations };
  const rows = new WireRows(new StatementColumns(columns.map(({ parse }) => parse)));
  for (const values of sent) {
    const { bytes, begin, end } = rowBytes(values);
    rows.add(bytes, begin, end);
  }
  const inner = rows.json(node, sent.length);
  return {
    text: inner === undefined ? undefined : `[${inner}]`,
    objects: JSON.stringify(rows.rows().map((row) => readRow(node, row, []))),
  };
}

const text = fc.string({ unit: 'binary', maxLength: 90 }).map((each) => each.toWellFormed());
const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });
const instant = fc
  .tuple(
    fc.constantFrom('2024-03-01', '0001-01-01', '10000-12-31', '9999-12-31'),
    fc.constantFrom(' ', 'T'),
    fc.constantFrom('10:20:30', '24:00:00', '00:00:00'),
    fc.oneof(
      fc.constant(''),
      digits(1, 6).map((each) => `.${each}`),
    ),
    fc.constantFrom('', '+00', '+02', '-03:30', '+00:00', 'Z', ' BC', '+00 BC'),
  )
  .map((parts) => parts.join(''));

/** Columns with the texts that a server may send for them. */
const columns: readonly (readonly [Column, fc.Arbitrary<string>])[] = [
  [{ kind: 'string', parse: null }, text],
  [{ kind: 'string', parse: null, present: null }, text],
  [{ kind: 'enum', parse: null }, text],
  [{ kind: 'uuid', parse: null }, fc.oneof(fc.uuid(), text)],
  [{ kind: 'bigint', parse: null }, fc.bigInt().map(String)],
  [{ kind: 'decimal', parse: null }, fc.oneof(fc.double().map(String), digits(1, 30))],
  [{ kind: 'integer', parse: Number }, fc.oneof(fc.integer().map(String), digits(1, 20))],
  [{ kind: 'integer', parse: Number }, fc.constantFrom('-0', '-', '007', '1.50', '-2147483648')],
  [{ kind: 'float', parse: Number }, fc.oneof(fc.double().map(String), fc.constant('-Infinity'))],
  [{ kind: 'float', parse: null }, fc.oneof(fc.double().map(String), fc.constant('NaN'))],
  [{ kind: 'integer', parse: (each) => Number.parseInt(each, 10) }, fc.integer().map(String)],
  [{ kind: 'integer', parse: Math.round as never }, fc.constantFrom('-0.4', '1e9', '-999999999')],
  [{ kind: 'boolean', parse: (each) => each === 't' }, fc.constantFrom('t', 'f')],
  [{ kind: 'boolean', parse: parseBoolean }, fc.constantFrom('t', 'f', 'true', '')],
  [{ kind: 'integer', parse: parseBoolean }, fc.constantFrom('t', 'f')],
  [{ kind: 'datetime', parse: null }, fc.oneof(instant, fc.constantFrom('infinity', ''))],
  [{ kind: 'datetime', parse: (each) => new Date(each) }, fc.constant('2024-03-01T10:20:30Z')],
  [{ kind: 'date', parse: null }, fc.constantFrom('2024-03-01', '0044-03-15 BC', 'infinity')],
  [{ kind: 'json', parse: JSON.parse }, fc.json()],
  [{ kind: 'string', parse: (each) => (each.length > 9 ? null : each) }, text],
];

beforeAll(loadWriter);

describe('rows as JSON', () => {
  it('are the text of the objects for everything that a server may send', () => {
    const arbitrary = fc
      .array(fc.integer({ min: 0, max: columns.length - 1 }), { minLength: 1, maxLength: 6 })
      .chain((chosen) => {
        const row = fc.tuple(
          ...chosen.map((at) => fc.option((columns[at] as (typeof columns)[number])[1])),
        );
        return fc.tuple(fc.constant(chosen), fc.array(row, { maxLength: 4 }));
      });
    const options = { seed, numRuns: 3000 };
    fc.assert(
      fc.property(arbitrary, ([chosen, sent]) => {
        const own = chosen.map((at) => (columns[at] as (typeof columns)[number])[0]);
        const { text: written, objects } = both(own, sent);
        expect(written).toBe(objects);
      }),
      options,
    );
  });

  it('replace bytes that are not UTF-8 as a decoder does', () => {
    const odd = [
      Uint8Array.of(0x61, 0xff),
      Uint8Array.of(0xe2, 0x82),
      Uint8Array.of(0xf0, 0x9f, 0x98),
    ];
    const { text: written, objects } = both(
      odd.map(() => ({ kind: 'string', parse: null })),
      [odd, odd],
    );
    expect(written).toBe(objects);
  });

  it('grow beyond any buffer', () => {
    const long = ['x'.repeat(20_000), 'é'.repeat(70_000), '"'.repeat(1_500_000), '7'];
    const { text: written, objects } = both(
      [
        { kind: 'string', parse: null },
        { kind: 'string', parse: null },
        { kind: 'string', parse: null },
        { kind: 'integer', parse: Number },
      ],
      [long, long],
    );
    expect(written === objects).toBe(true);
    const many = Array.from({ length: 5000 }, (_, index) => ['a', 'b', 'c', String(index)]);
    const plain = { kind: 'string', parse: null } as const;
    const listed = both([plain, plain, plain, { kind: 'integer', parse: Number }], many);
    expect(listed.text === listed.objects).toBe(true);
  });

  it('contain included objects, and null where there are none', () => {
    const fields = [
      { name: 'id', index: 1, kind: 'integer', present: kindRow('integer').present },
    ] as const;
    const node: NodeReader = {
      fields,
      relations: [
        { cardinality: 'one', name: 'inner', marker: 2, node: { fields, relations: [] } },
        { cardinality: 'one', name: 'absent', marker: 0, node: { fields, relations: [] } },
      ],
    };
    const { text: written, objects } = both(
      [
        { kind: 'string', parse: null },
        { kind: 'integer', parse: Number },
        { kind: 'integer', parse: Number },
      ],
      [
        [null, '4', '5'],
        [null, '4', null],
      ],
      ['name', 'id'],
      [{ cardinality: 'one', name: 'outer', marker: 1, node }],
    );
    expect(objects).toContain('"outer":{"id":4,"inner":{"id":4},"absent":null}');
    expect(written).toBe(objects);
  });

  it('are left to the reader where a value or a name has another text in an object', () => {
    const plain = { kind: 'string', parse: null } as const;
    const left = (column: Column, name = 'field') => both([column], [['a']], [name]).text;
    expect(left(plain)).toBe('[{"field":"a"}]');
    expect(left(plain, 'a "name"')).toBe('[{"a \\"name\\"":"a"}]');
    for (const name of ['1', '__proto__', 'größe']) expect(left(plain, name)).toBeUndefined();
    expect(both([plain, plain], [['a', 'b']], ['same', 'same']).text).toBeUndefined();
    expect(left({ kind: null, parse: null, present: String })).toBeUndefined();
    const shown = (value: unknown): string | undefined =>
      left({ kind: 'json', parse: null, present: () => value });
    for (const value of [new Date(0), undefined, Symbol('odd')])
      expect(shown(value)).toBeUndefined();
    expect(shown({ at: new Date(0), none: undefined })).toBe(
      '[{"field":{"at":"1970-01-01T00:00:00.000Z"}}]',
    );
    expect(left({ ...plain, parse: () => undefined })).toBe('[{"field":null}]');
  });

  it('throw the error of a parser, and go on with the next rows', () => {
    const parse = (): never => {
      throw new RangeError('odd');
    };
    const rows = new WireRows(new StatementColumns([parse]));
    const { bytes, begin, end } = rowBytes(['a']);
    rows.add(bytes, begin, end);
    const present = kindRow('integer').present;
    const node: NodeReader = {
      fields: [{ name: 'a', index: 0, kind: 'integer', present }],
      relations: [],
    };
    expect(() => rows.json(node, 1)).toThrow(RangeError);
    const { text: written } = both([{ kind: 'string', parse: null }], [['b']]);
    expect(written).toBe('[{"field0":"b"}]');
  });
});
