/**
 * A world of what schemas and families disagree on: enums without companions, orphans of relations that the schema
 * requires, companions that are not filled, also of keys, a key of mixed kinds, and a column that an ORM rewrites.
 */

import type { DatabaseFamily } from '../../../src/index.ts';
import { sequence } from '../churn.ts';
import { withCompanions } from '../fixtures/dataset.ts';
import type { World } from '../fixtures/dataset.ts';
import type { MatrixModel, ModelField, Stored, StoredRow } from '../fixtures/model.ts';

/** Members in an order that is not that of their texts; some look like positions. */
const declared = {
  lane: ['slow', 'fast', 'air'],
  status: ['new', '2', 'sent', 'lost', '1'],
  grade: ['poor', 'fair', 'good'],
  zone: ['west', 'east', 'north'],
} as const;

/** The members of an enum in the order of its column: SQLite stores text. */
export const membersOf = (
  family: DatabaseFamily,
  name: keyof typeof declared,
): [string, ...string[]] =>
  (family === 'sqlite' ? declared[name].toSorted() : [...declared[name]]) as [string, ...string[]];

/** The stored text of a weight where the ORM rewrites the column; it has the order of the weights. */
export const rewrittenWeight = {
  stored: (weight: number): string => `w${String(weight).padStart(4, '0')}`,
  shown: (text: string): number => Number(text.slice(1)),
};

/** The models of a family. `rewritten` describes the tables of an ORM that stores weights as texts. */
export function irregularModels(family: DatabaseFamily, rewritten = false): readonly MatrixModel[] {
  const weight: ModelField = rewritten
    ? { path: 'weight', kind: 'string' }
    : { path: 'weight', kind: 'integer' };
  return [
    {
      model: 'parcel',
      table: 'parcels',
      fields: [
        { path: 'lane', kind: 'enum', primaryKey: true, enumValues: membersOf(family, 'lane') },
        { path: 'day', kind: 'date', primaryKey: true, column: 'day_on' },
        { path: 'no', kind: 'integer', primaryKey: true },
        { path: 'status', kind: 'enum', nullable: true, enumValues: membersOf(family, 'status') },
        {
          path: 'grade',
          kind: 'enum',
          enumValues: declared.grade,
          ordered: true,
          partFilled: true,
        },
        { path: 'ref', kind: 'uuid', nullable: true, ordered: true },
        { ...weight, nullable: true },
        { path: 'note', kind: 'string', nullable: true, length: 100_000 },
        { path: 'at', kind: 'datetime', nullable: true, column: 'at_time' },
        { path: 'depotId', kind: 'integer', column: 'depot_id' },
      ],
      relations: [
        {
          path: 'depot',
          target: 'depot',
          cardinality: 'one',
          nullable: false,
          from: ['depotId'],
          to: ['id'],
        },
      ],
    },
    {
      model: 'depot',
      table: 'depots',
      fields: [
        { path: 'id', kind: 'integer', primaryKey: true },
        { path: 'name', kind: 'string' },
        { path: 'zone', kind: 'enum', enumValues: membersOf(family, 'zone') },
      ],
      relations: [
        {
          path: 'parcels',
          target: 'parcel',
          cardinality: 'many',
          nullable: false,
          from: ['id'],
          to: ['depotId'],
        },
      ],
    },
    {
      model: 'label',
      table: 'labels',
      fields: [
        { path: 'code', kind: 'uuid', primaryKey: true, ordered: true, partFilled: true },
        {
          path: 'zone',
          kind: 'enum',
          primaryKey: true,
          enumValues: declared.zone,
          ordered: true,
          partFilled: true,
        },
        { path: 'size', kind: 'integer' },
      ],
      relations: [],
    },
  ];
}

/**
 * Long texts that differ after many characters. MySQL and MariaDB sort by the first 1,024 bytes, and MySQL only if the
 * texts of fifteen rows fit in its sort buffer.
 */
function notesOf(family: DatabaseFamily): string[] {
  const [shared, pairs] = family === 'mysql' ? [150, 1000] : [1005, 9000];
  return ['a', '😀', 'ä'].flatMap((letter) =>
    ['', 'x', `y${'😀y'.repeat(pairs)}`, `z${'y😀'.repeat(pairs)}`].map(
      (rest) => letter.repeat(shared) + rest,
    ),
  );
}

const parcelCount = 70;

/** The rows of a seed. Depots 4 to 6 do not exist, and a third of the companions is not filled. */
export function irregularWorld(family: DatabaseFamily, seed: number): World {
  const models = irregularModels(family);
  const pick = sequence(seed);
  const notes = notesOf(family);
  const some = <T>(values: readonly T[]): T => values[pick(values.length)] as T;
  const [parcel, depot, label] = models as [MatrixModel, MatrixModel, MatrixModel];
  const depots = ['Tor', 'Äther', 'tor'].map((name, at): StoredRow => ({
    id: at + 1,
    name,
    zone: some(declared.zone),
  }));
  const parcels = Array.from({ length: parcelCount }, (_, at): StoredRow => {
    const row = withCompanions(parcel, {
      lane: some(declared.lane),
      day: some(['2024-02-29', '2024-03-01', '1999-12-31']),
      no: at + 1,
      status: some<Stored>([...declared.status, null]),
      grade: some(declared.grade),
      ref: some<Stored>([
        null,
        `${some('0123456789abcdef'.split(''))}0000000-0000-4000-8000-00000000000${some('0123456789abcdef'.split(''))}`,
      ]),
      weight: some<Stored>([null, pick(12)]),
      note: some<Stored>([null, '', ...notes]),
      at: some<Stored>([null, '2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00.001Z']),
      depotId: 1 + pick(6),
    });
    const unfilled = Object.fromEntries(
      ['gradeOrder', 'refOrder'].filter(() => pick(3) === 0).map((path) => [path, null]),
    );
    return { ...row, ...unfilled };
  });
  const labels = Array.from({ length: 8 }, (_, code) =>
    declared.zone.map((zone): StoredRow => ({
      ...withCompanions(label, {
        code: `${'0a7f3be9'[code]}0000000-0000-4000-8000-000000000001`,
        zone,
        size: pick(3),
      }),
      // Half of the keys has no companion of the one kind, of the other, or of both.
      ...(pick(2) === 0 && { codeOrder: null }),
      ...(pick(2) === 0 && { zoneOrder: null }),
    })),
  ).flat();
  const rows = new Map([
    [parcel.model, parcels],
    [depot.model, depots.map((row) => withCompanions(depot, row))],
    [label.model, labels],
  ]);
  return { rows, joins: new Map(), models };
}

/** The same rows as an ORM stores them that rewrites weights. */
export function rewrittenWorld(world: World): World {
  const rows = [...world.rows].map(([model, all]): [string, readonly StoredRow[]] => [
    model,
    all.map((row) =>
      typeof row['weight'] === 'number'
        ? { ...row, weight: rewrittenWeight.stored(row['weight']) }
        : row,
    ),
  ]);
  return { ...world, rows: new Map(rows) };
}
